"""The vaults that a session's pages lie in, each read once and run by one executor."""

import os
from pathlib import Path

import pytest

from wiki_tools.config import Config, read_config
from wiki_tools.environment import describe_environment
from wiki_tools.ledger import LOCAL, Evidence
from wiki_tools.pages import Page, read_pages
from wiki_tools.runner.choice import choose_executor, confine
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import Snippet, chosen_pages, extract_snippets


class Vault:
    """A vault as read from disk, and the engine that runs its snippets once one is asked for."""

    def __init__(self, config: Config, device: str, sandbox: str) -> None:
        self.config = confine(config, sandbox)
        self.pages: dict[str, Page] = {page.path: page for page in read_pages(config)}
        self._shown = {page.path for page in chosen_pages(config, tuple(self.pages.values()))}
        self._device = device
        self._executor: LocalExecutor | FreshExecutor | None = None
        self._verifier: Verifier | None = None

    def find_page(self, file: Path) -> Page | None:
        """The page that a file is, in whatever language; None where the vault has no such page."""
        file = file.resolve()
        if not file.is_relative_to(self.config.docs):
            return None
        name = os.fsencode(file.relative_to(self.config.docs).as_posix())
        return self.pages.get(name.decode("utf-8", "backslashreplace"))

    def extract(self, page: Page) -> tuple[Snippet, ...]:
        """A page's snippets; a translation has none of its own, since they share their code.

        Raises:
            ConfigError: a fixture file cannot be read.
        """
        return extract_snippets(self.config, page, (page,)) if page.path in self._shown else ()

    def run(self, snippet: Snippet) -> Evidence:
        """Run one snippet as `wiki verify` does, and record nothing.

        Raises:
            WorkerError: the machinery broke; says nothing about the snippet.
            UsageError: this machine has no such device.
        """
        (evidence,) = self._engine().run([snippet])
        return evidence

    def close(self) -> None:
        """End every process that was started."""
        if self._executor is not None:
            self._executor.close()

    def _engine(self) -> Verifier:
        if self._verifier is None:
            environment = describe_environment(self._device)
            self._executor = choose_executor(self.config, 1, "")
            self._verifier = Verifier(
                config=self.config,
                environment=environment,
                folder=LOCAL,
                executor=self._executor,
            )
        return self._verifier


_VAULTS = pytest.StashKey[dict[Path, Vault]]()


def find_vault(session: pytest.Session, file: Path) -> Vault:
    """Give the vault that a page lies in.

    Raises:
        ConfigError: its settings cannot be used.
        UsageError: no such sandbox.
    """
    vaults = session.stash.setdefault(_VAULTS, {})
    docs = find_docs(session.config, file)
    if docs not in vaults:
        device, sandbox = (session.config.getoption(f"--wiki-{n}") for n in ("device", "sandbox"))
        vaults[docs] = Vault(read_config(docs), device, sandbox)
    return vaults[docs]


def close_vaults(session: pytest.Session) -> None:
    """End what the session's vaults have started."""
    for vault in session.stash.get(_VAULTS, {}).values():
        vault.close()


def find_docs(config: pytest.Config, file: Path) -> Path:
    """Find the folder that `wiki verify --docs` would name for a page.

    It holds the nearest `mkdocs.yml`; else the ini option `wiki_docs` names it; else it is the
    nearest folder called `docs`, or one of Obsidian's, at or above what the command line names;
    else what the command line names.
    """
    for folder in file.parents:
        if (folder / "mkdocs.yml").is_file():
            return folder
    named = [Path(path) for path in config.getini("wiki_docs")]
    for folder in file.parents:
        if folder in named:
            return folder
    given = argument_above(config, file)
    start = given or file.parent
    ours = (config.rootpath, config.invocation_params.dir)
    for folder in (start, *start.parents):
        called = folder.name == "docs" and any(folder.is_relative_to(path) for path in ours)
        if called or (folder / ".obsidian").is_dir():
            return folder
    usual = config.rootpath / "docs"
    return given or (usual if usual.is_dir() else config.rootpath)


def argument_above(config: pytest.Config, file: Path) -> Path | None:
    """The innermost folder of the command line that a file lies in; its own where it is named."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return None
    typed = [config.invocation_params.dir / text.partition("::")[0] for text in config.args]
    given = [Path(os.path.normpath(path)) for path in typed]  # links stay, as in `file`
    above = [path for path in given if path in file.parents]
    return max(above, key=lambda path: len(path.parts), default=file.parent)


def is_named(config: pytest.Config, file: Path) -> bool:
    """Say whether the command line names this very file."""
    typed = (config.invocation_params.dir / text.partition("::")[0] for text in config.args)
    return any(os.path.normpath(path) == os.fspath(file) for path in typed)
