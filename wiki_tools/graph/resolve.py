"""Finds the page that a link names, or says why there is none; the only place that does."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wiki_tools.graph.anchors import Anchors
from wiki_tools.graph.canonical import canonical_keys
from wiki_tools.graph.census import Census
from wiki_tools.graph.crowd import Crowd, Folders
from wiki_tools.graph.files import MEDIA, Files, extension
from wiki_tools.graph.names import RESOLUTIONS, Names, Row, joined
from wiki_tools.graph.outline import Outline, PackedLink
from wiki_tools.graph.types import BrokenLink, FileLink, ResolvedLink
from wiki_tools.markup import Link

AnyLink = ResolvedLink | BrokenLink | FileLink


class _Found(NamedTuple):
    """What answers to a name: one page, or several candidates, or nothing."""

    page: Outline | None = None
    candidates: tuple[str, ...] = ()
    resolution: str = ""


_NOTHING = _Found()
_NAME = RESOLUTIONS.index("name")
_PAGES = ("md", "markdown")
_BY_PATH = ("markdown", "html")
"""Forms of links that say where their target lies."""
_LONGEST = 500
"""Letters of a name that holds a `#`: to try a hundred thousand of them would take hours."""


class Resolver:
    """Resolves the links of a vault whose pages' outlines are known."""

    def __init__(
        self,
        pages: Sequence[Outline],
        files: Files,
        canonical: Mapping[str, str] | None = None,
        census: Census | None = None,
    ) -> None:
        """Take all outlines of a vault, in the order of their paths.

        `canonical` is what each page's key stands for, where that is known already, and `census`
        tells it and the rest that is decided among them.
        """
        self.pages = pages
        if census:
            self._names, keys, canonical = census.names, census.keys, census.standing.canonical
        else:
            self._names, keys = Names(page.names for page in pages), [page.key for page in pages]
        self._canonical = canonical_keys(pages) if canonical is None else canonical
        self.files = files
        self._anchors: dict[str, Anchors] = {}
        self._versions = _versions(pages, keys)
        self._crowds: dict[int, Crowd] = {}
        self._chosen: dict[tuple[int, Folders, str], _Found] = {}
        self._distant: dict[str, list[Row]] = {}
        self._leads: dict[tuple[str, str], dict[str, Outline | None]] = {}
        """Where links are seen from and in which language, to targets and what they surely lead
        to; of a hundred thousand links most are repetitions."""

    def resolve(self, page: Outline, link: Link, relation: str) -> AnyLink:
        """Put a link of a page into its bucket."""
        name, heading, found = self._named(page, link)
        if found.page:
            return self._land(page, link, relation, heading, found)
        if found.candidates:
            reason = "ambiguous-link"
            return _broken(page, link, relation, "ambiguous", reason, found.candidates)
        return self._miss(page, link, relation, name)

    def lead(self, page: Outline, packed: PackedLink) -> Outline | None:
        """The page that a link surely leads to; None where `resolve` has to look at it.

        That is a link that no page or more than one answers to, or one that stands for another,
        or that lacks its heading, or a link whose `#` may be part of a name.
        """
        _, form, target, heading, text = packed[:5]
        if form == "html":  # seldom, and looked for in more places
            return None
        if form == "markdown":
            seen_from = _folder(page)
        elif self._names.hashed and "#" in text:
            return None
        else:
            seen_from = f"{_folder(page)}/" if "/" in target else "anywhere/"
        place = seen_from, page.language
        leads = self._leads.get(place)
        if leads is None:
            leads = self._leads[place] = {}
        if target in leads:
            lead = leads[target]
        else:
            lead = leads[target] = self._sure(page, form, target)
        if heading and lead and self._anchors_of(lead).find(heading, form) is None:
            return None
        return lead

    def _sure(self, page: Outline, form: str, target: str) -> Outline | None:
        rows = self._rows(page, target, form) if target else ()
        if len(rows) != 1 or (form == "markdown" and rows[0][0] == _NAME):
            return None  # of a page elsewhere is told
        found = self._in_language(page.language, rows[0])
        return found if self._canonical[found.key] == found.key else None

    def _named(self, page: Outline, link: Link) -> tuple[str, str, _Found]:
        """The name and the heading of a link: a `#` may belong to a page's name."""
        target, heading = link.target, link.heading
        if not target:
            return "", heading, _Found(page, (), "path")
        if self._names.hashed and "#" in link.text and link.form not in _BY_PATH:
            whole = link.text.strip("![]").partition("|")[0].removesuffix("\\").strip()
            cut = len(whole) if len(whole) <= _LONGEST else whole.rfind("#", 0, _LONGEST)
            while cut > len(target):
                found = self._find(page, whole[:cut].strip(), link.form)
                if found.page or found.candidates:
                    return whole[:cut].strip(), whole[cut + 1 :].strip(), found
                cut = whole.rfind("#", 0, cut)
        return target, heading, self._find(page, target, link.form)

    def _find(self, page: Outline, name: str, form: str) -> _Found:
        rows = self._rows(page, name, form)
        if not rows:
            return _NOTHING
        return self._among(page, rows) if len(rows) > 1 else self._lead(page.language, rows[0])

    def _lead(self, language: str, row: Row) -> _Found:
        return _Found(self._in_language(language, row), (), RESOLUTIONS[row[0]])

    def _in_language(self, language: str, row: Row) -> Outline:
        """The page of a row, in the language asked for unless the name says one."""
        _, index, fixed, _ = row
        found = self.pages[index]
        if not fixed and found.key in self._versions:
            found = self._versions[found.key].get(language, found)
        return found

    def _among(self, page: Outline, rows: list[Row]) -> _Found:
        """The one of several pages that is meant; decided once for all that see them alike."""
        crowd = self._crowds.get(id(rows))
        if crowd is None or crowd.rows is not rows:  # it keeps the rows, and so their identity
            crowd = self._crowds[id(rows)] = Crowd(rows, self.pages)
        folders = crowd.nearest(page.path)
        key = (id(rows), folders, page.language)
        if key not in self._chosen:
            near = self._meant(page.language, crowd.least_deep(folders))
            alike = len({self._canonical[self.pages[row[1]].key] for row in near}) == 1
            paths = tuple(self.pages[row[1]].path for row in near)
            self._chosen[key] = self._lead(page.language, near[0]) if alike else _Found(None, paths)
        return self._chosen[key]

    def _rows(self, page: Outline, name: str, form: str) -> list[Row]:
        names = self._names
        if form == "html":
            return next(filter(None, map(names.at, _addressed(page, name))), [])
        if form == "markdown":
            path = joined(_folder(page), name)
            rows = names.at(path) or names.at(f"{path}/index") or names.at(f"{path}/README")
            return rows or self._elsewhere(name)
        if "/" in name:
            relative = name.startswith((".", "/"))
            rows = [] if relative else names.at(name)
            rows = rows or names.at(joined(_folder(page), name)) or names.below(name.lstrip("./"))
            if rows:
                return rows
        short = name[:-3] if name[-3:].lower() == ".md" else name
        return names.named(short) or (names.named(name) if short != name else [])

    def _elsewhere(self, name: str) -> list[Row]:
        """The one page of a Markdown link that says no folder, or only the last ones.

        Obsidian writes such links by default ("shortest path when possible").
        """
        if name.startswith((".", "/")) or extension(name) not in _PAGES:
            return []
        if name not in self._distant:
            rows = self._names.below(name)
            keys = (self.pages[row[1]].key for row in rows)
            first = next(keys, "")
            alone = all(key == first for key in keys)
            self._distant[name] = [(_NAME, *row[1:]) for row in rows] if alone else []
        return self._distant[name]

    def _meant(self, language: str, rows: list[Row]) -> list[Row]:
        """Of several pages as near as each other those of the same language.

        Where all but one of those left stand for that one, it is meant.
        """
        pages = self.pages
        if len({pages[row[1]].key for row in rows}) > 1:
            rows = [row for row in rows if pages[row[1]].language == language] or rows
        keys = {pages[row[1]].key for row in rows}
        if len(keys) > 1:
            real = {self._canonical[key] for key in keys}
            rows = [row for row in rows if pages[row[1]].key in real] or rows
        return rows

    def _land(
        self, page: Outline, link: Link, relation: str, heading: str, found: _Found
    ) -> AnyLink:
        target = found.page or page
        anchor = self._anchors_of(target).find(heading, link.form) if heading else ""
        if anchor is None:
            reason = "missing-block" if heading.startswith("^") else "missing-heading"
            known = self._anchors_of(target).known(heading)
            return _broken(page, link, relation, "broken", reason, known, target.path)
        key = target.key
        canonical = self._canonical[key]
        return ResolvedLink(
            link,
            page.path,
            page.key,
            key,
            target.path,
            canonical,
            anchor,
            relation,
            found.resolution,
        )

    def _anchors_of(self, page: Outline) -> Anchors:
        found = self._anchors.get(page.path)
        if found is None:
            found = Anchors(page.headings, page.blocks, page.anchors)
            self._anchors[page.path] = found
        return found

    def _miss(self, page: Outline, link: Link, relation: str, name: str) -> AnyLink:
        folder = _folder(page)
        kind = extension(name)
        if link.form == "html":
            wanted = kind in _PAGES
            file = next(filter(None, map(self.files.at, _addressed(page, name))), None)
        elif link.form == "markdown":
            path = joined(folder, name)
            wanted = kind in _PAGES
            above = path.startswith("../")  # a repository's README is no page of its docs folder
            file = self.files.at(path) if above or not wanted else None
        else:
            file = self.files.find(folder, name) if kind else None
            wanted = kind not in MEDIA
        if file:
            return FileLink(
                link=link, path=page.path, source=page.key, relation=relation, target=file
            )
        if wanted:
            return _broken(page, link, relation, "wanted", "wanted-page")
        return _broken(page, link, relation, "broken", "missing-file")


def _addressed(page: Outline, name: str) -> tuple[str, ...]:
    """Where a raw tag's address may lead.

    From the file, as on GitHub; from the page's own folder on the site, where `b.md` is `b/`; and
    from the docs folder.
    """
    return tuple(joined(folder, name) for folder in (_folder(page), page.stem, ""))


def _folder(page: Outline) -> str:
    return page.path.rpartition("/")[0]


def _versions(pages: Sequence[Outline], keys: Sequence[str]) -> Mapping[str, Mapping[str, Outline]]:
    """Key to its pages by language, where there is more than one; no other page is looked at."""
    first: dict[str, int] = {}
    found: dict[str, dict[str, Outline]] = {}
    for index, key in enumerate(keys):
        known = first.setdefault(key, index)
        if known != index:
            versions = found.setdefault(key, {pages[known].language: pages[known]})
            versions.setdefault(pages[index].language, pages[index])
    return found


def _broken(
    page: Outline,
    link: Link,
    relation: str,
    resolution: str,
    reason: str,
    candidates: tuple[str, ...] = (),
    target_path: str = "",
) -> BrokenLink:
    return BrokenLink(
        link=link,
        path=page.path,
        source=page.key,
        relation=relation,
        resolution=resolution,
        reason=reason,
        candidates=candidates,
        target_path=target_path,
    )
