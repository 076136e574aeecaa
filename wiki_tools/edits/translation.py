"""Begins the translation of a page: all that must be the same is, and the prose is marked."""

import re
from collections.abc import Iterator

from wiki_tools.config import Config
from wiki_tools.edits.edit import Source, apply_edits
from wiki_tools.edits.matter import Stretch, set_keys
from wiki_tools.edits.template import HEADINGS, heading_text
from wiki_tools.graph import relation_words
from wiki_tools.pages import Page

SECTION_WORDS = {
    "one-line": "one",
    "core": "core",
    "patterns": "patterns",
    "decisions": "decisions",
    "graph": "graph",
    "llm": "llm",
    "antipatterns": "anti",
    "verification": "verification",
    "changelog": "changelog",
}
"""Section to its word in the template."""

RELATION_WORDS = {
    "parent": {"en": "Parent", "ko": "부모"},
    "application": {"en": "Application", "ko": "응용"},
    "adjacent": {"en": "Related", "ko": "관련"},
}

NOTES = {
    "en": "This page is not translated yet: what follows is still in the language of {}.",
    "ko": "아직 번역되지 않은 문서이다. 아래 글은 {}의 언어로 남아 있다.",
}
"""Language to what tells a reader that the prose is another page's."""

_LABEL = re.compile(
    r"^([ \t>]*[-*+][ \t]+(?:\*\*|__)?)([^\[\]:：`*_\n]{1,60}?)(?=(?:\*\*|__)?[ \t]*[:：])", re.M
)


def translate(config: Config, page: Page, source: Source, language: str, title: str = "") -> str:
    """The text of a page to translate: front matter, fences and links as they are.

    The headings of known sections and the labels of the graph section are written in the other
    language; a note under the title says that the prose is not.
    """
    stretches = [*_headings(page, language), *_labels(config, page, language)]
    if title:
        stretches += set_keys(page.markup, {"title": title})
        stretches += _retitled(page, title)
    edits = [source.edit(*stretch) for stretch in [*stretches, _note(page, language)]]
    return apply_edits(source.raw, edits)


def _headings(page: Page, language: str) -> Iterator[Stretch]:
    """Known headings in the other language, but for those that the page's own links name."""
    words = HEADINGS.get(language, {})
    linked = {link.heading for link in page.markup.links if not link.target}
    for section in page.sections:
        heading = section.heading
        word = words.get(SECTION_WORDS.get(section.name, ""))
        text = page.markup.text[heading.span.start : heading.span.end]
        at = text.find(_bare(heading.text))
        if word and at >= 0 and not linked & {heading.text, heading.anchor}:
            start = heading.span.start + at
            yield start, start + len(_bare(heading.text)), word


def _bare(text: str) -> str:
    """A heading without the emoji before it."""
    found = re.search(r"\w.*", text)
    return found[0] if found else text


def _labels(config: Config, page: Page, language: str) -> Iterator[Stretch]:
    section = page.section("graph")
    if not section:
        return
    words = relation_words(config)
    for match in _LABEL.finditer(page.markup.text, section.heading.span.end, section.heading.end):
        relation = words.get(match[2].strip().casefold(), "")
        label = RELATION_WORDS.get(relation, {}).get(language)
        if label:
            yield match.start(2), match.end(2), label


def _retitled(page: Page, title: str) -> Iterator[Stretch]:
    first = next((row for row in page.markup.headings if row.text == page.title), None)
    if first:
        text = page.markup.text[first.span.start : first.span.end]
        at = text.find(first.text)
        if at >= 0:
            start = first.span.start + at
            yield start, start + len(first.text), heading_text(title)


def _note(page: Page, language: str) -> Stretch:
    """A quote under the title, which GitHub and Obsidian show as a note."""
    said = NOTES.get(language, NOTES["en"]).format(f"`{page.path.rpartition('/')[2]}`")
    known = {section.heading.span.start for section in page.sections}
    first = next((row for row in page.markup.headings if row.level == 1), None)
    if first and first.span.start not in known:
        at = page.markup.text.find("\n", first.span.end)
        at = at if at >= 0 else len(page.markup.text)
        return at, at, f"\n\n> [!NOTE]\n> {said}"
    return page.markup.body, page.markup.body, f"> [!NOTE]\n> {said}\n\n"
