"""Takes the backlinks of a page past Python-Markdown and the search.

The section is made of links to other pages and of their words: the search finds those there, and
the HTML is the same in a tenth of the time.
"""

import posixpath
import re
from urllib.parse import unquote

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

_HEADING = re.compile(
    r"^## (.+) \{ #linked-from \.wiki-backlinks data-search-exclude \}$", re.MULTILINE
)
_LINK = re.compile(r'href="([^":#]+)(#[^"]*)?"')
ANCHOR = "linked-from"


def cut_backlinks(markdown: str) -> tuple[str, str, str]:
    """Split a page's text into what its author wrote, and the backlinks' title and text."""
    found = next(iter(list(_HEADING.finditer(markdown))[-1:]), None)
    if found is None:
        return markdown, "", ""
    return markdown[: found.start()], found[1], markdown[found.end() :]


def backlinks_html(
    title: str, markdown: str, page: Page, files: Files, *, permalink: bool = True
) -> str:
    """Write the section as the theme would have it."""
    import pyromark

    link = f'<a class="headerlink" href="#{ANCHOR}" title="Permanent link">&para;</a>'
    link = link if permalink else ""
    body = site_links(pyromark.html(markdown), page, files)
    return f'\n<h2 class="wiki-backlinks" id="{ANCHOR}">{title}{link}</h2>\n{body}'


def list_backlinks(title: str, page: Page) -> None:
    """Put the section into the page's table of contents, and its anchor among the page's."""
    items = page.toc.items
    siblings = items[0].children if len(items) == 1 and items[0].level == 1 else items
    siblings.append(AnchorLink(title, ANCHOR, 2))
    if page.present_anchor_ids is not None:
        page.present_anchor_ids.add(ANCHOR)


def site_links(html: str, page: Page, files: Files) -> str:
    """Make links to files of the tree links to pages of the site."""
    folder = posixpath.dirname(page.file.src_uri)

    def address(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, unquote(match[1])))
        target = files.get_file_from_path(path)
        if target is None:
            return match[0]
        return f'href="{target.url_relative_to(page.file)}{match[2] or ""}"'

    return _LINK.sub(address, html)
