"""Finds the page that each link names, or says why there is none."""

from collections.abc import Sequence

from wiki_tools.config import Config
from wiki_tools.graph.anchors import Anchors
from wiki_tools.graph.canonical import canonical_keys
from wiki_tools.graph.files import MEDIA, Files, extension
from wiki_tools.graph.names import RESOLUTIONS, Names, Row, joined
from wiki_tools.graph.relations import MENTION, relation_words, relations_of
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink
from wiki_tools.markup import Link
from wiki_tools.pages import Page, without_collector


def link_pages(pages: Sequence[Page], config: Config) -> LinkGraph:
    """Resolve every link of a vault; each lands in exactly one bucket."""
    with without_collector():
        return _Linker(pages, config).run()


class _Linker:
    def __init__(self, pages: Sequence[Page], config: Config) -> None:
        self._pages = sorted(pages, key=lambda page: page.path)
        self._names = Names(self._pages)
        self._canonical = canonical_keys(self._pages)
        self._anchors = Anchors()
        self._files = Files(config.docs)
        self._words = relation_words(config)
        self._versions: dict[str, dict[str, Page]] = {}
        """Key to its pages by language."""
        for page in self._pages:
            self._versions.setdefault(page.key, {}).setdefault(page.language, page)
        self._cache: dict[tuple[str, str, str, str], _Found] = {}
        self._resolved: list[ResolvedLink] = []
        self._broken: list[BrokenLink] = []
        self._linked: list[FileLink] = []

    def run(self) -> LinkGraph:
        for page in self._pages:
            if page.markup.links:
                relations = relations_of(page, self._words)
                for link in page.markup.links:
                    self._link(page, link, relations.get(link.span.line, MENTION))
        return LinkGraph(
            resolved=tuple(self._resolved),
            broken=tuple(self._broken),
            files=tuple(self._linked),
        )

    def _link(self, page: Page, link: Link, relation: str) -> None:
        name, heading, found = self._named(page, link)
        if found.pages:
            self._land(page, link, relation, heading, found)
        elif found.candidates:
            paths = tuple(row.path for row in found.candidates)
            self._break(page, link, relation, "ambiguous", "ambiguous-link", paths)
        else:
            self._miss(page, link, relation, name)

    def _named(self, page: Page, link: Link) -> tuple[str, str, "_Found"]:
        """The name and the heading of a link: a `#` may belong to a page's name."""
        if not link.target:
            return "", link.heading, _Found(pages=(page,), resolution="path")
        if self._names.hashed and link.heading and link.form != "markdown":
            whole = link.text.strip("![]").partition("|")[0].removesuffix("\\").strip()
            cut = len(whole)
            while cut > len(link.target):
                found = self._find(page, whole[:cut].strip(), link.form)
                if found.pages or found.candidates:
                    return whole[:cut].strip(), whole[cut + 1 :].strip(), found
                cut = whole.rfind("#", 0, cut)
        return link.target, link.heading, self._find(page, link.target, link.form)

    def _find(self, page: Page, name: str, form: str) -> "_Found":
        folder = page.path.rpartition("/")[0]
        place = (name, folder, page.language, form)
        found = self._cache.get(place)
        if found is None:
            rows = self._rows(folder, name, form)
            found = self._cache[place] = self._choose(folder, page.language, rows)
        return found

    def _rows(self, folder: str, name: str, form: str) -> list[Row]:
        names = self._names
        if form == "markdown":
            path = joined(folder, name)
            return names.at(path) or names.at(f"{path}/index") or names.at(f"{path}/README")
        if "/" in name:
            relative = name.startswith((".", "/"))
            rows = [] if relative else names.at(name)
            rows = rows or names.at(joined(folder, name)) or names.below(name.lstrip("./"))
            if rows:
                return rows
        short = name[:-3] if name[-3:].lower() == ".md" else name
        return names.named(short) or (names.named(name) if short != name else [])

    def _choose(self, folder: str, language: str, rows: list[Row]) -> "_Found":
        """Of several pages the one in the same folder, then the nearest, then the same language."""
        if not rows:
            return _Found()
        if len(rows) > 1:
            rows = _nearest(folder, rows, self._pages)
            same = [row for row in rows if self._pages[row[1]].language == language]
            keys = {self._pages[row[1]].key for row in rows}
            if len(keys) > 1:
                rows = same or rows
                keys = {self._pages[row[1]].key for row in rows}
            if len(keys) > 1:
                real = {self._canonical[key] for key in keys}
                if len(real) > 1:
                    return _Found(candidates=tuple(self._pages[row[1]] for row in rows))
                rows = [row for row in rows if self._pages[row[1]].key in real] or rows
        rank, index, fixed = rows[0]
        page = self._pages[index]
        if not fixed:
            page = self._versions[page.key].get(language, page)
        return _Found(pages=(page,), resolution=RESOLUTIONS[rank])

    def _land(self, page: Page, link: Link, relation: str, heading: str, found: "_Found") -> None:
        target = found.pages[0]
        anchor: str | None = ""
        if heading:
            anchor = self._anchors.find(target, heading, link.form)
        if anchor is None:
            reason = "missing-block" if heading.startswith("^") else "missing-heading"
            known = self._anchors.known(target, heading)
            self._break(page, link, relation, "broken", reason, known, target.path)
            return
        self._resolved.append(
            ResolvedLink(
                link=link,
                path=page.path,
                source=page.key,
                target=target.key,
                target_path=target.path,
                canonical=self._canonical[target.key],
                anchor=anchor,
                relation=relation,
                resolution=found.resolution,
            )
        )

    def _miss(self, page: Page, link: Link, relation: str, name: str) -> None:
        folder = page.path.rpartition("/")[0]
        kind = extension(name)
        if link.form == "markdown":
            path = joined(folder, name)
            file = self._files.at(path) if kind not in ("md", "markdown") else None
            wanted = kind in ("md", "markdown")
        else:
            file = self._files.find(folder, name) if kind in MEDIA else None
            wanted = kind not in MEDIA
        if file:
            self._linked.append(
                FileLink(link=link, path=page.path, source=page.key, relation=relation, target=file)
            )
        elif wanted:
            self._break(page, link, relation, "wanted", "wanted-page")
        else:
            self._break(page, link, relation, "broken", "missing-file")

    def _break(
        self,
        page: Page,
        link: Link,
        relation: str,
        resolution: str,
        reason: str,
        candidates: tuple[str, ...] = (),
        target_path: str = "",
    ) -> None:
        self._broken.append(
            BrokenLink(
                link=link,
                path=page.path,
                source=page.key,
                relation=relation,
                resolution=resolution,
                reason=reason,
                candidates=candidates,
                target_path=target_path,
            )
        )


class _Found:
    """What answers to a name: one page, or several candidates, or nothing."""

    __slots__ = ("candidates", "pages", "resolution")

    def __init__(
        self,
        pages: tuple[Page, ...] = (),
        candidates: tuple[Page, ...] = (),
        resolution: str = "",
    ) -> None:
        self.pages = pages
        self.candidates = candidates
        self.resolution = resolution


def _nearest(folder: str, rows: list[Row], pages: Sequence[Page]) -> list[Row]:
    """The rows whose folder is the fewest steps away."""
    here = folder.split("/") if folder else []
    steps = {row: _steps(here, pages[row[1]].path.split("/")[:-1]) for row in rows}
    least = min(steps.values())
    return [row for row in rows if steps[row] == least]


def _steps(here: list[str], there: list[str]) -> int:
    common = 0
    for mine, theirs in zip(here, there, strict=False):
        if mine != theirs:
            break
        common += 1
    return len(here) + len(there) - 2 * common
