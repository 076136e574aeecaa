"""Extracts the snippets of a page, in its order."""

import contextlib
from collections.abc import Sequence

from wiki_tools.config import Config
from wiki_tools.pages import Page, key_of
from wiki_tools.protocol import Cell
from wiki_tools.snippets.context import PageContext
from wiki_tools.snippets.digest import digest_of
from wiki_tools.code import find_kind
from wiki_tools.snippets.program import complete_group
from wiki_tools.snippets.sections import Group
from wiki_tools.snippets.types import Program, Snippet


def extract_snippets(config: Config, page: Page, pages: Sequence[Page] = ()) -> tuple[Snippet, ...]:
    """Extract a page's snippets; `pages` tell which of its translations gives the path.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    context = PageContext(config, page)
    group_pages = [p for p in pages if p.key == page.key] or [page]
    path = min(group_pages, key=lambda p: (_rank(config, p), p.path)).path
    ids = {group.fence.line: f"{page.key}#{group.place}" for group in context.groups}
    return tuple(_snippet(context, page, path, group, ids) for group in context.groups)


def extract_all(config: Config, pages: Sequence[Page]) -> tuple[Snippet, ...]:
    """Extract the snippets of every page, of translations only the default language's.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    chosen: dict[str, Page] = {}
    for page in sorted(pages, key=lambda p: (_rank(config, p), p.path)):
        chosen.setdefault(_group(config, page), page)
    ordered = sorted(chosen.values(), key=lambda p: p.path)
    return tuple(s for page in ordered for s in extract_snippets(config, page, (page,)))


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
    prints = group.out.code if group.out else None
    return Snippet(
        id=ids[fence.line],
        page=page.key,
        path=path,
        heading=group.heading,
        role="" if fence.role in ("no-run", "continues") else fence.role,
        fence=fence,
        programs=programs,
        skip=skip,
        digest=digest_of(programs, fence.role, fence.attributes, prints=prints, skip=skip),
        pattern=ids[group.partner.line] if group.partner else "",
        prints=prints,
    )


def _plain(context: PageContext, group: Group) -> Program:
    """The text alone, for what is not run."""
    fence = group.fence
    cell = Cell(role="pattern", code=fence.code, path=context.path, line=fence.line)
    return Program(cells=(cell,), context={})
