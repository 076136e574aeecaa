"""A text as it is read: without emphasis, with single spaces, clause by clause."""

import re
from bisect import bisect_left, bisect_right

NEAR = 48
"""Characters on either side of a quantity in which what it is of is looked for."""
_CLAUSES = re.compile(r"[.!?;|。！？](?!\d)")
_SENTENCES = re.compile(r"[.!?|。！？](?!\d)")
_PRESUMED = re.compile(r"\b(?:why|what makes|how come)\b|왜", re.IGNORECASE)
"""Asked so, it is taken for granted: `why is it 2x faster?`"""


class Reading:
    """A text, read once for all the quantities in it: a table may hold ten thousand."""

    def __init__(self, text: str) -> None:
        """Read a text, of which places are spoken of as offsets."""
        self._plain, self._places = _plain(text)
        end = len(self._plain)
        self._clauses = [*(match.start() for match in _CLAUSES.finditer(self._plain)), end]
        self._sentences = [*(match.start() for match in _SENTENCES.finditer(self._plain)), end]

    def before(self, place: int) -> str:
        """What stands before a place in its clause."""
        at = bisect_left(self._places, place)
        return self._plain[max(at - NEAR, _begin(self._clauses, at)) : at]

    def after(self, place: int) -> str:
        """What stands behind a place in its clause."""
        at = bisect_left(self._places, place)
        return self._plain[at : min(at + NEAR, self._clauses[bisect_left(self._clauses, at)])]

    def marks(self, pattern: re.Pattern[str]) -> list[int]:
        """Where each find of a pattern ends, for `has_before`."""
        return [match.end() for match in pattern.finditer(self._plain)]

    def has_before(self, place: int, marks: list[int]) -> bool:
        """Whether one of those may stand in `before`, which is not looked through for it."""
        at = bisect_left(self._places, place)
        number = bisect_right(marks, max(at - NEAR, _begin(self._clauses, at)))
        return number < len(marks) and marks[number] <= at

    def further(self, place: int, count: int) -> int:
        """The place that lies so many characters behind another, as they are read."""
        return self._places[bisect_left(self._places, place) + count]

    def asks(self, start: int, end: int) -> bool:
        """Whether the sentence is a question, and not one that takes its answer for granted."""
        first, last = bisect_left(self._places, start), bisect_left(self._places, end)
        stop = self._sentences[bisect_left(self._sentences, last)]
        if self._plain[stop : stop + 1] not in ("?", "？"):
            return False
        rest = self._plain[last : min(stop, last + 4 * NEAR)]
        if rest.count("(") > rest.count(")"):
            return False  # an aside asks: `2x faster (is it?)`
        begin = max(first - 4 * NEAR, _begin(self._sentences, first))
        return not _PRESUMED.search(self._plain, begin, first)


def _begin(ends: list[int], at: int) -> int:
    """Where begins what `at` stands in, each of which ends at one of `ends`."""
    number = bisect_left(ends, at)
    return ends[number - 1] + 1 if number else 0


def _plain(text: str) -> tuple[str, list[int]]:
    """A text without emphasis and with single spaces, and where each of its characters stood."""
    letters: list[str] = []
    places: list[int] = []
    last = ""
    for place, written in enumerate(text):
        letter = " " if written.isspace() else written
        if letter not in "*_" and not (letter == last == " "):
            letters.append(letter)
            places.append(place)
            last = letter
    return "".join(letters), [*places, len(text)]
