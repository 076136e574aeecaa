"""The section that lists who links to a page, and in which words."""

from collections.abc import Iterator

from wiki_tools.graph import ResolvedLink, sentence_around
from wiki_tools.pages import Page
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, link, plain
from wiki_tools.render.words import WORDS, say

_LONGEST = 240
"""Characters of a sentence that are shown."""


def backlinks_text(site: Site, page: Page) -> str:
    """Write the section; empty where nothing links to the page."""
    found = list(_sources(site, page))
    if not found:
        return ""
    lines = [f"## {say(page.language, 'backlinks')} {{ #linked-from .wiki-backlinks }}", ""]
    for source, resolved in found:
        lines.append(f"- {_entry(page, source, resolved)}")
    return "\n".join(lines) + "\n"


def _sources(site: Site, page: Page) -> Iterator[tuple[Page, ResolvedLink]]:
    """Each page that links here once a relation, in this page's language where it can be."""
    seen: set[tuple[str, str]] = set()
    order = {"parent": 0, "application": 1, "adjacent": 2}
    links = sorted(site.incoming.get(page.key, ()), key=lambda f: order.get(f.relation, 9))
    ours = [found for found in links if site.pages[found.path].language == page.language]
    for found in [*ours, *links]:
        source = site.pages[found.path]
        if (found.source, found.relation) not in seen and found.source != page.key:
            seen.add((found.source, found.relation))
            yield source, found


def _entry(page: Page, source: Page, found: ResolvedLink) -> str:
    language = page.language
    key = f"as-{found.relation}"
    relation = (
        say(language, key) if key in WORDS else say(language, "as-other", label=found.relation)
    )
    title = link(escape(source.title), page.path, source.path)
    sentence = sentence_around(source, found.link)
    words = f'{title} <span class="wiki-relation">{escape(relation)}</span>'
    if found.relation in ("parent", "application", "adjacent") or not sentence:
        return words
    return f"{words}<br><q>{_highlighted(sentence, found)}</q>"


def _highlighted(sentence: str, found: ResolvedLink) -> str:
    """The sentence, cut to size around the link's own words."""
    words = plain(found.link.display or found.link.target)
    at = max(sentence.find(words), 0)
    if len(sentence) > _LONGEST:
        start = max(0, at - _LONGEST // 2)
        cut = sentence[start : start + _LONGEST]
        sentence = ("…" if start else "") + cut + ("…" if start + _LONGEST < len(sentence) else "")
    text = escape(sentence)
    return text.replace(escape(words), f"<b>{escape(words)}</b>", 1) if words else text
