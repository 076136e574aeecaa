import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.casefiles import Case, read_cases
from tests.support import make_page, seed_page
from wiki_tools.markup import Fence, Link, Markup, Span, find_prose, is_code, parse_markup, slugify
from wiki_tools.markup.body import Body
from wiki_tools.markup.headings import number_anchors
from wiki_tools.markup.matter import clean_text
from wiki_tools.markup.quick import read_body

PIECES = [
    "[[", "]]", "|", "#", "^b", "\n", "\n\n", "```", "~~~", "python ", "{.python .setup a=1}",
    "speedup=", '"', "> ", "- ", "  ", "%%", "<!--", "-->", "$", "\0", "\r", "\ufeff", "한", "🔗",
    "`", "![", "](", "a.md)", "# ", "## x {#x}", "---\n", "\\", "|---|\n", "[^1]: ", "\t", "**",
    "[[a]]", "5", "$$", "[r]", "[r]: a.md\n", "[[1]](#a)", "[![[a.png]]](b.md)", "<b>", "</b>\n",
    "1. ", "    ", "===\n", "|a|b|\n", "한글", "a", "~", "- [ ] ", "> [!note] ",
]  # fmt: skip
PLAIN = [
    "a b", "한글", "\n", "\n\n", "\n```\n", "\n```py\nx\n```\n", "\n# A b\n", "- a", "> a", "[[a]]",
    "> [!note] ", "![[a#b]]", "[[a|b]]", "[[a\\|b]]", "|a|b|\n", "|---|---|\n", "`a`", "`", "\\[",
    "\\`", "[", "]", "![", "](b.md)", "*", "**a**", "1. ", "2026-05-10", "  b", "\t", "===\n",
    "---\n", "<b>", "\n<!-- ", "$", ":", "#", " ^b1\n", "[r]: a.md\n", "\\]: ", "~~~", "\0",
    "\n!!! n\n", '\n=== "T"\n', "\n    ", "\n        ",
    "&amp;", "_", "{#x}", "\u3000", "\n\n|a|b|\n|-|-|\n", "> [!note]: a.md\n", "[!note]",
]  # fmt: skip
markdown = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


bodies = st.one_of(markdown, st.lists(st.sampled_from(PLAIN), max_size=30).map("".join))


def shown(link: Link) -> str:
    parts = [f"{link.span.line}:{link.span.column}", link.form, link.target]
    parts += [f"#{link.heading}"] if link.heading else []
    parts += [f"|{link.display}"] if link.display else []
    return " ".join(parts)


def fence_lines(fence: Fence) -> list[str]:
    attributes = [f"{key}={value}" for key, value in sorted(fence.attributes.items())]
    head = [str(fence.span.line), fence.language, fence.role, *attributes]
    return [" ".join(part for part in head if part), *(f"| {r}" for r in fence.code.splitlines())]


@pytest.mark.parametrize("case", read_cases("links"), ids=lambda case: case.title)
def test_links(case: Case) -> None:
    markup = parse_markup(case.text)
    assert [shown(link) for link in markup.links] == case.expected
    for link in markup.links:
        assert markup.text[link.span.start : link.span.end] == link.text


@pytest.mark.parametrize("case", read_cases("fences"), ids=lambda case: case.title)
def test_fences(case: Case) -> None:
    markup = parse_markup(case.text)
    lines = [line for fence in markup.fences for line in fence_lines(fence)]
    lines += [f"! {p.line}:{p.column} {p.code} {p.hint}" for p in markup.problems]
    assert lines == case.expected


def test_a_misspelt_role_is_an_error_and_an_unlike_word_a_warning() -> None:
    markup = parse_markup("```python basline\n```\n```python zzzz\n```\n")
    assert [problem.severity for problem in markup.problems] == ["error", "warning"]


def test_only_python_is_code() -> None:
    assert [is_code(language) for language in ("python", "PY", "python3")] == [True] * 3
    assert not any(is_code(language) for language in ("pycon", "bash", ""))


def test_the_seed_page_is_read_whole() -> None:
    markup = seed_page().markup
    assert len(markup.links) == 7
    assert len(markup.fences) == 8
    assert {fence.language for fence in markup.fences} == {"python"}
    assert len(markup.headings) == 20
    assert markup.problems == ()


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("💻 패턴", "-패턴"),
        ("Pattern 4 — Mixed Precision (Tensor Core)", "pattern-4--mixed-precision-tensor-core"),
        ("🧪 검증 / 중복", "-검증--중복"),
        ("a_b C++", "a_b-c"),
        ("", ""),
    ],
)
def test_an_anchor_keeps_its_alphabet(text: str, anchor: str) -> None:
    assert slugify(text) == anchor


@given(st.text())
def test_anchors_agree_with_pymdownx(text: str) -> None:
    slugs = pytest.importorskip("pymdownx.slugs")
    assert slugify(text, "_") == slugs.slugify(case="lower")(text, "_")


HEADINGS = """\
# Same
# Same
# Same
## Same_1
### 🔗
### 💻
# **Bold** `code` [link](x.md) a & b <i>c</i> 5 < 6 &amp; \\*
# Own words {#mine}
# mine
# a~b~ "q" -- 한글  두 칸
# 日本語 — テスト
# Ünïcode Ärger ẞ İ
# Привет, мир!
# عربي
# 👩‍💻 dev
# 1️⃣ first
# ⚙️ setup
# C# & F#
# a/b \\ c
# ~~struck~~ ==marked==
# `__init__` and snake_case_word
# 하강법
# image ![alt](x.png) end
# ![](x.png)
# a\\_b \\# c
# &copy; 2024 &lt;tag&gt; &#64;
# <kbd>Ctrl</kbd>+C
# <https://x.org> https://y.org
# Title #
# SAME
# ***both*** __strong__ _em_ *a*b
# x<sub>2</sub> and x<br>y
# <font color="#ffc000">Head</font>
# 매 한 줄 (One Line)
# Step 1: 설치·설정
# 100 %
# ² ½ Ⅳ ①
# `a <b> c` > d
# [link `code` *em*](x.md)
# $x^2$ and $\\alpha_1$
"""


def test_anchors_agree_with_the_site() -> None:
    markdown = pytest.importorskip("markdown")
    toc = {"toc": {"slugify": slugify}}
    made = markdown.Markdown(extensions=["toc", "attr_list"], extension_configs=toc)
    made.convert("\n\n".join(HEADINGS.splitlines()))
    rows = list(made.toc_tokens)
    anchors = []
    while rows:
        row = rows.pop(0)
        anchors.append(row["id"])
        rows = [*row["children"], *rows]
    markup = parse_markup(HEADINGS)
    assert [heading.anchor for heading in markup.headings] == anchors


def test_a_heading_reads_without_its_pictures() -> None:
    markup = parse_markup("# ![logo](a.png) One [![b](b.png)](c.md) ![[d.png]] Two\n")
    assert markup.headings[0].text == "One Two"
    assert [link.target for link in markup.links] == ["a.png", "c.md", "b.png", "d.png"]


@pytest.mark.parametrize("space", ["\u200b", "\ufeff", "\u200e", "\u2060", "\xa0", "\u3000"])
def test_what_nobody_sees_is_no_part_of_a_name(space: str) -> None:
    (link,) = parse_markup(f"[[{space}a b{space}#h{space}|c]]").links
    assert (link.target, link.heading) == ("a b", "h")


def test_a_name_keeps_the_form_of_its_letters() -> None:
    names = [unicodedata.normalize(form, "하강법") for form in ("NFC", "NFD")]
    links = parse_markup(" ".join(f"[[{name}]]" for name in names)).links
    assert [link.target for link in links] == names
    assert [link.span.column for link in links] == [1, 9]


def test_a_heading_knows_its_own_slug_and_where_its_section_ends() -> None:
    markup = parse_markup("# A\n\na\n\n## B {#bee}\n\nb\n\n# C\n")
    a, b, c = markup.headings
    assert (b.slug, b.anchor, b.text) == ("bee", "bee", "B")
    assert markup.text[a.span.start : a.end].endswith("b\n\n")
    assert b.end == c.span.start
    assert c.end == len(markup.text)


def test_block_ids_end_a_line_outside_code() -> None:
    text = "A paragraph. ^b1\n\n- item ^b-2\n\n^b3\n\n```\nx ^no\n```\n\n`a ^no`\n\n2^10\n"
    assert parse_markup(text).blocks == ("b1", "b-2", "b3")


def test_ids_in_html_are_anchors() -> None:
    assert parse_markup('<a id="one"></a>\n\ntext <span id=two>x</span>\n').anchors == (
        "one",
        "two",
    )


def test_prose_is_paragraphs_items_quotes_and_cells() -> None:
    text = "# H\n\none\ntwo\n\n- three **x**\n  - four\n\n> five\n\n"
    text += "|six|\n|-|\n|seven|\n\n```\nno\n```\n"
    markup = parse_markup(text)
    assert [markup.text[span.start : span.end].strip() for span in find_prose(markup)] == [
        "one\ntwo", "three **x**", "four", "five", "six", "seven",
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_endings_and_a_byte_order_mark_do_not_move_lines(ending: str) -> None:
    lines = ["\ufeff---", "id: x", "---", "", "[[a]]", "```python", "x", "```"]
    markup = parse_markup(ending.join(lines))
    assert markup.frontmatter == "id: x\n"
    assert (markup.links[0].span.line, markup.links[0].span.column) == (5, 1)
    assert markup.fences[0].line == 7


def test_a_nul_byte_is_said_with_its_place() -> None:
    (problem,) = parse_markup("a\nb\0c\0").problems
    assert (problem.code, problem.line, problem.column) == ("nul-byte", 2, 2)


def spans_slice_back(markup: Markup) -> None:
    starts = [0, *(at + 1 for at, sign in enumerate(markup.text) if sign == "\n")]

    def is_placed(span: Span) -> bool:
        ahead = span.start - starts[span.line - 1]
        in_line = span.line == len(starts) or span.start < starts[span.line]
        return 0 <= ahead == span.column - 1 and in_line and span.end <= len(markup.text)

    for link in markup.links:
        assert markup.text[link.span.start : link.span.end] == link.text
        assert is_placed(link.span)
        assert link.target or link.heading
    assert [*markup.links] == sorted(markup.links, key=lambda link: link.span.start)
    for fence in markup.fences:
        assert is_placed(fence.span)
        assert is_placed(fence.info_span)
        assert fence.line == fence.span.line + 1
        inside = (fence.span.start <= link.span.start < fence.span.end for link in markup.links)
        assert not any(inside)
        assert markup.text[fence.info_span.start : fence.info_span.end] == fence.info
        assert markup.text[fence.span.start : fence.span.end].startswith(("```", "~~~"))
        assert fence.code.endswith("\n") or not fence.code
    for heading in markup.headings:
        assert heading.span.end <= heading.end <= len(markup.text)
        assert is_placed(heading.span)
    last = markup.body
    for prose in find_prose(markup):
        assert last <= prose.start <= prose.end
        assert is_placed(prose)
        last = prose.end


@given(markdown)
def test_spans_slice_back_to_their_source(text: str) -> None:
    spans_slice_back(parse_markup(text))


@given(markdown)
def test_no_text_holds_one_anchor_twice(text: str) -> None:
    made = [heading.anchor for heading in parse_markup(text).headings if not heading.slug]
    assert len(made) == len(set(made))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_normal_forms_have_one_anchor(text: str) -> None:
    assert slugify(unicodedata.normalize("NFD", text)) == slugify(
        unicodedata.normalize("NFC", text)
    )


def test_ten_thousand_same_headings_take_no_quadratic_time() -> None:
    markup = parse_markup("# a\n" * 10_000)
    assert markup.headings[-1].anchor == "a_9999"


@given(st.lists(st.sampled_from(["a", "a_1", "a_2", "a_01", "a_1_1", "b", ""])))
def test_numbered_anchors_agree_with_python_markdown(texts: list[str]) -> None:
    toc = pytest.importorskip("markdown.extensions.toc")
    taken: set[str] = set()
    assert number_anchors((text, "") for text in texts) == [
        toc.unique(slugify(text), taken) for text in texts
    ]


HOSTILE = {
    "brackets": "[", "embeds": "![[", "closed": "]]", "links": "[[a]]", "one line": "[[a|b]] ",
    "images": "[![[a]]](b) ", "citations": "[[a]](x://", "titles": '[[a]](#b "', "comments": "%%",
    "a comment each": "a %% b ", "comment each line": "a %% b\n\n", "html": "<!--",
    "html comments": "<!-- a -->", "code": "`", "code spans": "`a` ``", "prices": "$[[a]]",
    "maths": "$", "display": "$$", "quotes": "> ", "nested quotes": "> > a\n", "tags": "<",
    "tags with ids": "<a id=", "paragraphs": "<p ", "carets": "^a", "block ids": " ^a\n",
    "fences": "```\n", "tildes": "~~~a\n", "hashes": "# ", "headings": "# a\n",
    "numbered": "# a_1\n", "tagged": "# <", "items": "- ", "indented": "    a\n", "cells": "|a",
    "rows": "|a|b|\n|-|-|\n", "paid": "$5[[a]]", "both": "$$a$5",
    "references": "[a]: b\n", "used": "[a][b] ", "notes": "[^a]", "escapes": "\\[",
    "addresses": "](a)", "emphasis": "*a_", "letters": "한", "breaks": "\n", "spaces": " ",
    "attributes": "```python a=", "matter": "---\n", "entities": "&amp;",
}  # fmt: skip


def seconds(text: str) -> float:
    """What reading takes, as far as other programs let it be known."""
    took = []
    for _ in range(2):
        start = time.process_time()
        find_prose(parse_markup(text))
        took.append(time.process_time() - start)
    return min(took)


@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_text_takes_no_sixteen_times_the_time(name: str) -> None:
    piece = HOSTILE[name]
    short, long = piece * (20_000 // len(piece)), piece * (80_000 // len(piece))
    assert any(seconds(long) < max(9 * seconds(short), 0.05) for _ in range(3))


@pytest.mark.parametrize(
    "text",
    [
        "<!--" * 50_000, "a %% b\n\n" * 50_000, "[[" * 50_000, "# " + "<" * 100_000,
        "<p " + "<" * 100_000 + "\n", "^a" * 50_000, "```" + "a" * 100_000 + "=\n", "> " * 20_000,
        "![" * 10_000 + "](a)" * 10_000, "$" * 50_000, "`" * 50_001 + "a", "# a_1\n" * 10_000,
        "!!! a\n" + "    b\n\n" * 20_000, "!!! a\n\n    b\n\n" * 10_000,
        "".join("    " * depth + "!!! a\n\n" for depth in range(300)),
        "---\na: " + " " * 50_000 + "@x" + " " * 50_000 + "y\n---\n", "|a" * 20_000 + "\n",
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_no_text_takes_quadratic_time(text: str) -> None:
    spans_slice_back(make_page(text).markup)


@example("> [!note]: b.md\n\n> [!note] a\n")  # not a callout: it says where links of that name lead
@example("[[b]]\n\n!!! a\n\n    [[c]]\n")
@given(bodies)
def test_what_is_read_quickly_is_what_the_parser_reads(text: str) -> None:
    text = clean_text(text)
    quick, whole = read_body(text, 0), Body(text)
    whole.parse(0, len(text), 1)
    for name in ("links", "headings", "fences", "anchors", "problems"):
        assert getattr(quick, name) == getattr(whole, name)
    offsets = [at for at, character in enumerate(text) if character != "\n"]
    assert quick.find_opaque(offsets) == whole.find_opaque(offsets)


def test_a_body_of_ten_thousand_doubts_is_read_in_linear_time() -> None:
    assert len(read_body("a [ b [[c]]\n\n" * 10_000, 0).links) == 10_000
    assert len(read_body("a [ b\n\n  [[c]]\n\n" * 10_000, 0).links) == 10_000
