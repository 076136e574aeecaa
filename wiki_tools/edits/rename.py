"""Plans a rename: every link keeps leading where it leads."""

import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from wiki_tools.config import Config
from wiki_tools.edits.aftermath import (
    follow_canvases,
    follow_fixtures,
    follow_navigation,
    notes_on,
    notes_on_definitions,
    notes_on_html,
    notes_on_modules,
)
from wiki_tools.edits.draft import Draft, Read
from wiki_tools.edits.matter import Stretch, quoted, set_keys
from wiki_tools.edits.patch import Change
from wiki_tools.edits.places import place_moves
from wiki_tools.edits.relink import Relinker
from wiki_tools.edits.spellings import relative_path
from wiki_tools.edits.targets import SAFE
from wiki_tools.edits.world import World
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import Outline, declared_target, fold, without_extension
from wiki_tools.graph.anchors import bare_heading
from wiki_tools.graph.names import names_of
from wiki_tools.markup import Heading, Markup
from wiki_tools.pages import Page, key_of


class Keep(enum.Enum):
    """What is left of an old name."""

    ALIAS = "alias"
    REDIRECT = "redirect"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A rename that can be carried out."""

    changes: tuple[Change, ...]
    mended: int
    """Links that are written anew."""
    notes: tuple[str, ...]
    """What a person should know, a sentence each."""


def plan_rename(
    config: Config,
    world: World,
    old: Outline,
    new: str,
    *,
    title: str = "",
    keep: Keep = Keep.ALIAS,
    read: Read | None = None,
) -> Plan:
    """Plan what a rename changes, in memory; nothing is written.

    Args:
        config: the vault's settings.
        world: all its pages.
        old: the page, in any language; its translations move with it.
        new: a path from the docs folder, a bare name in the page's folder, or a folder with `/`.
        title: its new title; by default it keeps its own.
        keep: what is left of the old name.
        read: reads a page's file; by default from the docs folder.

    Raises:
        UsageError: the new name cannot be had, or some link cannot be mended.
    """
    moves = place_moves(config, world.outlines, old, new)
    draft = Draft(config, world, read or (lambda path: (config.docs / path).read_bytes()), moves)
    rename = _Rename(config, draft, title, keep)
    rename.edit_pages(old)
    relinker = Relinker(config, draft)
    told = relinker.mend()
    after = draft.world()
    _refuse_faults(draft)
    notes = (
        *notes_on_definitions(draft.changed().values()),
        *notes_on(config, world, after, moves),
    )
    others = (
        *follow_fixtures(config, world, moves),
        *follow_navigation(config, moves),
        *follow_canvases(config, moves),
    )
    return Plan(
        changes=(*draft.changes(), *others),
        mended=relinker.mended,
        notes=(*rename.notes, *told, *notes),
    )


def _refuse_faults(draft: Draft) -> None:
    """A page has no other problems than before: what was written reads as it was meant."""
    for path, page in draft.changed().items():
        known = Counter(problem.code for problem in draft.page(path).problems)
        for code in Counter(problem.code for problem in page.problems) - known:
            said = next(problem for problem in page.problems if problem.code == code)
            place = f"{printable(path)}:{said.line}"
            raise UsageError(f"{place}: would be faulty: {said.message} Choose another name")


class _Rename:
    """Edits what a rename changes besides links."""

    def __init__(self, config: Config, draft: Draft, title: str, keep: Keep) -> None:
        self.notes: list[str] = []
        self._config = config
        self._draft = draft
        self._title = title
        self._keep = keep

    def edit_pages(self, old: Outline) -> None:
        """Edit the pages that move, and those that name them by a key that changes."""
        moved = [page for page in self._draft.before.outlines if page.path in self._draft.moves]
        after = self._draft.world().outlines
        keys = {page.path: page.key for page in after}
        for outline in moved:
            page = self._draft.page(outline.path)
            title = self._title if page.path == old.path else ""
            values = self._category(page) | self._aliases(page, title, after)
            self._retitle(page, title, values)
            self._edit(page, values)
            self.notes += notes_on_html(page, self._draft.moves[page.path])
            self.notes += notes_on_modules(self._config, page, self._draft.moves[page.path])
            if self._keep is Keep.REDIRECT:
                self._leave_redirect(page, keys[self._draft.moves[page.path]])
        self._rename_key(moved[0].key, keys[self._draft.moves[moved[0].path]])

    def _edit(self, page: Page, values: Mapping[str, str | Sequence[str]]) -> None:
        try:
            self._draft.put(page.path, "matter", set_keys(page.markup, values))
        except ValueError as error:
            listed = " and ".join(values)
            message = f"{error}, so that {listed} cannot be written; mend it first"
            raise UsageError(f"{page.path}: {message}") from None

    def _category(self, page: Page) -> dict[str, str | Sequence[str]]:
        """A page that lay at or below its category does so afterwards."""
        category = page.frontmatter.category.strip("/ ")
        goal = self._draft.moves[page.path]
        if not category or not _below(page.path, category) or _below(goal, category):
            return {}
        return {"category": goal.rpartition("/")[0]}

    def _aliases(
        self, page: Page, title: str, after: Sequence[Outline]
    ) -> dict[str, str | Sequence[str]]:
        """The names that lead to a page only until it is renamed."""
        if self._keep is not Keep.ALIAS:
            return {}
        known = {fold(alias) for alias in page.frontmatter.aliases}
        known.add(fold(_name(self._draft.moves[page.path], self._config)))
        found = []
        for name in dict.fromkeys((_name(page.path, self._config), page.title if title else "")):
            if not name or fold(name) in known | {fold(title)}:
                continue
            other = self._bearer(name, after)
            if other:
                note = f"{name!r} is a name of {other} too, and becomes no alias"
                self.notes.append(f"{page.path}: {printable(note)}")
                continue
            known.add(fold(name))
            found.append(name)
        return {"aliases": found} if found else {}

    def _bearer(self, name: str, after: Sequence[Outline]) -> str:
        """The path of another page that answers to a name; empty where none does."""
        folded, own = fold(name), set(self._draft.moves.values())
        for page in after:
            if page.path not in own and any(folded == row[1] for row in page.names if row[2]):
                return page.path
        return ""

    def _retitle(self, page: Page, title: str, values: dict[str, str | Sequence[str]]) -> None:
        """Write a new title, in the front matter or the heading that bears the old one."""
        if not title:
            return
        heading = next((row for row in page.markup.headings if row.text == page.title), None)
        stretch = _heading_stretch(page.markup, heading, title) if heading else None
        if heading and not heading.slug and self._is_named(page, heading):
            stretch = None
            note = "its first heading keeps the old title, since links name that heading"
            self.notes.append(f"{page.path}: {note}")
        if stretch:
            self._draft.put(page.path, "heading", [stretch])
        if page.frontmatter.title or not stretch:
            values["title"] = title

    def _is_named(self, page: Page, heading: Heading) -> bool:
        """Whether some link names a heading of a page, or seems to."""
        names = {name[1].rpartition("/")[2] for name in names_of(page)}
        wanted = {bare_heading(heading.text), bare_heading(heading.anchor)}
        for path, links in self._draft.before.links.items():
            for link, _ in links:
                _, several, named = link.heading.rpartition("#")  # of `[[C# notes#Part]]` as well
                if named and bare_heading(named) in wanted:
                    last = fold(without_extension(link.target.rpartition("/")[2]))
                    if last in names or several or (not last and path == page.path):
                        return True
        return False

    def _leave_redirect(self, page: Page, key: str) -> None:
        goal = self._draft.moves[page.path]
        if goal.casefold() == page.path.casefold():
            self.notes.append(f"{page.path}: a redirect would have the new name; none is left")
            return
        way = relative_path(goal, page.path.rpartition("/")[0])
        link = f"[{_shown(self._title or page.title)}]({quote(way, safe=SAFE)})"
        words = _MOVED.get(page.language, _MOVED["en"])
        name = _name(page.path, self._config)
        matter = f"title: {quoted(name)}\nduplicate_of: {quoted(key)}"
        self._draft.make(page.path, f"---\n{matter}\n---\n\n{words.format(link)}\n")

    def _rename_key(self, old: str, new: str) -> None:
        """Follow a key that is a path in the pages that stand for the renamed one."""
        for page in self._draft.before.outlines if old != new else ():
            field, name = declared_target(page)
            if field and fold(name) == fold(old):
                self._edit(self._draft.page(page.path), {field: new})


_MOVED = {"en": "This page is now {}.", "ko": "이 페이지는 이제 {}에 있습니다."}
"""Language to what a redirect says."""


def _below(path: str, category: str) -> bool:
    return f"{path.rpartition('.')[0]}/".startswith(f"{category}/")


def _name(path: str, config: Config) -> str:
    return key_of(path, config).rpartition("/")[2]


def _shown(text: str) -> str:
    """A title as the text of a link."""
    return "".join(f"\\{c}" if c in "\\[]`*_<" else c for c in text)


def _heading_stretch(markup: Markup, heading: Heading, title: str) -> Stretch | None:
    """Where a heading's text stands, if it stands there as it reads."""
    source = markup.text[heading.span.start : heading.span.end]
    at = source.find(heading.text)
    if at < 0:
        return None
    start = heading.span.start + at
    return start, start + len(heading.text), _shown(title)
