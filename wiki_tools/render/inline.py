"""Edits of a page's running text: formulas, comments, block ids and headings."""

import re
from collections.abc import Iterator

import pyromark

from wiki_tools.markup import Heading, Markup
from wiki_tools.markup.blocks import find_comments, range_at
from wiki_tools.markup.positions import places
from wiki_tools.render.maths import to_mathml
from wiki_tools.render.text import Edit, apply_edits

_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_MATH
_BLOCK_ID = re.compile(r"[ \t]?\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_OWN_SLUG = re.compile(r"[ \t]+\{:?[^{}\n]*\}[ \t]*#*[ \t]*$")
_HASHES = re.compile(r"(?:[ \t]+#+)?[ \t]*$")


def inline_edits(markup: Markup, *, formulas: bool = True) -> Iterator[Edit]:
    """Find formulas, comments and block ids, and what to write for them.

    `formulas` says whether these become MathML; else they stay as they are.
    """
    text, body = markup.text, markup.body
    opaque: list[tuple[int, int]] = []
    if "$" in text or "%%" in text or "<!--" in text or "^" in text:
        for kind, latex, start, end in _opaque(text, body):
            if kind in ("InlineMath", "DisplayMath"):
                if text[end : end + 1].isdigit():  # US$5 and US$6
                    continue
                if formulas:
                    yield Edit(start=start, end=end, text=to_mathml(latex, display=kind[0] == "D"))
            opaque.append((start, end))
        for start, end in find_comments(text, body, opaque):
            yield Edit(start=start, end=end, text="")
        for match in _BLOCK_ID.finditer(text, body):
            if match[1] in markup.blocks and not range_at(match.start(1), opaque):
                anchor = f'<span id="^{match[1]}"></span>'
                yield Edit(start=match.start(), end=match.end(), text=anchor)


def with_formulas(text: str) -> str:
    """Give a text with its formulas as MathML, and all else as it is."""
    return apply_edits(text, 0, len(text), _formulas(text)) if "$" in text else text


def _formulas(text: str) -> Iterator[Edit]:
    for kind, latex, start, end in _opaque(text, 0):
        if kind in ("InlineMath", "DisplayMath") and not text[end : end + 1].isdigit():
            yield Edit(start=start, end=end, text=to_mathml(latex, display=kind[0] == "D"))


def below_title(markup: Markup) -> int:
    """The offset behind a first heading that opens the page, else where the page begins."""
    for heading in markup.headings[:1]:
        if heading.level == 1 and not markup.text[markup.body : heading.span.start].strip():
            end = markup.text.find("\n", heading.span.end)
            return len(markup.text) if end < 0 else end
    return markup.body


def heading_edit(text: str, heading: Heading) -> Edit:
    """Write a heading's anchor out, so that every site generator gives it the same one."""
    start = heading.span.start
    line_end = text.find("\n", start)
    end = len(text) if line_end < 0 else line_end
    line = text[start:end]
    own = _OWN_SLUG.search(line) if heading.slug else None
    cut = own.start() if own else _HASHES.search(line).start()  # type: ignore[union-attr]
    anchor = f" {{ #{heading.anchor} }}" if heading.anchor else ""
    return Edit(start=start + cut, end=end, text=anchor)


def _opaque(text: str, body: int) -> Iterator[tuple[str, str, int, int]]:
    """Code and formulas, with their offsets."""
    found: list[tuple[str, str]] = []
    ranges: list[tuple[int, int]] = []
    for event, place in pyromark.events_with_range(text[body:], options=_OPTIONS):
        if isinstance(event, str):
            continue
        ((kind, value),) = event.items()
        fenced = kind == "Start" and isinstance(value, dict) and "CodeBlock" in value
        if fenced or kind in ("Code", "InlineMath", "DisplayMath"):
            found.append((kind, value if isinstance(value, str) else ""))
            ranges.append((place["start"], place["end"]))
    line = text.count("\n", 0, body) + 1
    spans = places(text, body, line, text[body:].encode(), ranges)
    for (kind, latex), (_, span) in zip(found, spans, strict=True):
        yield kind, latex, span.start, span.end
