"""A figure that a run drew: cut down to what a picture needs, in the colours of the page.

A snippet's process wrote it, and nothing that such a process writes may run in a browser. So what
is not known to be harmless is left out, and a figure that cannot be read is not shown.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from xml.etree import ElementTree

# fmt: off
_TAGS = frozenset({
    "svg", "g", "defs", "path", "use", "clipPath", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "text", "tspan", "image", "linearGradient", "radialGradient", "stop",
})
_NAMES = frozenset({
    "id", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "width",
    "height", "viewBox", "points", "transform", "offset", "preserveAspectRatio", "gradientUnits",
    "gradientTransform", "spreadMethod", "clipPathUnits",
})
_STYLES = frozenset({
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "opacity", "clip-path", "clip-rule", "font", "font-size", "font-family",
    "font-weight", "font-style", "text-anchor", "dominant-baseline", "stop-color", "stop-opacity",
    "image-rendering",
})
# fmt: on
_VALUE = re.compile(r"[\w\s#.,%()+'-]*")
_ADDRESS = re.compile(r"url\(#([\w-]+)\)")
_LONG = re.compile(r"(\d\.\d\d)\d+")
"""A coordinate with more digits than a screen has room for."""
_SPOKEN = re.compile(r"[^\W\d_]")
_PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]+")
_DECLARED = re.compile(r"<\?xml[^>]*\?>|<!DOCTYPE[^>\[]*>")
_LONGEST = 200
"""Characters of a figure's own words that are read out for those who cannot see it."""
_DEEPEST = 64
"""Elements inside one another; matplotlib's own have about ten."""
_THEME = {
    "#000000": "currentColor",
    "black": "currentColor",
    "#ffffff": "var(--md-default-bg-color,#fff)",
    "white": "var(--md-default-bg-color,#fff)",
}
"""Ink and paper of a plot, as those of the page are in either scheme."""
_BASE = {"stroke-linejoin": "round", "stroke-linecap": "butt"}


def figure_svg(svg: str, label: str = "", *, themed: bool = True) -> str:
    """Write a figure as one line of inline SVG; empty where it cannot be read.

    Args:
        svg: what a run recorded.
        label: what it is, for those who cannot see it.
        themed: in the page's colours for ink and paper, else in its own.
    """
    text = _DECLARED.sub("", svg)
    bare, comments = _comments(text)
    if "<!" in bare:
        return ""  # entities: one can be made to stand for gigabytes
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return ""
    if _local(root.tag) != "svg":
        return ""
    writer = _Writer(svg, themed)
    if label:
        label = _label(root, comments, label)
    return "".join(writer.element(root, _root(label, themed), 0))


def _comments(text: str) -> tuple[str, list[str]]:
    """A text without its comments, and these; one that has no end stays."""
    first, *rest = text.split("<!--")
    kept, comments = [first], []
    for part in rest:
        comment, end, after = part.partition("-->")
        kept.append(after if end else f"<!--{part}")
        comments.append(comment)
    return "".join(kept), comments


def _label(root: ElementTree.Element, comments: Iterable[str], label: str) -> str:
    """What a figure is called already, else what it is and the words in it.

    matplotlib draws letters as paths, each text with a comment that says it.
    """
    known = " ".join(root.get("aria-label", "").split())
    if known:
        return known[: 2 * _LONGEST]
    texts = [element.text or "" for element in root.iter() if _local(element.tag) == "text"]
    found = dict.fromkeys(" ".join(text.split()) for text in (*comments, *texts))
    words = ", ".join(text for text in found if _SPOKEN.search(text) and "$" not in text)
    words = words if len(words) <= _LONGEST else words[:_LONGEST] + "…"
    return f"{label}: {words}" if words else label


def _root(label: str, themed: bool) -> dict[str, str]:
    """The attributes that a figure's own element has beside its size."""
    style = _BASE | ({"fill": "currentColor"} if themed else {})
    written = ";".join(f"{name}:{value}" for name, value in style.items())
    found = {"class": "wiki-figure", "role": "img", "style": written}
    return (
        found | ({"aria-label": label} if label else {}) | {"xmlns": "http://www.w3.org/2000/svg"}
    )


class _Writer:
    """Writes elements anew, with ids that no other figure of a page has."""

    def __init__(self, svg: str, themed: bool) -> None:
        self._mark = hashlib.sha256(svg.encode("utf-8", "replace")).hexdigest()[:8]
        self._used = set(re.findall(r"(?:url\(|href=[\"'])#([\w-]+)", svg))
        self._themed = themed

    def element(
        self, element: ElementTree.Element, more: Mapping[str, str], depth: int
    ) -> Iterator[str]:
        tag = _local(element.tag)
        if tag not in _TAGS or depth > _DEEPEST or (tag == "svg") != (depth == 0):
            return
        attributes = {**dict(self._attributes(tag, element)), **more}
        if tag in ("use", "image") and "href" not in attributes:
            return
        written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        inner = list(self._inner(element, tag, depth))
        yield f"<{tag}{written}>" if inner else f"<{tag}{written}/>"
        yield from inner
        if inner:
            yield f"</{tag}>"

    def _inner(self, element: ElementTree.Element, tag: str, depth: int) -> Iterator[str]:
        spoken = tag in ("text", "tspan")
        if spoken and element.text:
            yield escape(" ".join(element.text.split()))
        for child in element:
            yield from self.element(child, {}, depth + 1)
            if spoken and child.tail:
                yield escape(" ".join(child.tail.split()))

    def _attributes(self, tag: str, element: ElementTree.Element) -> Iterator[tuple[str, str]]:
        for written, value in element.attrib.items():
            name = _local(written)
            if name == "id":
                if value in self._used:
                    yield "id", self._name(value)
            elif name == "href":
                yield from self._href(tag, value)
            elif name == "style":
                if (kept := ";".join(self._styles(value))) and tag != "svg":
                    yield "style", kept
            elif (name in _NAMES or name in _STYLES) and (worth := self._worth(value)):
                yield name, _LONG.sub(r"\1", worth) if name in ("d", "points") else worth

    def _styles(self, value: str) -> Iterator[str]:
        for part in value.split(";"):
            name, _, written = part.partition(":")
            if name.strip() in _STYLES and (worth := self._worth(written)):
                yield f"{name.strip()}:{worth}"

    def _href(self, tag: str, value: str) -> Iterator[tuple[str, str]]:
        if tag == "use" and re.fullmatch(r"#[\w-]+", value):
            yield "href", "#" + self._name(value[1:])
        elif tag == "image" and _PICTURE.fullmatch(value):
            yield "href", "".join(value.split())

    def _worth(self, value: str) -> str:
        """A value that does no harm, else nothing."""
        value = " ".join(value.split())
        bare = _ADDRESS.sub("", value)
        if "url" in bare.casefold() or not _VALUE.fullmatch(bare):
            return ""
        value = _ADDRESS.sub(lambda m: f"url(#{self._name(m[1])})", value)
        return _THEME.get(value, value) if self._themed else value

    def _name(self, name: str) -> str:
        return f"f{self._mark}-{name}"


def _local(name: str) -> str:
    """A name without its namespace."""
    return str(name).rpartition("}")[2]
