"""The text that a page says something in, apart from its code."""

from wiki_tools.markup.events import read_events
from wiki_tools.markup.positions import Positions
from wiki_tools.markup.types import Markup, Span

_BLOCKS = {"Paragraph", "TableCell"}
_INLINE = {"Emphasis", "Strong", "Strikethrough", "Link", "Image"}


def find_prose(markup: Markup) -> tuple[Span, ...]:
    """Find a page's paragraphs, list items, quotes and table cells, in order.

    The page is read once more for it: few ask, and a vault's every page would pay.
    """
    text = markup.text
    positions = Positions(text)
    base = positions.byte(markup.body)
    found: list[tuple[int, int]] = []
    blocks: list[str] = []
    own: tuple[int, int] | None = None  # of a list item's text that no paragraph holds
    for event, place in read_events(text[markup.body :]):
        start, end = place["start"], place["end"]
        kind, value = next(iter(event.items())) if event.__class__ is dict else ("", "")
        name = _name(value) if kind in ("Start", "End") else ""
        if not name or name in _INLINE:
            if blocks and blocks[-1] == "Item":
                own = (own[0] if own else start, end)
            continue
        if own:
            found.append(own)
            own = None
        if kind == "End":
            blocks.pop()
            continue
        blocks.append(name)
        if name in _BLOCKS:
            found.append((start, end))
    return tuple(_trimmed(text, positions, start + base, end + base) for start, end in found)


def _name(tag: str | dict[str, object]) -> str:
    return tag if isinstance(tag, str) else next(iter(tag))


def _trimmed(text: str, positions: Positions, start: int, end: int) -> Span:
    """The span of a block, without the line break that ends it."""
    span = positions.span_of_bytes(start, end)
    stop = span.end
    while stop > span.start and text[stop - 1] == "\n":
        stop -= 1
    return span._replace(end=stop)
