"""The values that a page's text is read into.

Those of which a vault holds a hundred thousand are named tuples: a frozen dataclass takes three
times as long to make.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a page's text: `text[start:end]`."""

    start: int
    """Offset in code points."""
    end: int
    line: int
    """1-based."""
    column: int
    """1-based, in code points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that the grammar refuses; `checks` turns it into a diagnostic."""

    code: str
    line: int
    column: int
    message: str
    hint: str = ""
    severity: str = "error"


class Heading(NamedTuple):
    """A heading and the section that it opens."""

    level: int
    text: str
    """As it reads, without markup or attributes."""
    anchor: str
    """Its HTML id on the site."""
    slug: str
    """The author's own `{#slug}`; empty where there is none."""
    span: Span
    end: int
    """Where its section ends: the offset of the next heading of its level or above."""


class Link(NamedTuple):
    """A link as written, not yet resolved."""

    form: str
    """`wikilink`, `embed`, `markdown`, or `html` for a raw tag's address."""
    target: str
    """What it names, without heading and display text; empty for a link within the page."""
    heading: str
    """What follows `#`, or empty; `^block` for a block."""
    text: str
    """The link as the page has it, `[[a|b]]` included."""
    display: str
    """What a reader sees; empty where the author gave nothing."""
    span: Span


class Fence(NamedTuple):
    """A fenced code block."""

    language: str
    """As written, lower case; `python` for `py` and `python3`."""
    role: str
    """Empty for a pattern's code."""
    attributes: dict[str, str]
    info: str
    """The whole info string, as written."""
    code: str
    """Without the indentation of a list or quote that holds it; ends with a newline or is empty."""
    line: int
    """1-based line of the code's first line."""
    span: Span
    """The whole block, from its opening backticks to its closing ones."""
    info_span: Span
    closed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a page's text holds, in order."""

    text: str
    """With its line endings made `\\n` and without a byte-order mark."""
    body: int
    """The offset behind the front matter."""
    frontmatter: str | None
    """The YAML between the `---` lines; None where there is none."""
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    fences: tuple[Fence, ...] = ()
    blocks: tuple[str, ...] = ()
    """Block ids (`^b1`), without the caret."""
    anchors: tuple[str, ...] = ()
    """HTML ids that the author wrote as HTML, such as `<a id="proof">`."""
    problems: tuple[Problem, ...] = ()
