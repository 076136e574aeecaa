"""Tells which tab a fence stands in: what is in one tab says nothing of the other."""

import re
from collections.abc import Iterator

from wiki_tools.markup import Fence

_OPENING = re.compile(
    r"""^([ \t]*)===[!+]? +["']([^"'\n]+)["']|<TabItem\b[^>]*\b(?:value|label)=["']([^"']+)["']"""
    r"""|^<(pt|tf|jax|flax|mlx)>[ \t]*$""",
    re.MULTILINE,
)
_CLOSING = re.compile(r"</TabItem>|^</(?:pt|tf|jax|flax|mlx)>", re.MULTILINE)
_MARKER = re.compile(r"\A\s*(?:#\s?@tab|%%tab)[ \t]+([^\n]+)")
"""How a book says in a fence's first line whose tab it is."""
_NAMES = {"pt": "pytorch", "tf": "tensorflow", "torch": "pytorch"}
_FRAMEWORKS = {"pytorch": "torch", "jax": "jax", "flax": "jax", "numpy": "numpy"}


def find_tabs(text: str, fences: tuple[Fence, ...]) -> dict[int, frozenset[str]]:
    """Give the labels of the tabs that fences stand in, by the fence's line; most stand in none."""
    places = list(_regions(text)) if "=== " in text or "<" in text else []
    tabs = {fence.line: _labels(fence, places) for fence in fences}
    return {line: labels for line, labels in tabs.items() if labels}


def framework_of(labels: frozenset[str]) -> str:
    """The framework that a tab is named after; empty where it is not."""
    words = {word for label in labels for word in re.findall(r"[a-z]+", label)}
    return next((_FRAMEWORKS[word] for word in sorted(words & _FRAMEWORKS.keys())), "")


def _labels(fence: Fence, places: list[tuple[int, int, str]]) -> frozenset[str]:
    marker = _MARKER.match(fence.code)
    if marker:
        labels = [_label(part) for part in marker[1].split(",")]
        return frozenset(labels) if "all" not in labels else frozenset()
    around = [label for start, end, label in places if start <= fence.span.start < end]
    return frozenset(around[-1:])


def _label(text: str) -> str:
    text = text.strip().casefold()
    return _NAMES.get(text, text)


def _regions(text: str) -> Iterator[tuple[int, int, str]]:
    """Give where each tab begins and ends, and its label."""
    for opening in _OPENING.finditer(text):
        if opening[2]:
            indented = re.compile(rf"^(?!{opening[1]}[ \t]|[ \t]*$)", re.MULTILINE)
            end = indented.search(text, opening.end() + 1)
        else:
            end = _CLOSING.search(text, opening.end())
        label = opening[2] or opening[3] or opening[4]
        yield opening.start(), end.start() if end else len(text), _label(label)
