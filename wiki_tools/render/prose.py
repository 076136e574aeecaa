"""A page's text between its cells, as Jupyter reads Markdown: formulas stay LaTeX."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiki_tools.markup import Fence, Heading
from wiki_tools.pages import Page
from wiki_tools.render.inline import below_title, heading_edit, inline_edits
from wiki_tools.render.links import link_text
from wiki_tools.render.site import Site
from wiki_tools.render.text import Edit, apply_edits


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A fence that cells stand in for, by offsets into the page's text."""

    start: int
    end: int


def prose_parts(
    site: Site, page: Page, path: str, gaps: Sequence[Gap]
) -> Iterator[tuple[int, str]]:
    """Give the text before each gap with the gap's start, and what follows the last with -1.

    Links lead from the notebook's own place in the tree, which is `path`.
    """
    markup = page.markup
    edits = [*_links(site, page, path), *inline_edits(markup, formulas=False)]
    edits += [edit for heading in markup.headings for edit in _heading(markup.text, heading)]
    edits += [edit for fence in markup.fences for edit in _fence(markup.text, fence)]
    start = below_title(markup)
    for gap in gaps:
        yield gap.start, apply_edits(markup.text, start, gap.start, edits).strip()
        start = gap.end
    yield -1, apply_edits(markup.text, start, len(markup.text), edits).strip()


def _links(site: Site, page: Page, path: str) -> Iterator[Edit]:
    for found in site.links.get(page.path, ()):
        span = found.link.span
        yield Edit(start=span.start, end=span.end, text=link_text(site, found, page.language, path))


def _heading(text: str, heading: Heading) -> Iterator[Edit]:
    """Take the slug off a heading, which Jupyter would print; links of the page still find it."""
    edit = heading_edit(text, heading)
    yield Edit(start=edit.start, end=edit.end, text="")
    if heading.slug:
        start = heading.span.start
        yield Edit(start=start, end=start, text=f'<a id="{heading.anchor}"></a>\n\n')


def _fence(text: str, fence: Fence) -> Iterator[Edit]:
    """Leave the language alone in the first line of a fence that stays text."""
    end = text.find("\n", fence.span.start)
    opening = text[fence.span.start : end]
    marks = re.match(r"`+|~+", opening)
    if marks and end > 0:
        yield Edit(start=fence.span.start, end=end, text=f"{marks[0]}{fence.language}")
