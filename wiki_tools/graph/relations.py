"""Types links by the labels of the graph section's bullets."""

import re
import unicodedata
from functools import lru_cache

from wiki_tools.config import Config
from wiki_tools.markup import Link
from wiki_tools.pages import Page

MENTION = "mention"

_BULLET = re.compile(r"([ \t>]*)(?:[-*+]|\d+[.)])[ \t]+")
_LABEL = re.compile(r"(?:\*\*|__|[*_])?([^\[\]:：`]{1,60}?)(?:\*\*|__|[*_])?[ \t]*[:：]")


def relation_words(config: Config) -> dict[str, str]:
    """Label, as it is compared, to its relation."""
    return {_bare(word): name for name, words in config.relations.items() for word in words}


def typed_links(page: Page, words: dict[str, str]) -> tuple[tuple[Link, str], ...]:
    """A page's links, each with its relation."""
    links = page.markup.links
    if not links:
        return ()
    found = _relations(page, words) if any(s.name == "graph" for s in page.sections) else {}
    if links[0].span.start < page.markup.body:
        found |= _matter_relations(page, words)
    return tuple([(link, found.get(link.span.line, MENTION)) for link in links])


def _matter_relations(page: Page, words: dict[str, str]) -> dict[int, str]:
    """Line to relation, for links in the front matter: the known label that their key is."""
    keys = sorted((place[0], key) for key, place in page.places.items() if "[" not in key)
    found: dict[int, str] = {}
    for link in page.markup.links:
        if link.span.start >= page.markup.body:
            break
        above = [key for line, key in keys if line <= link.span.line]
        found[link.span.line] = words.get(_bare(above[-1]), MENTION) if above else MENTION
    return found


def _relations(page: Page, words: dict[str, str]) -> dict[int, str]:
    """Line to the relation of the links on it, for the lines of the graph sections."""
    found: dict[int, str] = {}
    for section in page.sections:
        if section.name == "graph":
            heading = section.heading
            text = page.markup.text[heading.span.end : heading.end]
            first = heading.span.line + page.markup.text.count(
                "\n", heading.span.start, heading.span.end
            )
            found |= _read_lines(text.split("\n"), first, words)
    return found


def _read_lines(lines: list[str], first: int, words: dict[str, str]) -> dict[int, str]:
    found: dict[int, str] = {}
    stack: list[tuple[int, str]] = []
    """Indentation and relation of the bullets that a line is in."""
    blank = False
    for number, line in enumerate(lines, first):
        bullet = _BULLET.match(line)
        if bullet:
            indent = len(bullet[1].expandtabs(4))
            while stack and stack[-1][0] >= indent:
                stack.pop()
            relation = _label(line, bullet.end(), words)
            stack.append((indent, relation or (stack[-1][1] if stack else MENTION)))
        elif not line.strip():
            blank = True
            continue
        elif (blank and not line[:1].isspace()) or line.lstrip().startswith("#"):
            stack.clear()
        if stack and stack[-1][1] != MENTION:
            found[number] = stack[-1][1]
        blank = False
    return found


def _label(line: str, at: int, words: dict[str, str]) -> str:
    match = _LABEL.match(line, at)
    if not match:
        return ""
    label = match[1].strip(" \t*_")
    return words.get(_bare(label), label)


@lru_cache(maxsize=1024)
def _bare(label: str) -> str:
    """A label without emoji, case folded; `Parent(s)` is both of its words."""
    if not label.isascii():
        label = unicodedata.normalize("NFC", label)
        label = "".join(c for c in label if unicodedata.category(c) not in ("So", "Mn", "Cf"))
    return " ".join(label.replace("(s)", "s").casefold().split())
