"""Fixes of links."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from wiki_tools.edits.case import Case, closest
from wiki_tools.edits.matter import Stretch
from wiki_tools.edits.spellings import Target, spell_markdown, spell_wikilink
from wiki_tools.edits.targets import Place, encode, find_places
from wiki_tools.graph import (
    AnyLink,
    BrokenLink,
    FileLink,
    Outline,
    ResolvedLink,
    fold,
    without_extension,
)
from wiki_tools.graph.anchors import bare_heading
from wiki_tools.graph.names import joined
from wiki_tools.markup import slugify

_SHORTEST = 6
"""Letters of a name of which one may be wrong: CNN is no misspelt RNN."""
_SYLLABLE = 1.5
"""Letters that a Korean syllable counts for: of names in Hangul those of four are long enough."""


def fix_wanted_page(case: Case) -> Sequence[Stretch]:
    """A name that is one letter away from just one page's."""
    row = case.row()
    if not isinstance(row, BrokenLink):
        return ()
    name = fold(without_extension(row.link.target).rpartition("/")[2])
    if sum(_SYLLABLE if c >= "가" else 1 for c in name) < _SHORTEST:
        return ()
    near = [n for n in case.around.near(name) if _digits(n) == _digits(name)]
    around = case.around
    keys = {around.canonical[key] for found in near for key in around.names[found]}
    if len(keys) != 1:
        return ()
    return _lead_to(case, row, around.by_key[keys.pop()])


def fix_cut_link(case: Case) -> Sequence[Stretch]:
    """The bar of a link in a table, escaped."""
    bar = case.page.markup.text.index("|", case.at)
    return [(bar, bar, "\\")]


def fix_duplicate(case: Case) -> Sequence[Stretch]:
    """The page that a duplicate stands for, under the words that the link showed."""
    row = case.row()
    if not isinstance(row, ResolvedLink):
        return ()
    return _lead_to(case, row, case.around.by_key.get(row.canonical, ()))


def fix_missing_file(case: Case) -> Sequence[Stretch]:
    """A file whose name differs in case or separators only."""
    row = case.row()
    if row is None or row.link.form != "markdown":
        return ()
    folder = row.path.rpartition("/")[0]
    found = case.around.files.get(fold(joined(folder, row.link.target)), [])
    places = find_places(case.page, row.link, ())
    if len(found) != 1 or not places:
        return ()
    target = Target(
        before=found[0], after=found[0], language="", folder_before=folder, folder_after=folder
    )
    spelling = next(spell_markdown(row.link.target, target))
    text = case.page.markup.text
    return [(place.start, place.end, encode(spelling, place, text)) for place in places]


def _lead_to(case: Case, row: AnyLink, pages: Sequence[Outline]) -> Sequence[Stretch]:
    """Write a link's target so that it leads to a page, in the form that it has."""
    places = find_places(case.page, row.link, ())
    source = case.around.outlines[row.path]
    page = next((p for p in pages if p.language == source.language), pages[0] if pages else None)
    if not page or len(places) != 1:
        return ()
    for spelling in _spellings(row, places[0], page):
        text = _replaced(row, places[0], spelling)
        link = row.link._replace(target=spelling, text=text)
        found = case.around.resolver.resolve(source, link, row.relation)
        landed = found.target_path if not isinstance(found, FileLink) else ""
        if landed == page.path:
            return list(_written(case, row, places[0], spelling))
    return ()


def _spellings(row: AnyLink, place: Place, page: Outline) -> Iterator[str]:
    folder = row.path.rpartition("/")[0]
    target = Target(
        before=page.path,
        after=page.path,
        language=page.language,
        folder_before=folder,
        folder_after=folder,
    )
    if row.link.form == "markdown":
        return spell_markdown(f"{page.stem}.md" if ".md" in place.written else page.stem, target)
    return spell_wikilink(place.written, target)


def _replaced(row: AnyLink, place: Place, spelling: str) -> str:
    start, end = place.start - row.link.span.start, place.end - row.link.span.start
    return row.link.text[:start] + spelling + row.link.text[end:]


def _written(case: Case, row: AnyLink, place: Place, spelling: str) -> Iterator[Stretch]:
    yield place.start, place.end, encode(spelling, place, case.page.markup.text)
    link = row.link
    if link.form == "wikilink" and "|" not in link.text and isinstance(row, ResolvedLink):
        line = case.page.markup.text[case.at - case.finding.column + 1 : case.line_end]
        pipe = "\\|" if line.lstrip().startswith("|") else "|"
        yield place.name_end, place.name_end, f"{pipe}{place.written}"


def fix_heading(case: Case) -> Sequence[Stretch]:
    """A heading that is a typing error or two away from just one of the page's."""
    row = case.row()
    places = find_places(case.page, row.link, ()) if row else ()
    if not isinstance(row, BrokenLink) or len(places) != 1:
        return ()
    link = row.link
    known = {slugify(text) if link.form == "markdown" else text: text for text in row.candidates}
    near = closest(link.heading, known, min(2, len(bare_heading(link.heading)) // 4))
    if not near or set(near) & set("[]|#^\n"):
        return ()
    text = case.page.markup.text
    start = text.find("#", places[0].end) + 1
    written = text[start : start + len(link.heading)]
    encoded = quote(near) if "%" in written else near
    if link.form == "markdown" and written != link.heading:
        return ()
    at = text.find(link.heading, start, link.span.end)
    return [(at, at + len(link.heading), encoded)] if at >= 0 else ()


def _digits(name: str) -> str:
    """2026-05-11 is another day than 2026-05-10, and no misspelling of it."""
    return "".join(filter(str.isdigit, name))
