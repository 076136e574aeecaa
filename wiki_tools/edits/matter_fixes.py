"""Fixes in front matter."""

import re
from collections.abc import Iterator, Sequence

from wiki_tools.edits.case import Case, closest
from wiki_tools.edits.matter import Stretch, quoted, set_keys
from wiki_tools.graph import declared_target
from wiki_tools.markup import parse_markup
from wiki_tools.pages import Page, read_frontmatter
from wiki_tools.pages.fields import FIELDS

_WORD = re.compile(r"[\w-]+")
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_TABS = re.compile(r"^[ ]*\t[ \t]*", re.MULTILINE)
_VALUE = re.compile(r"^[ \t]*(?:- +)?[^\s:#\"'\-][^:\n]*:[ \t]+([^\s\"'\[{|>&*!%@`][^\n]*?)[ \t]*$")


def fix_key(case: Case) -> Sequence[Stretch]:
    """A misspelt key, if just one known key is near and not there."""
    match = _WORD.match(case.page.markup.text, case.at)
    near = closest(match[0], FIELDS, 2) if match else None
    if not match or not near or near in case.page.places:
        return ()
    return [(match.start(), match.end(), near)]


def fix_value(case: Case) -> Sequence[Stretch]:
    """A misspelt word where only a few words are allowed."""
    match = _WORD.match(case.page.markup.text, case.at)
    key = next((k for k, p in case.page.places.items() if p[0] == case.finding.line), "")
    field = FIELDS.get(key)
    words = re.split(r", | or ", field.expected) if field else []
    if not match or len(words) < 3 or any(" " in word for word in words):
        return ()
    near = closest(match[0], words, min(2, len(match[0]) // 3))
    return [(match.start(), match.end(), near)] if near else ()


def fix_tight_item(case: Case) -> Sequence[Stretch]:
    """`-item`: the space that is missing."""
    return [(case.at + 1, case.at + 1, " ")] if case.page.markup.text[case.at] == "-" else ()


def fix_unquoted_link(case: Case) -> Sequence[Stretch]:
    """`[[Page]]` in a front matter: the quotes that YAML needs."""
    match = _LINK.match(case.page.markup.text, case.at)
    if not match:
        return ()
    mark = "'" if '"' in match[0] and "'" not in match[0] else '"'
    return [] if mark in match[0] else [(match.start(), match.end(), f"{mark}{match[0]}{mark}")]


def fix_broken_matter(case: Case) -> Sequence[Stretch]:
    """Tabs that indent, and a value that YAML takes for something else: its quotes."""
    markup = case.page.markup
    if markup.text[case.at : case.at + 1] == "\t":
        tabs = _TABS.finditer(markup.text, 0, markup.body)
        return [(*match.span(), match[0].replace("\t", "  ")) for match in tabs]
    return _meaning_the_same(case.page, list(_quotes(case)))


def fix_swallowed_value(case: Case) -> Sequence[Stretch]:
    """A value that begins with `#`: the quotes without which it is a comment."""
    text = case.page.markup.text[case.at : case.line_end].rstrip()
    return _meaning_the_same(case.page, [(case.at, case.at + len(text), quoted(text))])


def _quotes(case: Case) -> Iterator[Stretch]:
    text = case.page.markup.text
    start = text.rfind("\n", 0, case.at) + 1
    match = _VALUE.match(text[start : case.line_end])
    if match and " #" not in match[1]:
        yield start + match.start(1), start + match.end(1), quoted(match[1])


def _meaning_the_same(page: Page, stretches: list[Stretch]) -> Sequence[Stretch]:
    """Edits after which the front matter is read as it was understood before."""
    text = page.markup.text
    for start, end, new in reversed(stretches):
        text = text[:start] + new + text[end:]
    read, _, _ = read_frontmatter(parse_markup(text).frontmatter)
    return stretches if read == page.frontmatter else ()


def fix_unclosed_matter(case: Case) -> Sequence[Stretch]:
    """The line `---` below the last key."""
    markup = case.page.markup
    newline = "" if markup.text[: markup.body].endswith("\n") else "\n"
    return [(markup.body, markup.body, f"{newline}---\n")]


def fix_chain(case: Case) -> Sequence[Stretch]:
    """The last page of a chain in place of its next one."""
    outline = case.around.outlines[case.page.path]
    field, _ = declared_target(outline)
    end = case.around.canonical[outline.key]
    try:
        return set_keys(case.page.markup, {field: end}) if field and end != outline.key else ()
    except ValueError:
        return ()
