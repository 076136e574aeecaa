"""Links of the wiki into relative Markdown links; those that lead nowhere say so."""

import re

from wiki_tools.graph import BrokenLink, FileLink, ResolvedLink
from wiki_tools.markup import Link
from wiki_tools.render.site import Found, Site, named_by
from wiki_tools.render.text import address, attribute, escape
from wiki_tools.render.words import say

IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp")
_SIZE = re.compile(r"(\d+)(?:x(\d+))?")


def link_text(site: Site, found: Found, language: str, host: str) -> str:
    """Write a link for the page `host` of the tree, which may embed the page it stands in."""
    if isinstance(found, BrokenLink):
        return _dead(found, language)
    text, anchor, title = found.link.text, "", ""
    if isinstance(found, ResolvedLink):
        target, anchor = site.landing(found, language)
        title = named_by(found, site.pages[target].title) if target in site.pages else ""
    else:
        target = found.target
    opening = text.rfind("](") if found.link.form == "markdown" else -1
    if text.startswith("!") and opening > 0:
        return text if found.path == host else f"{text[:opening]}]({address(host, target)})"
    words = text[1:opening].strip() if opening > 0 else ""
    words = words or (escape(title) if title else shown(found.link))
    return f"[{words}]({address(host, target, anchor)})"


def shown(link: Link) -> str:
    """What a reader sees of a link, as Markdown."""
    if link.display:
        return link.display.replace("\\|", "|").replace("|", "&#124;")
    if not link.target and link.heading:
        return escape(link.heading.lstrip("^"))
    written = link.target if not link.heading else f"{link.target} › {link.heading.lstrip('^')}"
    return escape(written.removesuffix(".md"))


def _dead(found: BrokenLink, language: str) -> str:
    title = say(language, f"{found.resolution}-link")
    words = escape(found.link.display or found.link.target or found.link.heading)
    kind = "wiki-wanted" if found.resolution == "wanted" else "wiki-broken"
    return f'<span class="{kind}" title="{attribute(title)}">{words}</span>'


def image_text(found: FileLink, host: str) -> str:
    """Write an embedded image, with the size that its author gave: `![[a.png|alt|400x300]]`."""
    link = found.link
    parts = [part.strip() for part in link.display.split("|") if part.strip()]
    size = next((m for part in parts if (m := _SIZE.fullmatch(part))), None)
    alt = next((part for part in parts if not _SIZE.fullmatch(part)), link.target)
    wide = f' width="{size[1]}"' if size else ""
    high = f' height="{size[2]}"' if size and size[2] else ""
    attributes = f"{{{wide}{high} }}" if size else ""
    return f"![{escape(alt)}]({address(host, found.target)}){attributes}"


def is_image(target: str) -> bool:
    """Whether an embed's target is an image's file name."""
    return target.casefold().endswith(IMAGES)
