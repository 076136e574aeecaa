"""How many fences of outside pages run: as written, below their whole page, and completed.

`DOCS=DIR` names another folder of Markdown; `OUTCOMES=FILE` keeps each fence's outcomes as JSON.
"""

import ast
import importlib.util
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import gather, install_libraries
from wiki_tools.code import find_kind, nodes_of, session_source
from wiki_tools.config import Config, read_config
from wiki_tools.environment import describe_environment
from wiki_tools.markup import Fence, is_runnable
from wiki_tools.pages import Page, read_pages
from wiki_tools.protocol import Cell, Cells, Job, Outcome, Status
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import extract_snippets
from wiki_tools.snippets.imports import frameworks_imported
from wiki_tools.snippets.sessions import session_cells

TIMEOUT = 40.0
"""Seconds for one fence, however it is run."""
WAYS = ("alone", "whole page", "completed")
OWN = Path(__file__).parent.parent / "tests" / "wikis"
WIKIS = ("seed",)
"""Our own test wikis that stand beside the outside pages: those that are not made to fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An eligible fence and what became of it each way."""

    place: str
    """`path:line`."""
    outcomes: Mapping[str, Outcome]

    def passed(self, way: str) -> bool:
        """Whether it passed one way."""
        return self.outcomes[way].status is Status.PASSED


def print_table() -> None:
    """Print each corpus' shares, then what is said of the fences that do not pass completed."""
    folders, note = corpora()
    table = Table("pages", "fences", *(f"{way}" for way in WAYS), title="context", caption=note)
    everything: list[Tried] = []
    for name, docs in folders.items():
        tried = try_pages(docs)
        everything += tried
        if tried:
            table.add_row(name, str(len(tried)), *shares(tried))
    table.add_row("all", str(len(everything)), *shares(everything))
    console = Console()
    console.print(table)
    console.print(reasons(everything))
    if file := os.environ.get("OUTCOMES"):
        Path(file).write_text(json.dumps([row(t) for t in everything], indent=1), encoding="utf-8")


def corpora() -> tuple[dict[str, Path], str]:
    """Name the folders to try, and say what is not there."""
    if docs := os.environ.get("DOCS"):
        return {Path(docs).name: Path(docs)}, ""
    folders, note = gather()
    install_libraries()
    return folders | {f"tests/wikis/{n}": OWN / n / "docs" for n in WIKIS}, note


def shares(tried: Sequence[Tried]) -> list[str]:
    """The share that passes, each way."""
    counts = [sum(t.passed(way) for t in tried) for way in WAYS]
    return [f"{count / max(len(tried), 1):.0%} ({count})" for count in counts]


def reasons(tried: Sequence[Tried]) -> Table:
    """Count what is said of the fences that do not pass completed."""
    said = Counter(reason(t.outcomes["completed"]) for t in tried if not t.passed("completed"))
    table = Table("fences", "why they do not pass", title="the rest")
    for text, count in said.most_common(40):
        table.add_row(str(count), text)
    return table


_QUOTED = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\(.*\)|\d+(?:\.\d+)?")


def reason(outcome: Outcome) -> str:
    """A message without what differs from fence to fence."""
    first = outcome.message.partition("\n")[0].partition(";")[0]
    if outcome.status is Status.INCOMPLETE:
        first = "nothing provides a name"
    elif outcome.status is Status.FAILED:
        first = first.partition(":")[0]
    first = re.sub(r"^needs \S+, which is not", "needs a package, which is not", first)
    return f"{outcome.status.value}: {_QUOTED.sub('…', first)[:90]}"


def row(tried: Tried) -> dict[str, object]:
    """What is kept of a fence."""
    told = {way: [o.status.value, o.message, o.line] for way, o in tried.outcomes.items()}
    return {"place": tried.place, **told}


# --------------------------------------------------------------------------- running


def try_pages(docs: Path) -> list[Tried]:
    """Run every eligible fence of a folder all three ways."""
    with copied(docs) as config, LocalExecutor(config, jobs=os.cpu_count() or 1) as executor:
        pages = read_pages(config)
        fences = [(page, fence) for page in pages for fence in eligible(page)]
        jobs = [written(page, f, way) for page, f in fences for way in WAYS[:2]]
        outcomes = {o.snippet: o for o in executor.run(jobs)}
        verifier = Verifier(
            config=config,
            environment=describe_environment("cpu"),
            folder="local",
            executor=executor,
        )
        snippets = [s for page in pages for s in extract_snippets(config, page, (page,))]
        named = [replace(s, id=f"{s.path}:{s.fence.line}") for s in snippets]
        ours = {e.snippet: e.outcome for e in verifier.run(named)}
    tried = []
    for page, fence in fences:
        place = f"{page.path}:{fence.line}"
        told = {way: outcomes[f"{way} {place}"] for way in WAYS[:2]}
        tried.append(Tried(place=place, outcomes=told | {"completed": ours[place]}))
    return tried


@contextmanager
def copied(docs: Path) -> Iterator[Config]:
    """Give a vault that has the pages of a folder and nothing beside them."""
    with TemporaryDirectory() as folder:
        Path(folder, "docs").symlink_to(docs.resolve(), target_is_directory=True)
        config = read_config(docs)
        root = Path(folder).resolve()
        yield replace(
            config, root=config.docs.parent, snippets=root / "none", evidence=root, timeout=TIMEOUT
        )


def eligible(page: Page) -> list[Fence]:
    """The fences that hold Python and name no package that is not installed here.

    Nothing that our own rules say of a fence leaves it out, but that it is no Python at all.
    """
    return [f for f in page.markup.fences if is_runnable(f) and not f.role and _is_python(f.code)]


def _is_python(code: str) -> bool:
    text = source(code)
    return bool(text.strip()) and bool(nodes_of(text)) and all(map(_installed, _packages(text)))


def source(code: str) -> str:
    """What a fence would run; empty where it is no Python."""
    kind = find_kind(code)
    return session_source(kind.code) if kind.session else kind.code


def _packages(code: str) -> set[str]:
    nodes = nodes_of(code)
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    taken = {n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module and not n.level}
    return {name.partition(".")[0] for name in plain | taken}


@cache
def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def written(page: Page, fence: Fence, way: str) -> Job:
    """A job that runs a fence as it stands, alone or below every fence above it."""
    above: list[Cell] = []
    if way == "whole page":
        earlier = [f for f in page.markup.fences if is_runnable(f) and f.line < fence.line]
        above = [cell for f in earlier for cell in cells(page, f) if source(f.code)]
    program = (*above, *cells(page, fence))
    frameworks = frameworks_imported(cell.code for cell in program)
    return Job(
        snippet=f"{way} {page.path}:{fence.line}",
        cells=program,
        frameworks=tuple(f for f in frameworks if f in ("torch", "jax")),
        timeout=TIMEOUT,
    )


def cells(page: Page, fence: Fence) -> Cells:
    """A fence as it stands; a session as the doctest that it is."""
    kind = find_kind(fence.code)
    if kind.session:
        return session_cells(kind.code, page.path, fence.line, "device")
    return (Cell(role="pattern", code=kind.code, path=page.path, line=fence.line),)
