"""A finding that may be fixed, with all that a fix may look at."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.config import Config
from wiki_tools.edits.matter import Stretch
from wiki_tools.edits.world import World
from wiki_tools.graph import AnyLink, Files, Outline, Resolver, canonical_keys, fold
from wiki_tools.pages import Page
from wiki_tools.tree import find_files

_END = 4
"""Letters of a name's beginning or end."""


class Surroundings:
    """The vault around a finding, each part made when it is first asked for."""

    def __init__(self, config: Config, world: World) -> None:
        self.config = config
        self.world = world

    @cached_property
    def outlines(self) -> dict[str, Outline]:
        """By path."""
        return {page.path: page for page in self.world.outlines}

    @cached_property
    def by_key(self) -> dict[str, tuple[Outline, ...]]:
        """The pages of each key: one for each language."""
        found: dict[str, tuple[Outline, ...]] = {}
        for page in self.world.outlines:
            found[page.key] = (*found.get(page.key, ()), page)
        return found

    @cached_property
    def resolver(self) -> Resolver:
        """What finds the page of a link."""
        return Resolver(self.world.outlines, Files(self.config.docs), self.canonical)

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """Every name of a page, as it is compared, to the keys of the pages that bear it."""
        found: dict[str, set[str]] = {}
        for page in self.world.outlines:
            for _, folded, rank, _ in page.names:
                if rank:
                    found.setdefault(folded, set()).add(page.key)
        return found

    @cached_property
    def canonical(self) -> Mapping[str, str]:
        """Key of every page to the one that it stands for."""
        return canonical_keys(self.world.outlines)

    @cached_property
    def _ends(self) -> dict[str, list[str]]:
        """First or last letters of names to those names, in decomposed jamo."""
        found: dict[str, list[str]] = {}
        for name in self.names:
            for end in _ends(_letters(name)):
                found.setdefault(end, []).append(name)
        return found

    def near(self, name: str) -> set[str]:
        """The names that are one letter away from one: a jamo, or a syllable too many or too few.

        One wrong letter leaves the beginning or the end as it is: only such names are compared.
        """
        chosen = {other for end in _ends(_letters(name)) for other in self._ends.get(end, ())}
        return {other for other in chosen if _is_near(name, other)}

    @cached_property
    def files(self) -> dict[str, list[str]]:
        """Path of a file that is no page, as it is compared, to those paths."""
        found: dict[str, list[str]] = {}
        for path in find_files(self.config.docs).others:
            found.setdefault(fold(path), []).append(path)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A finding, and the page that it is in."""

    finding: Diagnostic
    page: Page
    around: Surroundings

    @property
    def at(self) -> int:
        """The offset of the finding in `Markup.text`."""
        text, start = self.page.markup.text, 0
        for _ in range(self.finding.line - 1):
            start = text.find("\n", start) + 1
        return start + self.finding.column - 1

    @property
    def line_end(self) -> int:
        """Where the line of the finding ends."""
        end = self.page.markup.text.find("\n", self.at)
        return end if end >= 0 else len(self.page.markup.text)

    def row(self) -> AnyLink | None:
        """What the link of the finding is found to be."""
        place = (self.finding.line, self.finding.column)
        outline = self.around.outlines[self.page.path]
        for link, relation in self.around.world.links[self.page.path]:
            if (link.span.line, link.span.column) == place:
                return self.around.resolver.resolve(outline, link, relation)
        return None


Fix = Callable[[Case], Sequence[Stretch]]
"""Says what to write; nothing where it is not clear what was meant."""


def closest(word: str, known: Iterable[str], most: int) -> str | None:
    """The one known word within so many typing errors, if no other is as near.

    Words are compared as decomposed jamo, without case.
    """
    from rapidfuzz.distance import OSA

    query = _letters(word)
    rows = ((OSA.distance(query, _letters(name), score_cutoff=most), name) for name in known)
    near = sorted(row for row in rows if row[0] <= most)
    if not near or (len(near) > 1 and near[0][0] == near[1][0]):
        return None
    return near[0][1]


def _is_near(name: str, other: str) -> bool:
    from rapidfuzz.distance import OSA

    if OSA.distance(_letters(name), _letters(other), score_cutoff=1) <= 1:
        return True
    return len(name) != len(other) and OSA.distance(name, other, score_cutoff=1) <= 1


def _ends(letters: str) -> tuple[str, str]:
    return f"^{letters[:_END]}", f"{letters[-_END:]}$"


def _letters(text: str) -> str:
    return unicodedata.normalize("NFD", text.casefold())
