"""Small pictures of a ratio: an interval on a logarithmic scale, and a curve over sizes."""

import functools
import hashlib
import io
import math
import re

from wiki_tools.render.words import number
from wiki_tools.stats import Interval

_LEFT, _RIGHT = 0.04, 0.96
"""Where the smallest and the largest value of a bar stand, as shares of its width."""


def bar(ratio: Interval, claimed: tuple[float, float] | None, label: str) -> str:
    """Draw an interval beside the range that was claimed, 1 marked, as a line of inline HTML."""
    values = [1.0, ratio.low, ratio.high]
    values += [v for v in claimed or () if 0 < v < math.inf]
    low, high = math.log(min(values)), math.log(max(values))
    if high - low < math.log(1.5):
        middle = (low + high) / 2
        low, high = middle - math.log(1.5) / 2, middle + math.log(1.5) / 2

    def place(value: float) -> float:
        if value <= 0:
            return 0.0
        if value == math.inf:
            return 100.0
        share = (math.log(value) - low) / (high - low)
        return round(100 * (_LEFT + share * (_RIGHT - _LEFT)), 1)

    parts = []
    if claimed:
        start, end = place(claimed[0]), place(claimed[1])
        parts.append(_piece("claimed", start, end))
    parts += [_piece("one", place(1.0)), _piece("span", place(ratio.low), place(ratio.high))]
    parts.append(_piece("dot", place(ratio.estimate)))
    return f'<span class="wiki-bar" role="img" aria-label="{label}">{"".join(parts)}</span>'


def _piece(kind: str, start: float, end: float | None = None) -> str:
    width = "" if end is None else f";width:{max(end - start, 0.5):.1f}%"
    return f'<i class="{kind}" style="left:{start}%{width}"></i>'


_INK, _DATA = "#010203", "#040506"
"""Stand-ins for the colours of the page, replaced in the SVG."""
_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "wiki",
    "font.size": 9,
    "axes.facecolor": "none",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(
        ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"), _INK
    ),
}


@functools.lru_cache(maxsize=256)
def curve(sizes: tuple[str, ...], ratios: tuple[Interval, ...], axis: str, label: str) -> str:
    """Draw ratios over sizes as one line of inline SVG in the colours of the page."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        figure = Figure(figsize=(4.6, 2.0), layout="constrained", frameon=False)
        canvas = FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        values = [ratio.estimate for ratio in ratios]
        below = [ratio.estimate - ratio.low for ratio in ratios]
        above = [ratio.high - ratio.estimate for ratio in ratios]
        axes.axhline(1, color=_INK, linewidth=0.8, linestyle=(0, (3, 3)))
        axes.errorbar(
            range(len(sizes)), values, yerr=[below, above], color=_DATA, marker="o", capsize=3
        )
        if max(values) > 4 * min(values):
            axes.set_yscale("log")
        axes.set_yticks([1], ["1×"])
        axes.set_yticks([], minor=True)
        for place, ratio in enumerate(ratios):  # off its interval and the line at 1
            slower = ratio.high < 1
            axes.annotate(
                f"{number(ratio.estimate)}×",
                (place, ratio.low if slower else ratio.high),
                (0, -7 if slower else 7),
                textcoords="offset points",
                ha="center",
                va="top" if slower else "baseline",
            )
        axes.set_xticks(range(len(sizes)), [_spaced(size) for size in sizes])
        axes.set_xlabel(axis)
        axes.margins(x=0.12, y=0.3)
        buffer = io.StringIO()
        canvas.print_svg(buffer, metadata={"Date": None, "Creator": None})
    return _inline(buffer.getvalue(), label)


def _spaced(size: str) -> str:
    """Write a large number of a sweep so that its digits can be counted."""
    return f"{int(size):,}" if size.isdecimal() and len(size) > 4 else size


def _inline(svg: str, label: str) -> str:
    """Cut a drawing down to what a line of Markdown can hold; its size becomes the page's."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<(metadata|style)\b.*?</\1>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)  # nothing asks for these
    mine = hashlib.sha256(svg.encode()).hexdigest()[:6]  # a page has many curves, and an id is one
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>v{mine}-", svg)
    svg = re.sub(r' xmlns(?::xlink)?="[^"]*"| version="[\d.]+"', "", svg)
    svg = svg.replace(_INK, "currentColor").replace(_DATA, "var(--wiki-data)")
    svg = svg.replace("<svg", f'<svg class="wiki-curve" role="img" aria-label="{label}"', 1)
    return re.sub(r">\s+<", "><", " ".join(svg.split()))
