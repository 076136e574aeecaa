"""Edits of single values in a front matter; its other lines stay as their author wrote them."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from wiki_tools.markup import Markup
from wiki_tools.pages import known_name, split_names

_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = re.compile(r"[^\W_](?:[\w ()/.+-]*[\w)+-])?")
_NO_TEXT = re.compile(r"[\d.+e_-]+|0[xo][\da-f]+|null|true|false|yes|no|on|off|y|n", re.IGNORECASE)
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")

Stretch = tuple[int, int, str]
"""Start and end in `Markup.text`, and the new text."""


def quoted(value: str) -> str:
    """A YAML scalar that means exactly `value`, in a list in brackets as well."""
    if _PLAIN.fullmatch(value) and not _NO_TEXT.fullmatch(value):
        return value
    text = json.dumps(_LONE.sub("\ufffd", value), ensure_ascii=False)
    return _ODD.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def set_keys(markup: Markup, values: Mapping[str, str | Sequence[str]]) -> list[Stretch]:
    """Write keys that may be there: a text in place of the present one, texts added to a list.

    Raises:
        ValueError: the front matter cannot be edited safely; the message says why.
    """
    if not values:
        return []
    if markup.frontmatter is None:
        blank = "" if not markup.text or markup.text.startswith("\n") else "\n"
        rows = "".join(f"{row}\n" for row in map(_row, values, values.values()))
        return [(0, 0, f"---\n{rows}---\n{blank}")]
    root, base = _compose(markup, values)
    found = []
    for key, value in values.items():
        node = _value(root, key)
        if node is None:
            found.append(_new_line(markup, root, base, _row(key, value)))
        elif isinstance(value, str):
            found.append(_set(node, markup, base, quoted(value)))
        else:
            found.append(_add(node, markup, base, [quoted(item) for item in value]))
    return found


def _row(key: str, value: str | Sequence[str]) -> str:
    text = quoted(value) if isinstance(value, str) else f"[{', '.join(map(quoted, value))}]"
    return f"{key}: {text}"


def _set(node: yaml.Node, markup: Markup, base: int, value: str) -> Stretch:
    start, end = _extent(node, markup, base)
    return start, end, value if end > start else f" {value}"


def _add(node: yaml.Node, markup: Markup, base: int, items: list[str]) -> Stretch:
    """Add to a list in the form that it has; a single text becomes a list."""
    start, end = _extent(node, markup, base)
    source = markup.text[start:end]
    if isinstance(node, yaml.SequenceNode) and node.value and not source.startswith("[["):
        last_start, last_end = _extent(node.value[-1], markup, base)
        if node.flow_style:
            return last_end, last_end, "".join(f", {item}" for item in items)
        stop = markup.text.find("\n", max(last_start, last_end))
        indent = " " * node.start_mark.column
        rows = "".join(f"\n{indent}- {item}" for item in items)
        return stop, stop, rows
    present = tuple(map(quoted, _single(node, source)))
    return _set(node, markup, base, f"[{', '.join((*present, *items))}]")


def _single(node: yaml.Node, source: str) -> tuple[str, ...]:
    """The names in what is no list: commas part them where there are no quotes."""
    if not isinstance(node, yaml.ScalarNode):
        return (source,) if node.value else ()
    if getattr(node, "style", None):
        return (node.value,)
    return () if node.value in ("", "~", "null") else split_names(node.value)


def _compose(markup: Markup, keys: Iterable[str]) -> tuple[yaml.MappingNode | None, int]:
    """The front matter's nodes, and where its text begins; no nodes where lines can be added."""
    matter = markup.frontmatter or ""
    try:
        root = yaml.compose(matter, Loader=_Safe)
    except (yaml.YAMLError, ValueError, RecursionError):
        if any(re.search(rf"^[ \t]*[\"']?{re.escape(key)}\b", matter, re.M) for key in keys):
            raise ValueError("its front matter is no YAML") from None
        root = None
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        raise ValueError("its front matter is no list of `key: value` lines")
    return root, markup.text.find("\n") + 1


def _value(root: yaml.MappingNode | None, key: str) -> yaml.Node | None:
    """The value of a key, else of one that stands for it, as `alias` does for `aliases`."""
    rows = root.value if root else []
    same = (value for name, value in rows if name.value == key)
    return next(same, None) or next(
        (value for name, value in rows if known_name(name.value) == key), None
    )


def _extent(node: yaml.Node, markup: Markup, base: int) -> tuple[int, int]:
    """Where a value stands, without the blank lines behind it."""
    start, end = base + node.start_mark.index, base + node.end_mark.index
    return start, max(start, start + len(markup.text[start:end].rstrip()))


def _new_line(markup: Markup, root: yaml.MappingNode | None, base: int, row: str) -> Stretch:
    matter = markup.frontmatter or ""
    indent = " " * (root.start_mark.column if root else 0)
    at = base + len(matter)
    before = "" if not matter or matter.endswith("\n") else "\n"
    return at, at, f"{before}{indent}{row}\n"
