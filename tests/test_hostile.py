"""Snippets that do harm end as their page says, and reach nothing but themselves."""

import gc
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import processes_below, worker_of
from wiki_tools.config import Config, read_config
from wiki_tools.environment import describe_environment
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Outcome, Status
from wiki_tools.runner import Executor
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import Snippet, extract_all

TORCH = "torch"
"""The page whose snippets need it."""
DANGEROUS = "signals"
"""Without this, a snippet that kills everyone does."""
UNWATCHED = {"pretending#p18": ("crashed",)}
"""What ends otherwise in an interpreter of its own, whose wire is a descriptor among others."""
GROWTH = 32 << 20
"""Bytes that a process may hold more after hundreds of snippets: an allocator's, not a leak's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A row of a page's table."""

    statuses: tuple[str, ...]
    says: str
    where: str
    """The property that must hold for it; empty where it ends so anywhere."""


def read_expected(file: Path) -> Iterator[tuple[str, Expected]]:
    """The rows of a page's table, by the ids of their snippets."""
    for line in file.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| p"):
            number, ends, says, where = (*cells, "")[:4]
            yield (
                f"{file.stem}#{number}",
                Expected(statuses=tuple(ends.split(", ")), says=says, where=where),
            )


@pytest.fixture
def vault(copy_wiki: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Config:
    """The hostile wiki with evidence and extracted files to be attacked."""
    monkeypatch.setenv("WIKI_TEST_TOKEN", "secret")
    root = copy_wiki("hostile")
    for folder in ("evidence/local", "snippets"):
        (root / folder).mkdir(parents=True)
        (root / folder / "kept").write_text("kept")
    for page in root.glob("docs/*.md"):
        page.write_text(page.read_text("utf-8").replace("/the/vault", str(root)), "utf-8")
    return read_config(root / "docs")


def snippets_of(config: Config, pages: str) -> list[Snippet]:
    """The snippets of the pages that a pattern names, without torch's where there is none."""
    found = [s for s in extract_all(config, read_pages(config)) if re.match(pages, s.id)]
    if describe_environment("cpu").torch:
        return found
    return [snippet for snippet in found if snippet.page != TORCH]


def run(executor: Executor, config: Config, snippets: list[Snippet]) -> dict[str, Outcome]:
    """Run snippets as `wiki verify` does."""
    verifier = Verifier(
        config=config,
        environment=describe_environment("cpu"),
        folder="local",
        executor=executor,
        measure=False,
    )
    return {found.snippet: found.outcome for found in verifier.run(snippets)}


def contents(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, with its rights."""
    files = (file for file in root.rglob("*") if file.is_file())
    return {str(f.relative_to(root)): (f.stat().st_mode, f.read_bytes()) for f in files}


def differences(config: Config, outcomes: dict[str, Outcome]) -> list[str]:
    """What ended otherwise than its page's table says."""
    pages = config.docs.glob("*.md")
    expected = dict(row for page in pages for row in read_expected(page))
    wrong = []
    for snippet, outcome in outcomes.items():
        row = expected[snippet]
        if not is_held(row.where, outcome.held):
            continue
        statuses = row.statuses
        if "disk" not in outcome.held:
            statuses = UNWATCHED.get(snippet, statuses)
        if outcome.status not in statuses or row.says not in outcome.message:
            wrong.append(f"{snippet}: {outcome.status.value}: {outcome.message:.300}")
    return wrong


def is_held(wanted: str, held: tuple[str, ...]) -> bool:
    return not wanted or any(f"{each}:".startswith(f"{wanted}:") for each in held)


def tame(executor: Executor, config: Config, snippets: list[Snippet]) -> list[Snippet]:
    """Leave out what would kill the tests where nothing prevents it."""
    good = next(s for s in snippets if s.id.endswith("#p01"))
    held = run(executor, config, [good])[good.id].held
    rows = dict(row for file in config.docs.glob("*.md") for row in read_expected(file))
    if is_held(DANGEROUS, held):
        return snippets
    return [s for s in snippets if not rows[s.id].where.startswith(DANGEROUS)]


def test_every_hostile_snippet_has_its_row(vault: Config) -> None:
    rows = {key for page in vault.docs.glob("*.md") for key, _ in read_expected(page)}
    found = {s.id for s in extract_all(vault, read_pages(vault)) if not s.role}
    assert found == rows
    assert len(rows) >= 40


def test_hostile_snippets_harm_only_themselves(vault: Config) -> None:
    snippets = snippets_of(vault, "(ends|bombs|reaching-out|pretending|torch)#")
    before = contents(vault.root)
    with LocalExecutor(vault, jobs=2) as executor:
        chosen = tame(executor, vault, snippets)
        outcomes = run(executor, vault, chosen)
        assert {s.id for s in chosen} == outcomes.keys()
        assert all(processes_below(worker_of(pid)) == [] for pid in executor.pids)
    assert differences(vault, outcomes) == []
    assert contents(vault.root) == before


def test_snippets_in_fresh_interpreters_reach_nothing_either(vault: Config) -> None:
    before = contents(vault.root)
    snippets = snippets_of(vault, "reaching-out#|pretending#p(01|02|07|12|18)|ends#p(03|13)")
    with FreshExecutor(vault, jobs=2) as executor:
        chosen = tame(executor, vault, snippets)
        outcomes = run(executor, vault, chosen)
    assert differences(vault, outcomes) == []
    assert contents(vault.root) == before


def test_whoever_watches_holds_no_more_afterwards(vault: Config) -> None:
    snippets = snippets_of(vault, "pretending#|ends#p(03|05|06|08)|bombs#p(07|15|16|17)")
    with LocalExecutor(vault, jobs=2) as executor:
        run(executor, vault, tame(executor, vault, snippets))
        (parent,) = {pid for pid in executor.pids if not is_numpy(pid)}
        before = {pid: held(pid) for pid in (os.getpid(), worker_of(parent))}
        for _ in range(2):
            outcomes = run(executor, vault, tame(executor, vault, snippets))
        gc.collect()
        after = {pid: held(pid) for pid in before}
    assert {o.status for o in outcomes.values()} >= {Status.PASSED, Status.FAILED, Status.CRASHED}
    assert [files for files, _ in after.values()] == [files for files, _ in before.values()]
    for pid, (_, size) in after.items():
        assert size < before[pid][1] + GROWTH


def is_numpy(pid: int) -> bool:
    return b"numpy" in Path(f"/proc/{pid}/cmdline").read_bytes()


def held(pid: int) -> tuple[int, int]:
    """Open descriptors of a process, and bytes of its memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return len(list(Path(f"/proc/{pid}/fd").iterdir())), pages * os.sysconf("SC_PAGE_SIZE")
