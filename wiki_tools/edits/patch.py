"""What becomes of files, as a patch that people read and `git apply` takes."""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from wiki_tools.edits.edit import Edit, apply_edits, in_order
from wiki_tools.errors import printable

_CONTEXT = 3
_Block = tuple[int, list[str], list[str]]
"""Index of the first line, the lines that go and those that come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What becomes of one file."""

    path: str
    """Where it lies before, relative to the vault's root; empty for a file that is made."""
    to: str
    """Where it lies afterwards."""
    before: bytes = b""
    edits: tuple[Edit, ...] = ()

    @property
    def after(self) -> bytes:
        """What the file holds afterwards."""
        return apply_edits(self.before.decode(), self.edits).encode() if self.edits else self.before


def as_diff(changes: Iterable[Change]) -> str:
    """The changes as git prints them; what would steer a terminal is spelt out."""
    rows = (row for change in changes for row in _file(change))
    return "".join(f"{row}\n" for row in rows)


def _file(change: Change) -> Iterator[str]:
    old, new = (_quoted(f"{side}/{path}") for side, path in _sides(change))
    text = change.before.decode() if change.edits else ""
    lines = text.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
    blocks = list(_blocks(text, lines, change.edits))
    if not blocks and change.path == change.to:
        return
    yield f"diff --git {old} {new}"
    if not change.path:
        yield "new file mode 100644"
    elif change.path != change.to:
        yield f"similarity index {_similarity(change, blocks)}%"
        yield f"rename from {_quoted(change.path)}"
        yield f"rename to {_quoted(change.to)}"
    if blocks:
        yield f"--- {old if change.path else '/dev/null'}"
        yield f"+++ {new}"
        yield from _hunks(lines, blocks)


def _sides(change: Change) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("a", change.path or change.to), ("b", change.to)


def _quoted(path: str) -> str:
    """A path as git writes it: quoted where a line could not hold it."""
    plain = path == printable(path) and not set(path) & set('"\\\t')
    return path if plain else json.dumps(printable(path), ensure_ascii=False)


def _blocks(text: str, lines: Sequence[str], edits: Iterable[Edit]) -> Iterator[_Block]:
    """The lines that edits touch, and what they become."""
    starts = [0, *accumulate(map(len, lines))]
    begins = starts[:-1] if text and not text.endswith("\n") else starts
    rows: list[tuple[int, int, list[Edit]]] = []
    for edit in in_order(edits):
        first = bisect_right(begins, edit.start) - 1
        last = min(bisect_right(begins, edit.end), len(lines))
        if rows and first < rows[-1][1]:
            begin, end, together = rows[-1]
            rows[-1] = (begin, max(end, last), [*together, edit])
        else:
            rows.append((first, last, [edit]))
    for first, last, together in rows:
        made = _changed(text, starts[first], starts[last], together)
        yield from _trimmed(first, list(lines[first:last]), made)


def _changed(text: str, start: int, end: int, edits: Iterable[Edit]) -> list[str]:
    moved = [
        Edit(path=edit.path, start=edit.start - start, end=edit.end - start, text=edit.text)
        for edit in edits
    ]
    made = apply_edits(text[start:end], moved).split("\n")
    return [f"{line}\n" for line in made[:-1]] + [line for line in made[-1:] if line]


def _trimmed(first: int, old: list[str], new: list[str]) -> Iterator[_Block]:
    """Leave out the lines at both ends that stay as they are."""
    while old and new and old[0] == new[0]:
        first, old, new = first + 1, old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if old or new:
        yield first, old, new


def _similarity(change: Change, blocks: Sequence[_Block]) -> int:
    if not blocks:
        return 100
    gone = sum(len(line) for _, old, _ in blocks for line in old)
    come = sum(len(line) for _, _, new in blocks for line in new)
    size = len(change.before.decode())
    return max(0, int(100 * (size - gone) / max(size, size - gone + come, 1)))


def _hunks(lines: Sequence[str], blocks: Sequence[_Block]) -> Iterator[str]:
    """The blocks, those together that share lines of context."""
    groups: list[list[_Block]] = []
    end = -1
    for block in blocks:
        if groups and block[0] - end <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
        end = block[0] + len(block[1])
    shift = 0
    for group in groups:
        yield from _hunk(lines, group, shift)
        shift += sum(len(new) - len(old) for _, old, new in group)


def _hunk(lines: Sequence[str], group: Sequence[_Block], shift: int) -> Iterator[str]:
    at = start = max(0, group[0][0] - _CONTEXT)
    stop = min(len(lines), group[-1][0] + len(group[-1][1]) + _CONTEXT)
    rows: list[str] = []
    for first, old, new in group:
        rows += _shown(" ", lines[at:first])
        rows += _shown("-", old)
        rows += _shown("+", new)
        at = first + len(old)
    rows += _shown(" ", lines[at:stop])
    before = stop - start
    after = before + sum(len(new) - len(old) for _, old, new in group)
    yield f"@@ -{_range(start, before)} +{_range(start + shift, after)} @@"
    yield from rows


def _range(start: int, count: int) -> str:
    return f"{start + (count > 0)},{count}"


def _shown(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        text = line.removesuffix("\n")
        ending = "\r" if text.endswith("\r") else ""
        yield f"{sign}{printable(text.removesuffix(ending))}{ending}"
        if text == line:
            yield "\\ No newline at end of file"
