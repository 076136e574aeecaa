"""Plans a rename: every link keeps leading where it leads."""

import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from wiki_tools.config import Config
from wiki_tools.edits.aftermath import follow_fixtures, follow_navigation, notes_on
from wiki_tools.edits.draft import Draft, Read
from wiki_tools.edits.matter import Stretch, quoted, set_keys
from wiki_tools.edits.patch import Change
from wiki_tools.edits.places import place_moves
from wiki_tools.edits.relink import Relinker
from wiki_tools.edits.spellings import relative_path
from wiki_tools.edits.targets import SAFE
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import Names, declaration_of, declared_target, fold, link_pages
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
    pages: Sequence[Page],
    old: Page,
    new: str,
    *,
    title: str = "",
    keep: Keep = Keep.ALIAS,
    read: Read | None = None,
) -> Plan:
    """Plan what a rename changes, in memory; nothing is written.

    Args:
        config: the vault's settings.
        pages: all its pages.
        old: the page, in any language; its translations move with it.
        new: a path from the docs folder, a bare name in the page's folder, or a folder with `/`.
        title: its new title; by default it keeps its own.
        keep: what is left of the old name.
        read: reads a page's file; by default from the docs folder.

    Raises:
        UsageError: the new name cannot be had, or some link cannot be mended.
    """
    moves = place_moves(config, pages, old, new)
    draft = Draft(config, pages, read or (lambda path: (config.docs / path).read_bytes()), moves)
    graph = link_pages(pages, config)
    rename = _Rename(config, pages, draft, title, keep)
    rename.named = {(row.target_path, row.anchor) for row in graph.resolved}
    rename.edit_pages(old)
    relinker = Relinker(config, pages, graph, draft)
    told = relinker.mend()
    after = draft.pages()
    _refuse_faults(pages, after, moves)
    notes = notes_on(config, pages, after, moves)
    others = (*follow_fixtures(config, pages, moves), *follow_navigation(config, moves))
    return Plan(
        changes=(*draft.changes(), *others),
        mended=relinker.mended,
        notes=(*rename.notes, *told, *notes),
    )


def _refuse_faults(pages: Sequence[Page], after: Sequence[Page], moves: Mapping[str, str]) -> None:
    """A page has no other problems than before: what was written reads as it was meant."""
    now = {page.path: page for page in after}
    for page in pages:
        known = Counter(problem.code for problem in page.problems)
        problems = now[moves.get(page.path, page.path)].problems
        new = Counter(problem.code for problem in problems) - known
        if new:
            code = next(iter(new))
            said = next(problem for problem in problems if problem.code == code)
            place = f"{printable(page.path)}:{said.line}"
            raise UsageError(f"{place}: would be faulty: {said.message} Choose another name")


class _Rename:
    """Edits what a rename changes besides links."""

    def __init__(
        self, config: Config, pages: Sequence[Page], draft: Draft, title: str, keep: Keep
    ) -> None:
        self.notes: list[str] = []
        self.named: set[tuple[str, str]] = set()
        """Pages and anchors that links name."""
        self._config = config
        self._pages = pages
        self._draft = draft
        self._title = title
        self._keep = keep

    def edit_pages(self, old: Page) -> None:
        """Edit the pages that move, and those that name them by a key that changes."""
        moved = [page for page in self._pages if page.path in self._draft.moves]
        after = self._draft.pages()
        keys = {page.path: page.key for page in after}
        names = Names(map(names_of, after))
        for page in moved:
            title = self._title if page.path == old.path else ""
            values = self._category(page) | self._aliases(page, title, names, after)
            self._retitle(page, title, values)
            self._edit(page, values)
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
        self, page: Page, title: str, names: Names, after: Sequence[Page]
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
            others = [after[row[1]] for row in names.named(name)]
            other = next((o for o in others if o.path not in self._draft.moves.values()), None)
            if other:
                note = f"{name!r} is a name of {other.path} too, and becomes no alias"
                self.notes.append(f"{page.path}: {printable(note)}")
                continue
            known.add(fold(name))
            found.append(name)
        return {"aliases": found} if found else {}

    def _retitle(self, page: Page, title: str, values: dict[str, str | Sequence[str]]) -> None:
        """Write a new title, in the front matter or the heading that bears the old one."""
        if not title:
            return
        heading = next((row for row in page.markup.headings if row.text == page.title), None)
        stretch = _heading_stretch(page.markup, heading, title) if heading else None
        if heading and not heading.slug and (page.path, heading.anchor) in self.named:
            stretch = None
            note = "its first heading keeps the old title, since links name that heading"
            self.notes.append(f"{page.path}: {note}")
        if stretch:
            self._draft.put(page.path, "heading", [stretch])
        if page.frontmatter.title or not stretch:
            values["title"] = title

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
        for page in self._pages if old != new else ():
            field, name = declared_target(declaration_of(page))
            if field and fold(name) == fold(old):
                self._edit(page, {field: new})


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
