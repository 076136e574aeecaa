"""Fixes findings, and keeps only what leaves the vault better by its own rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.config import Config
from wiki_tools.edits.case import Case, Surroundings
from wiki_tools.edits.draft import Read
from wiki_tools.edits.edit import Edit, Source, apply_edits, read_source
from wiki_tools.edits.fixes import FIXES
from wiki_tools.edits.patch import Change
from wiki_tools.edits.world import World
from wiki_tools.errors import UsageError
from wiki_tools.pages import Page, read_page

Recheck = Callable[[Mapping[str, bytes]], Sequence[Diagnostic]]
"""What would be found if pages (path to bytes) held something else."""
_Finding = tuple[str, str, str]
_ROUNDS = 12
"""Rechecks of the whole vault before what is still in doubt is left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What can be fixed."""

    changes: tuple[Change, ...]
    fixed: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposal:
    finding: Diagnostic
    edits: tuple[Edit, ...]


def plan_repair(
    config: Config,
    world: World,
    findings: Sequence[Diagnostic],
    recheck: Recheck,
    *,
    chosen: Sequence[Diagnostic] | None = None,
    read: Read | None = None,
) -> Repair:
    """Plan the fixes of findings; nothing is written.

    Args:
        config: the vault's settings.
        world: all its pages.
        findings: everything that is found in it.
        recheck: finds again, some pages changed.
        chosen: those of the findings that are to be fixed; by default all.
        read: reads a page's file; by default from the docs folder.
    """
    read = read or (lambda path: (config.docs / path).read_bytes())
    proposals = _propose(config, world, findings if chosen is None else chosen, read)
    kept = _Judge(findings, recheck, read).judge(proposals)
    edits = _by_page(kept)
    changes = tuple(
        Change(
            path=f"{config.docs.name}/{path}",
            to=f"{config.docs.name}/{path}",
            before=read(path),
            edits=tuple(edits[path]),
        )
        for path in sorted(edits)
    )
    return Repair(changes=changes, fixed=tuple(proposal.finding for proposal in kept))


def _propose(
    config: Config, world: World, findings: Sequence[Diagnostic], read: Read
) -> list[_Proposal]:
    """What each fix would write; of two that speak of one place the first."""
    around = Surroundings(config, world)
    known: dict[str, tuple[Source, Page] | None] = {}
    taken: dict[str, list[Edit]] = {}
    found: list[_Proposal] = []
    for finding in findings:
        path = finding.path
        if finding.code not in FIXES or path not in around.outlines:
            continue
        if path not in known:
            known[path] = _open(config, path, read)
        opened = known[path]
        if not opened:
            continue
        source, page = opened
        case = Case(finding=finding, page=page, around=around)
        edits = tuple(source.edit(*row) for row in FIXES[finding.code](case))
        before = taken.setdefault(path, [])
        new = [edit for edit in edits if edit not in before]
        if edits and not any(_overlap(edit, other) for edit in new for other in before):
            before += new
            found.append(_Proposal(finding=finding, edits=edits))
    return found


def _open(config: Config, path: str, read: Read) -> tuple[Source, Page] | None:
    """A page that can be edited; what is not UTF-8 cannot."""
    try:
        source = read_source(path, read(path))
    except UsageError:
        return None
    return source, read_page(config, path, source.raw)


def _overlap(edit: Edit, other: Edit) -> bool:
    return edit.start <= other.end and other.start <= edit.end


def _by_page(proposals: Iterable[_Proposal]) -> dict[str, list[Edit]]:
    edits: dict[str, list[Edit]] = {}
    for proposal in proposals:
        edits.setdefault(proposal.finding.path, []).extend(proposal.edits)
    return edits


class _Judge:
    """Drops the fixes that leave their finding there, or make another."""

    def __init__(self, findings: Sequence[Diagnostic], recheck: Recheck, read: Read) -> None:
        self._before = Counter(map(_named, findings))
        self._recheck = recheck
        self._read = read
        self._rounds = 0

    def judge(self, proposals: Sequence[_Proposal]) -> list[_Proposal]:
        """The proposals that can be made together."""
        if not proposals:
            return []
        bad, new = self._look(proposals)
        if not bad and not new:
            return list(proposals)
        rest = [p for p in proposals if _named(p.finding) not in bad]
        lines = {(row.path, row.line) for row in new}
        clear = [p for p in rest if (p.finding.path, p.finding.line) not in lines]
        if self._is_good(clear):
            return clear
        paths = {row.path for row in new}
        clear = [p for p in rest if p.finding.path not in paths]
        if self._is_good(clear):
            return self._add(clear, [p for p in rest if p.finding.path in paths])
        return self._add([], rest)

    def _add(self, base: list[_Proposal], more: list[_Proposal]) -> list[_Proposal]:
        """Add as many as can be, by halves: few are bad where many are proposed."""
        if not more or self._is_good([*base, *more]):
            return [*base, *more]
        if len(more) == 1:
            return base
        half = len(more) // 2
        return self._add(self._add(base, more[:half]), more[half:])

    def _is_good(self, proposals: Sequence[_Proposal]) -> bool:
        return self._rounds < _ROUNDS and not any(self._look(proposals))

    def _look(self, proposals: Sequence[_Proposal]) -> tuple[set[_Finding], list[Diagnostic]]:
        """Findings that their fixes leave there, and findings that were not there before."""
        self._rounds += 1
        texts = {
            path: apply_edits(self._read(path).decode(), edits).encode()
            for path, edits in _by_page(proposals).items()
        }
        found = self._recheck(texts)
        now = Counter(map(_named, found))
        fixed = Counter(_named(proposal.finding) for proposal in proposals)
        bad = {key for key, count in fixed.items() if now[key] > self._before[key] - count}
        return bad, [row for row in found if now[_named(row)] > self._before[_named(row)]]


def _named(row: Diagnostic) -> _Finding:
    return (row.code, row.path, row.message)
