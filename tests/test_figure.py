"""Figures that a run drew, as a page shows them: nothing in them runs, and both schemes read."""

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki_tools.render.figure import figure_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def drawn(**settings: Any) -> str:
    """A plot as matplotlib writes it."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "wiki", **settings}):
        figure = Figure(figsize=(3, 2))
        canvas = FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        axes.plot([1, 2, 3], [1, 4, 9], color="black", label="squares")
        axes.imshow([[0, 1], [1, 0]], extent=(1, 2, 1, 2))
        axes.legend()
        buffer = io.StringIO()
        canvas.print_svg(buffer, metadata={"Date": None})
    return buffer.getvalue()


def test_a_plot_is_a_line_in_the_colours_of_the_page() -> None:
    svg = figure_svg(drawn(), "A plot")
    assert svg.startswith("<svg ")
    assert "\n" not in svg
    assert 'aria-label="A plot' in svg
    assert "stroke:currentColor" in svg
    assert "fill:var(--md-default-bg-color,#fff)" in svg
    assert "#ffffff" not in svg
    assert "<image" in svg
    assert 'href="data:image/png;base64,' in svg


def test_a_plot_says_the_words_in_it_to_those_who_cannot_see_it() -> None:
    svg = figure_svg(drawn(), "A plot")
    assert 'aria-label="A plot: squares"' in svg
    assert figure_svg(svg, "Another") == figure_svg(svg, "A plot")
    assert "A plot: squares" in figure_svg(svg, "Another")
    lettered = '<svg><text>speed &amp; "cost"</text><text>10</text></svg>'
    assert 'aria-label="A plot: speed &amp; &quot;cost&quot;"' in figure_svg(lettered, "A plot")


def test_comments_without_an_end_are_read_once() -> None:
    assert figure_svg("<svg>" + "<!--" * 300_000 + "</svg>") == ""


def test_a_plot_for_elsewhere_keeps_its_own_colours() -> None:
    svg = figure_svg(drawn(), themed=False)
    assert "fill:#ffffff" in svg
    assert "var(" not in svg


def test_each_part_that_is_used_is_there_under_a_name_of_its_own() -> None:
    one, other = figure_svg(drawn()), figure_svg(drawn(**{"font.size": 12.0}))
    for svg in (one, other):
        names = re.findall(r'\bid="([^"]*)"', svg)
        assert len(names) == len(set(names))
        assert set(re.findall(r'(?:href="|url\()#([^")]*)', svg)) == set(names)
    assert not set(re.findall(r'\bid="([^"]*)"', one)) & set(re.findall(r'\bid="([^"]*)"', other))


def test_a_figure_stays_the_same_when_it_is_cleaned_again() -> None:
    plain = figure_svg(drawn(), themed=False)
    again = figure_svg(plain, themed=False)
    assert re.sub(r"f[0-9a-f]{8}-", "", plain) == re.sub(r"f[0-9a-f]{8}-", "", again)


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<g onload="alert(1)" onclick="alert(1)"/>',
        '<a xlink:href="javascript:alert(1)"><path d="M0 0"/></a>',
        '<foreignObject><iframe src="https://example.com"/></foreignObject>',
        '<image xlink:href="https://example.com/x.png"/>',
        '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
        '<use xlink:href="https://example.com/x.svg#y"/>',
        '<path style="fill: url(https://example.com/x)" d="M0 0"/>',
        '<path style="background-image: url(//example.com)" d="M0 0"/>',
        '<path fill="u\\72l(//example.com)" d="M0 0"/>',
        "<style>@import 'https://example.com/x.css';</style>",
        '<set attributeName="onmouseover" to="alert(1)"/>',
        '<animate attributeName="href" values="javascript:alert(1)"/>',
        '<svg onload="alert(1)"/>',
    ],
)
def test_nothing_in_a_figure_runs_or_reaches_out(inside: str) -> None:
    for themed in (True, False):
        svg = figure_svg(f"{HEAD}{inside}</svg>", themed=themed)
        assert svg.startswith("<svg ")
        left = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"alert|example|script|iframe|\bon\w+=|import|url\(|http", left)


@pytest.mark.parametrize(
    "svg",
    [
        "",
        "no svg",
        "<svg",
        "<html/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>',
        '<!DOCTYPE svg SYSTEM "file:///etc/passwd" [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg/>',
        HEAD + "<g>" * 5,
    ],
)
def test_what_cannot_be_read_is_not_shown(svg: str) -> None:
    assert figure_svg(svg) == ""


def test_a_figure_of_a_thousand_groups_in_one_another_breaks_nothing() -> None:
    svg = figure_svg(HEAD + "<g>" * 20_000 + "</g>" * 20_000 + "</svg>")
    assert svg.count("<g") < 100


def test_words_in_a_figure_are_words() -> None:
    svg = figure_svg(f"{HEAD}<text x='1'>a &lt;b&gt; &amp; c<tspan>d</tspan> e</text></svg>")
    assert '<text x="1">a &lt;b&gt; &amp; c<tspan>d</tspan>e</text>' in svg


@given(st.text(), st.text())
def test_any_text_makes_a_figure_or_nothing(inside: str, label: str) -> None:
    svg = figure_svg(f"{HEAD}{inside}</svg>", label)
    assert not svg or (svg.startswith("<svg ") and "<script" not in svg)
