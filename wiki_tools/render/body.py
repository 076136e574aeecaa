"""A page's own text: its links, embeds, fences and formulas, with a row under each snippet."""

import re
from collections.abc import Iterator

from wiki_tools.graph import FileLink, ResolvedLink
from wiki_tools.markup import Fence, Heading, find_prose
from wiki_tools.pages import Page
from wiki_tools.render.dialect import to_dialect
from wiki_tools.render.fences import fence_text
from wiki_tools.render.inline import below_title, heading_edit, inline_edits
from wiki_tools.render.links import image_text, is_image, link_text
from wiki_tools.render.output import fence_outputs
from wiki_tools.render.row import seen_of, snippet_row
from wiki_tools.render.site import Found, Site
from wiki_tools.render.text import Edit, apply_edits, escape, indent, link
from wiki_tools.render.translation import fences_of
from wiki_tools.render.words import say
from wiki_tools.report import PageReport

_CONTAINER = re.compile(r"[-*+]|\d+[.)]")


def body_text(site: Site, page: Page, header: str) -> str:
    """Write a page's text, front matter left out, with a header below its first heading."""
    report = site.report(page)
    rows = dict(_rows(site, page, report)) if report else {}
    edits = [*_links(site, page, page), *inline_edits(page.markup)]
    edits += [heading_edit(page.markup.text, heading) for heading in page.markup.headings]
    edits += [_fence(page, fence, rows.get(fence.span.start, "")) for fence in page.markup.fences]
    markup = page.markup
    if header:
        at = below_title(markup)
        edits.append(Edit(start=at, end=at, text=f"\n\n{header}\n"))
    return to_dialect(apply_edits(markup.text, markup.body, len(markup.text), edits))


def _rows(site: Site, page: Page, report: PageReport) -> Iterator[tuple[int, str]]:
    """The offset of a fence and what belongs under it: its output, and a snippet's row."""
    paths = {snippet.path for snippet in report.snippets}
    fences = {path: fences_of(site, page, path) for path in paths}
    for snippet in report.snippets:
        seen, texts = seen_of(report, snippet), page.frontmatter.lab
        shown = fence_outputs(page.language, snippet, seen, texts=texts)
        for line in {snippet.fence.line, *shown}:
            fence = fences[snippet.path].get(line)
            if fence is None:
                continue
            own = line == snippet.fence.line
            row = snippet_row(site, page, report, snippet, fence.line - line) if own else ""
            yield fence.span.start, "\n\n".join(filter(None, (shown.get(line, ""), row)))


def _fence(page: Page, fence: Fence, row: str) -> Edit:
    text = page.markup.text
    start = fence.span.start
    before = text[text.rfind("\n", 0, start) + 1 : start]
    prefix = _CONTAINER.sub(lambda m: " " * len(m[0]), before)
    written = fence_text(text, fence, page.language)
    if row:
        lines = "\n".join(indent(row.splitlines(), prefix))
        written += f"\n{prefix.rstrip()}\n{lines}\n"
    return Edit(start=start, end=fence.span.end, text=written)


def _links(site: Site, page: Page, host: Page, embed: bool = True) -> Iterator[Edit]:
    for found in site.links.get(page.path, ()):
        span = found.link.span
        text = _embed(site, page, host, found, embed) if found.link.form == "embed" else None
        if text is None:
            text = link_text(site, found, host.language, host.path)
        yield Edit(start=span.start, end=span.end, text=text)


def _embed(site: Site, page: Page, host: Page, found: Found, whole: bool) -> str | None:
    """Write what an embed shows; None where it is shown as a link."""
    if isinstance(found, FileLink):
        return image_text(found, host.path) if is_image(found.target) else None
    if not whole or not isinstance(found, ResolvedLink) or found.target_path == host.path:
        return None
    text, span = page.markup.text, found.link.span
    line_start = text.rfind("\n", 0, span.start) + 1
    line = text[line_start : text.find("\n", span.end) if "\n" in text[span.end :] else len(text)]
    path, anchor = site.landing(found, host.language)
    target = site.pages.get(path)
    if target is None or path == host.path or line.strip() != found.link.text:
        return None
    title = link(escape(target.title), host.path, target.path, anchor)
    prefix = text[line_start : span.start]
    lines = ['!!! wiki-embed ""', "", f"    {say(host.language, 'embedded', link=title)}",
             "    {: .wiki-note }", ""]  # fmt: skip
    lines += indent(_part(site, target, found, host).splitlines())
    return f"\n{prefix}".join(lines).rstrip() + "\n"


def _part(site: Site, target: Page, found: ResolvedLink, host: Page) -> str:
    """The part of a page that an embed names, its own embeds as links."""
    markup = target.markup
    start, end = markup.body, len(markup.text)
    block = found.link.heading.startswith("^")
    for heading in () if block else markup.headings:
        if found.anchor and heading.anchor == found.anchor:
            start, end = heading.span.start, heading.end
    if block:
        at = markup.text.find(found.link.heading, start)
        reach = len(found.link.heading) + 1
        inside = [span for span in find_prose(markup) if span.start <= at <= span.end + reach]
        if inside:
            start, end = inside[-1].start, inside[-1].end
    edits = [*_links(site, target, host, embed=False), *inline_edits(markup)]
    edits += [_demoted(markup.text, heading) for heading in markup.headings]
    edits += [_fence(target, fence, "") for fence in markup.fences]
    inner = [edit for edit in edits if start <= edit.start and edit.end <= end]
    return to_dialect(apply_edits(markup.text, start, end, inner))


def _demoted(text: str, heading: Heading) -> Edit:
    """An embedded page's heading is no heading of the page that shows it."""
    end = text.find("\n", heading.span.start)
    end = max(heading.span.end, len(text) if end < 0 else end)
    return Edit(start=heading.span.start, end=end, text=f"**{escape(heading.text)}**")
