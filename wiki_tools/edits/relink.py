"""Gives links another spelling until each leads where it led before."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiki_tools.config import Config
from wiki_tools.edits.draft import Draft
from wiki_tools.edits.matter import Stretch
from wiki_tools.edits.meanings import Difference, Meanings, wanted_name
from wiki_tools.edits.spellings import Target, spell_markdown, spell_wikilink
from wiki_tools.edits.targets import Place, encode, find_places
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import AnyLink, BrokenLink, FileLink, ResolvedLink, fold, without_extension
from wiki_tools.pages import Page

_WIKILINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_BY_HAND = "correct the link by hand first, or choose another name"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """A link that is being mended."""

    places: tuple[Place, ...]
    spellings: Iterator[str]


class Relinker:
    """Mends the links of a draft."""

    def __init__(self, config: Config, draft: Draft) -> None:
        self._outlines = {page.path: page for page in draft.before.outlines}
        self._meanings = Meanings(config, draft.before, draft.moves)
        self._draft = draft
        self._attempts: dict[tuple[str, int], _Attempt] = {}
        """Page and place of a target to what is tried there."""

    def mend(self) -> tuple[str, ...]:
        """Edit the draft until every link means what it meant; says what cannot stay as it was.

        Raises:
            UsageError: some link has no spelling that leads where it led.
        """
        while True:
            found = self._differences()
            wrong = [row for row in found if not self._is_new(row)]
            if not wrong:
                return tuple(_told(row) for row in found)
            done: set[tuple[str, int]] = set()
            for row in wrong:
                self._try_next(row, done)

    @property
    def mended(self) -> int:
        """How many targets were written anew."""
        return len(self._attempts)

    def _differences(self) -> list[Difference]:
        try:
            return self._meanings.differences(self._draft.world())
        except ValueError as error:
            message = f"{error}: would have other links than now; {_BY_HAND}"
            raise UsageError(message) from None

    def _is_new(self, row: Difference) -> bool:
        """Whether a link that led nowhere now leads somewhere: no spelling can prevent that."""
        before, after = row.before, row.after
        if not isinstance(before, BrokenLink) or before.target_path:
            return False
        moved = before.path in self._draft.moves
        return not (moved and wanted_name(before) != wanted_name(after))

    def _try_next(self, row: Difference, done: set[tuple[str, int]]) -> None:
        page = self._draft.page(row.before.path)
        places = find_places(page, row.before.link, self._names(row.before))
        if not places:
            raise _refusal(row, "and cannot be edited safely")
        key = (page.path, places[0].start)
        if key in done:  # another link of the same definition
            return
        done.add(key)
        if key not in self._attempts:
            spellings = self._spellings(row.before, places[0])
            self._attempts[key] = _Attempt(places=places, spellings=spellings)
        attempt = self._attempts[key]
        spelling = next(attempt.spellings, None)
        if spelling is None:
            raise _refusal(row, "and has no other spelling")
        self._draft.put(page.path, key, self._stretches(row.before, page, attempt, spelling))

    def _spellings(self, row: AnyLink, place: Place) -> Iterator[str]:
        """Other spellings than the present one, each once."""
        target = self._target(row)
        spell = spell_markdown if row.link.form == "markdown" else spell_wikilink
        found = dict.fromkeys(spell(place.written, target))
        return iter([spelling for spelling in found if spelling != place.written])

    def _target(self, row: AnyLink) -> Target:
        moves = self._draft.moves
        path = wanted_name(row)
        if isinstance(row, FileLink):
            path = row.target
        elif row.target_path:
            path = row.target_path
        page = self._outlines.get(path) if not isinstance(row, FileLink) else None
        return Target(
            before=path,
            after=moves.get(path, path) if page else path,
            language=page.language if page else "",
            folder_before=row.path.rpartition("/")[0],
            folder_after=moves.get(row.path, row.path).rpartition("/")[0],
        )

    def _names(self, row: AnyLink) -> set[str]:
        """The names, folded, of the page that a link leads to."""
        page = None if isinstance(row, FileLink) else self._outlines.get(row.target_path)
        if page is None or "#" not in row.link.text:
            return set()
        parts = page.names[0][1].split("/")
        paths = {"/".join(parts[at:]) for at in range(len(parts))}
        return paths | {name[1] for name in page.names}

    def _stretches(
        self, row: AnyLink, page: Page, attempt: _Attempt, spelling: str
    ) -> Sequence[Stretch]:
        text = page.markup.text
        found: list[Stretch] = []
        for place in attempt.places:
            written = encode(spelling, place, text)
            if place.start < page.markup.body and _line(text, place.start).count("'") % 2:
                written = written.replace("'", "''")  # in a YAML text in single quotes
            found.append((place.start, place.end, written))
            shown = self._shown(row, place, spelling)
            if shown:
                pipe = "\\|" if "|" in _around(text, row) else "|"
                found.append((place.name_end, place.name_end, f"{pipe}{shown}"))
        return found

    def _shown(self, row: AnyLink, place: Place, spelling: str) -> str:
        """The display text to add, so that a reader does not see a path where a name stood."""
        link = row.link
        if place.kind != "wikilink" or link.form != "wikilink" or "|" in link.text:
            return ""
        target = self._target(row)
        last = fold(without_extension(place.written.rpartition("/")[2]))
        paths = (target.stem(target.before), target.plain(target.before))
        by_file = last in {fold(path.rpartition("/")[2]) for path in paths}
        if not by_file or target.before not in self._draft.moves:
            return place.written
        return spelling.rpartition("/")[2] if "/" in spelling and "/" not in place.written else ""


def _line(text: str, offset: int) -> str:
    """The line of an offset, up to it."""
    return text[text.rfind("\n", 0, offset) + 1 : offset]


def _around(text: str, row: AnyLink) -> str:
    """The line of a link without its links: a pipe in it makes it a table's row."""
    span = row.link.span
    end = text.find("\n", span.end)
    line = _line(text, span.start) + text[span.end : end if end >= 0 else len(text)]
    return _WIKILINK.sub("", line)


def _refusal(row: Difference, why: str) -> UsageError:
    link = row.before.link
    place = f"{printable(row.before.path)}:{link.span.line}:{link.span.column}"
    would = f"would lead to {_end(row.after)} instead of {_end(row.before)}"
    return UsageError(f"{place}: {printable(link.text)} {would}, {why}; {_BY_HAND}")


def _told(row: Difference) -> str:
    link = row.before.link
    place = f"{printable(row.before.path)}:{link.span.line}:{link.span.column}"
    return f"{place}: {printable(link.text)} led to {_end(row.before)}; now to {_end(row.after)}"


def _end(row: AnyLink) -> str:
    if isinstance(row, FileLink):
        return printable(row.target)
    if isinstance(row, ResolvedLink):
        return printable(row.target_path + f"#{row.anchor}" * bool(row.anchor))
    if row.reason == "ambiguous-link":
        return f"any of {len(row.candidates)} pages"
    return "nothing" if not row.target_path else f"no heading of {printable(row.target_path)}"
