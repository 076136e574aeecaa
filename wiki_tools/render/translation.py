"""Where a snippet, which comes from the default language's page, stands on a translation."""

from wiki_tools.markup import Fence
from wiki_tools.pages import Page
from wiki_tools.render.site import Site
from wiki_tools.snippets import Snippet


def fence_of(site: Site, page: Page, snippet: Snippet) -> Fence | None:
    """The fence of a page that is a snippet's; None where a translation lacks it."""
    if snippet.path == page.path:
        return snippet.fence
    return fences_of(site, page, snippet.path).get(snippet.fence.line)


def fences_of(site: Site, page: Page, path: str) -> dict[int, Fence]:
    """The fences of a page by the line of the same fence on the page at `path`, its original."""
    original = page if path == page.path else site.pages.get(path)
    theirs = original.markup.fences if original else ()
    return {
        fence.line: ours
        for ours, fence in zip(page.markup.fences, theirs, strict=False)
        if ours.role == fence.role
    }


def place_of(site: Site, page: Page, snippet: Snippet) -> tuple[str, str]:
    """The words and the anchor of the heading that a snippet stands under."""
    fence = fence_of(site, page, snippet)
    above = [h for h in page.markup.headings if fence and h.span.start < fence.span.start]
    if above:
        return above[-1].text, above[-1].anchor
    return snippet.heading.text if snippet.heading else snippet.id.rpartition("#")[2], ""
