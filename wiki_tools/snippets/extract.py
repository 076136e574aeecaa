"""Extracts the snippets of a page, in its order."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wiki_tools.cache import Cache, Shelf, digest
from wiki_tools.code import find_kind
from wiki_tools.config import Config
from wiki_tools.pages import Page, key_of
from wiki_tools.protocol import Cell
from wiki_tools.snippets.context import PageContext
from wiki_tools.snippets.digest import digest_of
from wiki_tools.snippets.modules import Imported, digest_modules, find_imported
from wiki_tools.snippets.outputs import is_settled, shown_text
from wiki_tools.snippets.packing import pack_snippets, unpack_snippets
from wiki_tools.snippets.program import complete_group
from wiki_tools.snippets.sections import Group
from wiki_tools.snippets.types import Program, Snippet
from wiki_tools.tree import VaultFiles


def extract_snippets(
    config: Config,
    page: Page,
    pages: Sequence[Page] = (),
    files: VaultFiles | None = None,
) -> tuple[Snippet, ...]:
    """Extract a page's snippets; `pages` tell which of its translations gives the path.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    context = PageContext(config, page, files)
    group_pages = [p for p in pages if p.key == page.key] or [page]
    path = min(group_pages, key=lambda p: (_rank(config, p), p.path)).path
    ids = {group.fence.line: f"{page.key}#{group.place}" for group in context.groups}
    return tuple(_snippet(context, page, path, group, ids) for group in context.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The snippets of a wiki, and what was asked of the files beside its pages."""

    snippets: tuple[Snippet, ...]
    asked: dict[str, bytes]
    """As `VaultFiles.still` takes it."""


def extract_all(config: Config, pages: Sequence[Page]) -> tuple[Snippet, ...]:
    """Extract the snippets of every page, of translations only the default language's.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    return extract_wiki(config, pages, None).snippets


def extract_wiki(config: Config, pages: Sequence[Page], cache: Cache | None) -> Extracted:
    """Extract the snippets of every page, as far as they are not known already.

    With a cache, those of a page come from there wherever neither its text nor a file that was
    asked for has changed: a fixture or a module, whether it was there or not.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    kept = _Kept(config, cache)
    found = [snippet for page in chosen_pages(config, pages) for snippet in kept.of(page)]
    return Extracted(snippets=tuple(found), asked=kept.save())


def chosen_pages(config: Config, pages: Sequence[Page]) -> list[Page]:
    """The pages whose code counts, in the order of their paths: of translations only one."""
    chosen: dict[str, Page] = {}
    for page in sorted(pages, key=lambda p: (_rank(config, p), p.path)):
        chosen.setdefault(_group(config, page), page)
    return sorted(chosen.values(), key=lambda p: p.path)


class _Kept:
    """Snippets by page, as the last extraction left them."""

    def __init__(self, config: Config, cache: Cache | None) -> None:
        self._config = config
        self._files = VaultFiles()
        self._shelf = Shelf(cache, "snippets")
        self._rows: dict[str, Any] = {}
        self._changed: list[str] = []

    def of(self, page: Page) -> tuple[Snippet, ...]:
        """The snippets of a page, taken from the cache or extracted."""
        state = digest("\0".join((page.key, page.markup.text)).encode("utf-8", "surrogatepass"))
        known = self._shelf.rows.get(page.path)
        if known and known[0] == state and self._files.still(known[1]):
            self._rows[page.path] = known
            return unpack_snippets(known[2])
        self._files.asked = {}
        snippets = extract_snippets(self._config, page, (page,), self._files)
        self._rows[page.path] = (state, self._files.asked, pack_snippets(snippets))
        self._changed.append(page.path)
        return snippets

    def save(self) -> dict[str, bytes]:
        """Remember what is new, and give all that was asked for."""
        if self._changed:
            self._shelf.save(self._rows, self._changed, {})
        return {name: stamp for row in self._rows.values() for name, stamp in row[1].items()}


def _rank(config: Config, page: Page) -> int:
    languages = config.languages
    return languages.index(page.language) if page.language in languages else len(languages)


def _group(config: Config, page: Page) -> str:
    """What translations share: the path without its language."""
    return key_of(page.path, config)


def _snippet(
    context: PageContext, page: Page, path: str, group: Group, ids: dict[int, str]
) -> Snippet:
    fence = group.fence
    kind = find_kind(fence.code, fence.role, fence.line)
    skip = kind.skip or ("" if fence.closed else f"line {fence.line}: the fence is not closed")
    programs: tuple[Program, ...] = (_plain(context, group),)
    if not skip:
        # code nested so deeply that looking at it overflows the stack runs as it is
        with contextlib.suppress(RecursionError):
            programs = complete_group(context, group)
            own = next((m for m in programs[0].missing if m.name in ("self", "cls")), None)
            skip = f"line {own.line}: an excerpt of a method (`{own.name}`)" if own else ""
    prints, raises = _promised(group, programs)
    attributes = fence.attributes | ({"raises": raises} if raises else {})
    imported = _imported(context, () if skip else programs)
    return Snippet(
        id=ids[fence.line],
        page=page.key,
        path=path,
        heading=group.heading,
        role="" if fence.role in ("no-run", "continues") else fence.role,
        fence=fence,
        programs=programs,
        skip=skip,
        digest=digest_of(
            programs,
            fence.role,
            attributes,
            prints=prints,
            skip=skip,
            modules=imported.modules,
        ),
        pattern=ids[group.partner.line] if group.partner else "",
        prints=prints,
        raises=raises,
        packages=tuple(sorted({*imported.packages, *needed_packages(fence.attributes)})),
        modules=tuple(module.path for module in imported.modules),
        modules_digest=digest_modules(imported.modules) if imported.modules else "",
        lines=tuple(
            part.line
            for part in (fence, *group.continued, *group.checks, group.out)
            if part is not None
        ),
        setups=tuple(setup.line for setup in group.setups),
    )


def _promised(group: Group, programs: Sequence[Program]) -> tuple[str | None, str]:
    """What a snippet must print and raise, as the page says or shows it."""
    prints, raises = group.out.code if group.out else None, group.fence.attributes.get("raises", "")
    if group.fence.role == "no-run" or raises or not (group.shown or group.raised):
        return prints, raises
    codes = [cell.code for program in programs for cell in program.cells if cell.role != "result"]
    settled = is_settled(codes, programs)
    if group.raised and not any("world" in program.guesses for program in programs):
        raises = group.raised
    elif group.shown and prints is None and settled:
        prints = shown_text(group.shown)
    return prints, raises


def needed_packages(attributes: Mapping[str, str]) -> list[str]:
    """The packages of a `needs=` list."""
    names = (name.strip() for name in attributes.get("needs", "").split(","))
    return [name for name in names if name.isidentifier() and name != "cuda"]


def _imported(context: PageContext, programs: Sequence[Program]) -> Imported:
    codes = (cell.code for program in programs for cell in program.cells)
    return find_imported(codes, context.folders, context.files, context.root)


def _plain(context: PageContext, group: Group) -> Program:
    """The text alone, for what is not run."""
    fence = group.fence
    cell = Cell(role="pattern", code=fence.code, path=context.path, line=fence.line)
    return Program(cells=(cell,), context={})
