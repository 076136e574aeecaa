"""Finds pages that say mostly the same, by the sentences and lines that they share."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

from wiki_tools.pages import Page

LEAST = 40
"""Bytes of a sentence that counts: a heading or a bullet of one word says nothing."""
MOST = 64
"""Sentences that a signature holds; of more, those whose hashes are the smallest."""
COMMON = 8
"""Pages that may share a sentence; in more of them it is the form of the wiki, not a copy."""
ENOUGH = 300
"""Bytes of a page's own sentences that make it comparable."""
ALIKE = 0.8
"""Share from which on pages are similar."""

_BITS = 20
_LENGTH = (1 << _BITS) - 1
_LAST = 1 << 32 + _BITS


class Similar(NamedTuple):
    """A page most of whose text stands on another one as well."""

    path: str
    other: str
    share: float
    """Of the text of `path`, by length, without what very many pages share."""


def signature(text: str) -> bytes:
    """What a page says, as hashes of its sentences and lines with their lengths.

    It depends on nothing but the text, so that it can be kept. A sentence ends at a full stop
    and a space, in Korean as in English.
    """
    said = text.encode().replace(b". ", b".\n").split(b"\n")
    found = {crc32(row) << _BITS | len(row) & _LENGTH for row in said if len(row) >= LEAST}
    return array("Q", sorted(found)[:MOST]).tobytes()


def sign_page(page: Page) -> bytes:
    """The signature of a page's text below its front matter."""
    return signature(page.markup.text[page.markup.body :])


def similar_pairs(signatures: Mapping[str, bytes], groups: Mapping[str, str]) -> list[Similar]:
    """Pages of whose own text 80% stands on another page, each with the page most like it.

    Of two pages that hold each other's text, the second by its path is named. Sentences that
    more than 8 pages share count for nothing, which also keeps the time linear.

    Args:
        signatures: path to signature.
        groups: path to what its page stands for; pages of one group may hold the same text.
    """
    paths = sorted(signatures)
    rows = [memoryview(signatures[path]).cast("Q") for path in paths]
    counts = Counter(memoryview(b"".join(signatures.values())).cast("Q"))
    common = {value for value, count in counts.items() if count > COMMON}
    found: dict[str, Similar] = {}
    for one, two in _candidates(rows, counts):
        if groups.get(paths[one], one) != groups.get(paths[two], two):
            pair = _compare(paths, rows, common, one, two)
            known = found.get(pair.path) if pair else None
            if pair and (known is None or pair.share > known.share):
                found[pair.path] = pair
    return [found[path] for path in sorted(found)]


def _candidates(rows: Sequence[Sequence[int]], counts: Counter[int]) -> list[tuple[int, int]]:
    """Pages that share more than a sentence or two, as pairs of their numbers, in order."""
    shared = {value for value, count in counts.items() if 1 < count <= COMMON}
    pages: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        for value in shared.intersection(row):
            pages.setdefault(value, []).append(number)
    weights: Counter[tuple[int, int]] = Counter()
    for value, numbers in pages.items():
        for pair in combinations(numbers, 2):
            weights[pair] += value & _LENGTH
    return sorted(pair for pair, weight in weights.items() if weight >= ALIKE * ENOUGH)


def _compare(
    paths: list[str], rows: Sequence[Sequence[int]], common: set[int], one: int, two: int
) -> Similar | None:
    """The page of the two that holds little else, and how much of it the other one has."""
    last = min(row[-1] if len(row) == MOST else _LAST for row in (rows[one], rows[two]))
    mine, theirs = (
        {value for value in row if value <= last} - common for row in (rows[one], rows[two])
    )
    both = _bytes(mine & theirs)
    for here, other, values in ((two, one, theirs), (one, two, mine)):
        own = _bytes(values)
        if own >= ENOUGH and both >= ALIKE * own:
            return Similar(paths[here], paths[other], both / own)
    return None


def _bytes(values: Iterable[int]) -> int:
    return sum(value & _LENGTH for value in values)
