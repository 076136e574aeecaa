"""The text that a page says something in, apart from its code."""

from wiki_tools.markup.events import read_events
from wiki_tools.markup.positions import places
from wiki_tools.markup.types import Markup, Span

_BLOCKS = {"Paragraph", "TableCell"}
_INLINE = {"Emphasis", "Strong", "Strikethrough", "Link", "Image"}


def find_prose(markup: Markup) -> tuple[Span, ...]:
    """Find a page's paragraphs, list items, quotes and table cells, in order.

    The page is read once more for it: few ask, and a vault's every page would pay.
    """
    text = markup.text
    body = text[markup.body :]
    found: list[tuple[int, int]] = []
    blocks: list[str] = []
    own: tuple[int, int] | None = None  # of a list item's text that no paragraph holds
    for event, place in read_events(body):
        if event.__class__ is str:  # a line break or a rule
            continue
        start, end = place["start"], place["end"]
        ((kind, value),) = event.items()
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
    line = text.count("\n", 0, markup.body) + 1
    return tuple(span for _, span in places(text, markup.body, line, body.encode(), found))


def _name(tag: str | dict[str, object]) -> str:
    return tag if isinstance(tag, str) else next(iter(tag))
