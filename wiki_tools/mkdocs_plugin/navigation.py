"""Puts a navigation that nobody wrote in order: home, folders, pages, and last what is made."""

from collections.abc import Collection, Iterator
from typing import Any

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page


def order_navigation(nav: Navigation, generated: Collection[str]) -> Navigation:
    """Order each level as file trees do, and lead from page to page in that order.

    Args:
        nav: as MkDocs made it of the files' names.
        generated: paths of pages that nobody wrote, without language and ending.
    """
    _order(nav.items, generated)
    nav.pages = list(_pages(nav.items))
    for before, page, after in zip(
        [None, *nav.pages], nav.pages, [*nav.pages[1:], None], strict=False
    ):
        page.previous_page, page.next_page = before, after
    return nav


def _order(items: list[Any], generated: Collection[str]) -> None:
    def place(item: Any) -> int:
        if not isinstance(item, Page):
            return 1
        made = item.file.src_uri.partition(".")[0] in generated
        return 3 if made else 0 if item.is_index else 2

    items.sort(key=place)
    for item in items:
        if getattr(item, "children", None):
            _order(item.children, generated)


def _pages(items: list[Any]) -> Iterator[Page]:
    for item in items:
        if isinstance(item, Page):
            yield item
        elif getattr(item, "children", None):
            yield from _pages(item.children)
