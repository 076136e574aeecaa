"""Joins the evidence of several folders, such as those that shards of one run have written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wiki_tools.environment import folder_name
from wiki_tools.errors import UsageError
from wiki_tools.ledger.journal import PATTERN
from wiki_tools.ledger.past import with_past
from wiki_tools.ledger.read import UNREADABLE, PageEvidence, read_entries, read_file
from wiki_tools.ledger.types import Account, Evidence, Measured
from wiki_tools.ledger.write import Recorder


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of the folders that were joined."""

    snippets: Mapping[str, frozenset[str]]
    """Environment's folder name to the ids of the snippets that it knows now."""
    files: int
    """Files that were written."""
    conflicts: tuple[str, ...]
    """What did not agree, or could not be read, a message each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A page's evidence in one of the folders."""

    folder: Path
    seen: PageEvidence

    @property
    def newest(self) -> str:
        return max((row.recorded for row in self.seen.rows), default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """What the folders hold, by environment and page."""

    pages: dict[tuple[str, str], list[_Source]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)


def merge_evidence(
    folders: Sequence[Path], target: Path, digests: Mapping[str, str] | None = None
) -> Merged:
    """Join folders of evidence into `target`, which may hold evidence as well.

    Of each snippet the outcome stays that speaks of it as it is now (`digests`, by id), and of
    those the newest; what was measured of the same digest is joined. Everything is read before
    anything is written, and each file is replaced in one step.

    Raises:
        UsageError: one of the folders is not there, or holds no evidence.
        LedgerError: a file cannot be written.
    """
    reading = _Reading()
    for folder in folders:
        if not _read_folder(folder, reading):
            raise UsageError(
                f"{folder}: no evidence lies there; name a folder such as `evidence`, which holds "
                "one of each environment"
            )
    if target.is_dir() and target.resolve() not in [folder.resolve() for folder in folders]:
        _read_folder(target, reading)
    joined = {
        place: _join(sources, digests or {}, reading.conflicts)
        for place, sources in sorted(reading.pages.items())
    }
    recorders = {name: Recorder(target, name) for name, _ in joined}
    for (name, page), seen in joined.items():
        ids = [row.snippet for row in seen.rows]
        recorders[name].add(page, seen.rows, ids, account=seen.account)
    snippets: dict[str, set[str]] = {}
    for (name, _), seen in joined.items():
        snippets.setdefault(name, set()).update(row.snippet for row in seen.rows)
    return Merged(
        snippets={name: frozenset(ids) for name, ids in snippets.items()},
        files=len(joined),
        conflicts=tuple(reading.conflicts),
    )


def _read_folder(folder: Path, reading: _Reading) -> bool:
    """Read all of a folder; whether it holds any evidence."""
    found = False
    for file in sorted(folder.glob("*/**/*.json")):
        found = True
        name = file.relative_to(folder).parts[0]
        try:
            seen = read_file(file)
        except UNREADABLE as error:
            reading.conflicts.append(f"{file}: left out: {error}")
            continue
        reading.conflicts.extend(f"{file}: {message}" for message in seen.damaged)
        source = _Source(folder=folder, seen=seen)
        reading.pages.setdefault((name, seen.page), []).append(source)
    for file in sorted(folder.glob(f"*/{PATTERN}")):  # of a shard that was killed
        found = True
        for page, row in read_entries(file, reading.conflicts):
            source = _Source(folder=folder, seen=PageEvidence(page=page, rows=(row,)))
            reading.pages.setdefault((file.parent.name, page), []).append(source)
    return found


def _join(
    sources: Sequence[_Source], digests: Mapping[str, str], conflicts: list[str]
) -> PageEvidence:
    """Join what several folders know of one page in one environment."""
    rows: dict[str, list[tuple[Path, Evidence]]] = {}
    for source in sorted(sources, key=lambda source: -len(source.seen.rows)):  # its order stays
        for row in source.seen.rows:
            rows.setdefault(row.snippet, []).append((source.folder, row))
    kept = tuple(_choose(found, digests.get(name), conflicts) for name, found in rows.items())
    conflicts += _machines(sources[0].seen.page, kept)
    return PageEvidence(page=sources[0].seen.page, rows=kept, account=_account(sources))


def _choose(
    found: Sequence[tuple[Path, Evidence]], digest: str | None, conflicts: list[str]
) -> Evidence:
    ordered = sorted(found, key=lambda item: (item[1].digest == digest, item[1].recorded))
    folder, best = ordered[-1]
    more: dict[str, Measured] = {}
    for m in (m for _, row in ordered if row.digest == best.digest for m in row.measured):
        more[m.digest] = max(m, more.get(m.digest, m), key=_finished)  # of equal ones the newer
    for other, row in ordered[:-1]:
        if row.digest != best.digest:
            if best.digest != digest:  # else the other is only outdated
                conflicts.append(
                    f"{best.snippet}: {other} speaks of another text than {folder}, which was taken"
                )
        elif row.outcome.status is not best.outcome.status and row.resolved == best.resolved:
            conflicts.append(
                f"{best.snippet}: {row.outcome.status.value} in {other}, "
                f"{best.outcome.status.value} in {folder}, which is newer and was taken"
            )
    joined = replace(best, measured=tuple(more.values()), weight=0.0)  # the shares are over
    for _, row in ordered[:-1]:
        joined = with_past(joined, row)
    return joined


def _finished(measured: Measured) -> float:
    """How much of a measurement is there; all of it is 1."""
    samples = measured.samples
    return min(1.0, len(samples.rounds) / samples.planned) if samples.planned > 0 else 1.0


def _machines(page: str, rows: Sequence[Evidence]) -> Iterator[str]:
    """Say where one folder holds what different environments saw."""
    names = sorted({folder_name(row.environment) for row in rows})
    if len(names) > 1:
        yield f"{page}: of different environments: {', '.join(names)}"


def _account(sources: Sequence[_Source]) -> Account | None:
    told = [source for source in sources if source.seen.account is not None]
    return max(told, key=lambda source: source.newest).seen.account if told else None
