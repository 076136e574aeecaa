"""`pytest --wiki docs/`: every pattern is an item under its page and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # pytest loads this module in every project that has the package installed
    from wiki_tools.config import Config
    from wiki_tools.ledger import Evidence
    from wiki_tools.pages import Page
    from wiki_tools.runner.verify import Verifier
    from wiki_tools.snippets import Snippet


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that turns collecting on."""
    group = parser.getgroup("wiki", "wiki_tools")
    group.addoption("--wiki", action="store_true", help="collect the patterns of Markdown pages")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PageFile | None:
    """Take a Markdown page of the vault, in its default language: translations share their code."""
    if not parent.config.getoption("--wiki") or file_path.suffix.lower() != ".md":
        return None
    return PageFile.from_parent(parent, path=file_path)


class Vault:
    """The vault that a page lies in, read once a session."""

    def __init__(self, config: Config) -> None:
        from wiki_tools.environment import describe_environment
        from wiki_tools.pages import read_pages
        from wiki_tools.runner.local import LocalExecutor
        from wiki_tools.runner.verify import Verifier
        from wiki_tools.snippets import extract_all

        self.config = config
        self.pages: tuple[Page, ...] = read_pages(config)
        self.snippets: tuple[Snippet, ...] = extract_all(config, self.pages)
        self.executor = LocalExecutor(config, jobs=1)
        self.verifier: Verifier = Verifier(
            config=config,
            environment=describe_environment("cpu"),
            folder="local",
            executor=self.executor,
        )


VAULTS = pytest.StashKey[dict[Path, Vault]]()


def find_vault(session: pytest.Session, file: Path) -> Vault:
    """Find the vault of a page: the outermost `docs` folder above it, or pytest's root."""
    from wiki_tools.config import read_config

    rooted = [p for p in file.parents if (p.parent / "mkdocs.yml").is_file() or p.name == "docs"]
    docs = rooted[0] if rooted else session.config.rootpath
    vaults = session.stash.setdefault(VAULTS, {})
    if docs not in vaults:
        vaults[docs] = Vault(read_config(docs))
    return vaults[docs]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave no worker behind."""
    for vault in session.stash.get(VAULTS, {}).values():
        vault.executor.close()


class PageFile(pytest.File):
    """A page with its patterns."""

    def collect(self) -> Iterator[Pattern]:
        """Make an item of each snippet that stands in this file."""
        vault = find_vault(self.session, self.path)
        for snippet in vault.snippets:
            if (vault.config.docs / snippet.path) == self.path:
                name = snippet.id.partition("#")[2]
                yield Pattern.from_parent(self, name=name, snippet=snippet, vault=vault)


class SnippetError(Exception):
    """A snippet did not pass; its evidence says why."""

    def __init__(self, evidence: Evidence) -> None:
        outcome = evidence.outcome
        super().__init__(f"{outcome.path}:{outcome.line}: {outcome.message}\n{outcome.traceback}")


class Pattern(pytest.Item):
    """One snippet, run by the same engine as `wiki verify`."""

    def __init__(self, *, snippet: Snippet, vault: Vault, **rest: Any) -> None:
        super().__init__(**rest)
        self.snippet = snippet
        self.vault = vault

    def runtest(self) -> None:
        """Run the snippet; what cannot run here is skipped with its reason."""
        for evidence in self.vault.verifier.run([self.snippet]):
            if evidence.outcome.status in ("skipped", "incomplete"):
                pytest.skip(evidence.outcome.message)
            if evidence.outcome.status != "passed":
                raise SnippetError(evidence)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the page's own lines, not this plugin's."""
        if isinstance(excinfo.value, SnippetError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the page and the 0-based line of the pattern."""
        title = self.snippet.heading.text if self.snippet.heading else self.snippet.id
        return self.path, self.snippet.fence.line - 1, title
