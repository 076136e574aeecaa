"""Decides what each snippet is measured against."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from wiki_tools.config import Config
from wiki_tools.markup import ATTRIBUTES
from wiki_tools.measure.ablations import find_ablations
from wiki_tools.measure.focus import focus, is_used, join_timed
from wiki_tools.measure.types import Comparison
from wiki_tools.pages import read_page
from wiki_tools.protocol import Cell, Cells, Pairing, times_itself
from wiki_tools.snippets import Program, Snippet, complete, share_statements
from wiki_tools.snippets.digest import normalized

METHOD = 3
"""Goes into every digest; a change of how things are timed makes all measurements old."""

MEANINGS = {"baseline": "the page's baseline", "pattern": "the page's pattern"}


def plan_comparisons(
    config: Config, snippet: Snippet, snippets_of_page: Sequence[Snippet], choice: int = 0
) -> tuple[Comparison, ...]:
    """Plan what a snippet is measured against.

    A pattern is measured against its baselines, or where it has none against itself with each
    of its accelerators turned off; an antipattern against its pattern. A sweep does so at
    each of its sizes.

    Args:
        config: the vault's settings.
        snippet: what is measured.
        snippets_of_page: all snippets of its page: baselines are among them.
        choice: which of its programs runs.
    """
    attributes = snippet.fence.attributes
    if snippet.skip or snippet.raises or choice >= len(snippet.programs):
        return ()
    if not any(cell.timed for cell in snippet.programs[choice].cells):
        return ()  # a session, or nothing but definitions that nobody can call
    points = [_Point(program=snippet.programs[choice])]
    if "sweep" in attributes:
        sizes = list(_sweep(config, snippet, choice))
        if len({point.program.cells for point in sizes}) > 1:  # else no name has that size
            points = sizes
    metrics = ("time", "memory") if "memory" in attributes else ("time",)
    return tuple(
        comparison
        for metric in metrics
        for point in points
        for comparison in _at(config, snippet, snippets_of_page, point, metric)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    """A program at one size of a sweep."""

    program: Program
    size: str = ""

    @property
    def sizes(self) -> dict[str, int]:
        name, _, value = self.size.partition("=")
        return {name: int(value)} if name else {}


def _at(
    config: Config,
    snippet: Snippet,
    siblings: Sequence[Snippet],
    point: _Point,
    metric: str,
) -> Iterator[Comparison]:
    if snippet.role == "antipattern":
        for pattern in (s for s in siblings if s.id == snippet.pattern):
            yield from _against(config, snippet, pattern, point, metric, "pattern")
        return
    if snippet.role:
        return
    baselines = [s for s in siblings if s.role == "baseline" and s.pattern == snippet.id]
    for number, baseline in enumerate(baselines, 1):
        name = "baseline" if number == 1 else f"baseline-{number}"
        yield from _against(config, snippet, baseline, point, metric, name)
    if not baselines:
        yield from _ablations(snippet, point, metric)


def _against(
    config: Config, snippet: Snippet, other: Snippet, point: _Point, metric: str, name: str
) -> Iterator[Comparison]:
    """Pair a snippet with another fence, which gets the same inputs."""
    program = _like(config, other, point)
    if other.skip or program.missing or point.program.missing:
        return
    ours, theirs = _without_shared(snippet, point.program, other, program)
    candidate, baseline = (theirs, ours) if name == "pattern" else (ours, theirs)
    pairing = Pairing(
        against=name, candidate=candidate, baseline=baseline, metric=metric, size=point.size
    )
    number = name.removeprefix("baseline-")
    meaning = MEANINGS.get(name) or f"{MEANINGS['baseline']} {number}"
    yield _comparison(snippet, pairing, meaning)


def _like(config: Config, other: Snippet, point: _Point) -> Program:
    """Complete the other fence with the same guesses and sizes."""
    if not point.sizes:
        for program in other.programs:
            if program.variant == point.program.variant:
                return program
    page = read_page(config, other.path, (config.docs / other.path).read_bytes())
    return complete(config, page, other.fence, sizes=point.sizes, like=point.program)[0]


def _without_shared(
    snippet: Snippet, program: Program, other: Snippet, others: Program
) -> tuple[Cells, Cells]:
    """Make what one side takes from the other's own fence set-up on both: it is not timed."""
    ours = _untimed(join_timed(program.cells), _taken(others, snippet.id))
    theirs = _untimed(join_timed(others.cells), _taken(program, other.id))
    return ours, theirs


def _taken(program: Program, id_: str) -> set[str]:
    """Names that a program takes from the fence of that id."""
    place = id_[id_.rindex("#") :]
    return {name for name, origin in program.context.items() if origin == place}


def _untimed(cells: Cells, names: set[str]) -> Cells:
    return tuple(part for cell in cells for part in _parts(cell, names)) if names else cells


def _parts(cell: Cell, names: set[str]) -> Iterator[Cell]:
    if not cell.timed:
        yield cell
        return
    shared, rest = share_statements(cell.code, names)
    if shared.strip():
        yield replace(cell, code=shared, timed=False)
    yield replace(cell, code=rest)


def _ablations(snippet: Snippet, point: _Point, metric: str) -> Iterator[Comparison]:
    cells = point.program.cells
    if point.program.missing or times_itself(cells):  # a lab's clock would be timed with the rest
        return
    written = [c.code for c in cells if c.role in ("pattern", "setup", "context", "drive")]
    rows = [row for row in find_ablations(written) if not row.converts or is_used(cells, row)]
    for index, row in enumerate(rows):
        focused = focus(cells, row)
        pairing = Pairing(
            against=f"ablation:{row.name}",
            candidate=focused,
            baseline=focused,
            off=row.off,
            coarser=row.coarser,
            metric=metric,
            size=point.size,
        )
        yield _comparison(snippet, pairing, row.meaning, claimed=index == 0)


def _sweep(config: Config, snippet: Snippet, choice: int) -> Iterator[_Point]:
    """`sweep=S:128,512,2048`: the program at each size."""
    sweep = snippet.fence.attributes["sweep"]
    if not ATTRIBUTES["sweep"].accepts(sweep):
        return  # `check` has a diagnostic for it
    name, _, sizes = sweep.partition(":")
    page = read_page(config, snippet.path, (config.docs / snippet.path).read_bytes())
    like = snippet.programs[choice]
    for value in sizes.split(","):
        programs = complete(config, page, snippet.fence, sizes={name: int(value)}, like=like)
        yield _Point(size=f"{name}={value}", program=programs[0])


def _comparison(
    snippet: Snippet, pairing: Pairing, meaning: str, *, claimed: bool = True
) -> Comparison:
    return Comparison(
        snippet=snippet.id,
        pairing=pairing,
        digest=_digest(pairing),
        meaning=meaning,
        claimed=claimed,
    )


def _digest(pairing: Pairing) -> str:
    value = asdict(pairing) | {
        "method": METHOD,
        "candidate": _meant(pairing.candidate),
        "baseline": _meant(pairing.baseline),
    }
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _meant(cells: Iterable[Cell]) -> list[list[object]]:
    """Cells as they count for timing: checks and what is shown at the end do not."""
    return [[c.role, normalized(c), c.timed] for c in cells if c.role not in ("check", "result")]
