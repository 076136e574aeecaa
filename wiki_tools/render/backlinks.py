"""The section that lists who links to a page, and in which words."""

import re
from collections.abc import Iterator

from wiki_tools.graph import ResolvedLink
from wiki_tools.graph.sentences import Sentence
from wiki_tools.pages import Page
from wiki_tools.render.maths import to_mathml
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, link
from wiki_tools.render.words import WORDS, say

_LONGEST = 240
"""Characters of a sentence that are shown."""
_FORMULA = re.compile(r"\$([^\s$](?:[^$]*[^\s$])?)\$(?!\d)")
_ORDER = {"parent": 0, "application": 1, "adjacent": 2, "mention": 9}


def backlinks_text(site: Site, page: Page) -> str:
    """Write the section, a group for each relation; empty where nothing links to the page.

    It repeats other pages' words, so that a search finds those pages and not this section.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for source, found in _sources(site, page):
        groups.setdefault(found.relation, []).append(_entry(site, page, source, found))
    if not groups:
        return ""
    heading = say(page.language, "backlinks")
    lines = [f"## {heading} {{ #linked-from .wiki-backlinks data-search-exclude }}", ""]
    for relation, entries in groups.items():
        label = _label(page.language, relation)
        if any(sentence for _, sentence in entries):
            lines += [f"{label}:", "", *(f"- {title}{said}" for title, said in entries), ""]
        else:
            lines += [f"{label}: {', '.join(title for title, _ in entries)}", ""]
    return "\n".join(lines)


def _sources(site: Site, page: Page) -> Iterator[tuple[Page, ResolvedLink]]:
    """Each page that links here once a relation, in this page's language where it can be."""
    seen: set[tuple[str, str]] = set()
    incoming = site.incoming.get(page.key, ())
    links = sorted(incoming, key=lambda found: _ORDER.get(found.relation, 3))
    ours = [found for found in links if site.pages[found.path].language == page.language]
    for found in [*ours, *links]:
        source = site.pages[found.path]
        if (found.source, found.relation) not in seen and found.source != page.key:
            seen.add((found.source, found.relation))
            yield source, found


def _label(language: str, relation: str) -> str:
    key = f"as-{relation}"
    if key in WORDS:
        return say(language, key)
    return escape(say(language, "as-other", label=relation))


def _entry(site: Site, page: Page, source: Page, found: ResolvedLink) -> tuple[str, str]:
    """The link to a source, and the sentence that links here, both as Markdown."""
    title = link(escape(source.title), page.path, source.path)
    sentence = site.sentences.get((found.path, found.link.span.start))
    if sentence is None or not (sentence.before + sentence.after).strip(" .:;,"):
        return title, ""  # a line of links says no more than that it links here
    return title, f": {_highlighted(sentence)}"


def _highlighted(sentence: Sentence) -> str:
    """The sentence, cut to size around the link's own words."""
    words = _inline(sentence.link)
    room = max(_LONGEST - len(sentence.link), 0)
    before, after = sentence.before, sentence.after
    if len(before) + len(after) > room:
        before = _cut_start(before, max(room // 2, room - len(after)))
        after = _cut_end(after, max(room // 2, room - len(before)))
    marked = f"<strong>{words}</strong>" if words else ""  # `**` fails at `)` and a letter
    return _inline(before) + marked + _inline(after)


def _inline(text: str) -> str:
    """Plain text as Markdown, its formulas as MathML."""
    parts = _FORMULA.split(text)
    parts[::2] = map(escape, parts[::2])
    parts[1::2] = [to_mathml(latex, display=False) for latex in parts[1::2]]
    return "".join(parts)


def _cut_start(text: str, room: int) -> str:
    """Cut a text down from its start, between words where it has any."""
    if len(text) <= room:
        return text
    cut = text[len(text) - room :]
    return "…" + (cut.partition(" ")[2] or cut)


def _cut_end(text: str, room: int) -> str:
    """Cut a text down from its end, between words where it has any."""
    if len(text) <= room:
        return text
    return (text[:room].rpartition(" ")[0] or text[:room]) + "…"
