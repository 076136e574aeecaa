"""What a reader gets to see of pages and their evidence."""

import html as entities
import math
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import markdown
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reports as made
from tests.support import make_page, seed_config, seed_page
from wiki_tools.config import Config
from wiki_tools.graph import link_pages
from wiki_tools.mkdocs_plugin.settings import EXTENSIONS
from wiki_tools.protocol import Conditions, Status
from wiki_tools.render import render_wiki
from wiki_tools.render.bar import bar, curve
from wiki_tools.render.body import body_text
from wiki_tools.render.dialect import to_dialect
from wiki_tools.render.maths import to_mathml
from wiki_tools.render.site import index_site
from wiki_tools.render.text import address, escape, plain
from wiki_tools.render.words import LANGUAGES, WORDS, day, duration, number, say
from wiki_tools.report import ComparisonReport, PageReport, PageStatus
from wiki_tools.snippets import Snippet
from wiki_tools.stats import Interval
from wiki_tools.verdicts import Judgement

PATTERN = """---
title: Fusing
aliases: [Kernel fusion, 커널 융합]
status: verified
---
# Fusing

## Patterns
### Pattern 1 — Compile
```python speedup=2..8
y = f(x)
```

Text after.
"""


def html(text: str) -> str:
    """What a site makes of rendered Markdown."""
    return str(
        markdown.markdown(
            text.split("---\n", 2)[2] if text.startswith("---\n") else text,
            extensions=list(EXTENSIONS),
            extension_configs={name: dict(options) for name, options in EXTENSIONS.items()},
        )
    )


def render(config: Config, reports: list[PageReport] | None = None) -> dict[str, str]:
    """Render a vault; path in the tree to text."""
    pages = made.load_pages(config)
    if reports is None:
        reports = [made.make_report(page, made.fence_snippets(page)) for page in pages]
    out = config.root / "out"
    render_wiki(config, pages, link_pages(pages, config), reports, out)
    return {
        file.relative_to(out).as_posix(): file.read_text(encoding="utf-8", errors="replace")
        for file in out.rglob("*")
        if file.is_file()
    }


Compared = Callable[[Snippet], Sequence[ComparisonReport]]


def render_pattern(
    root: Path,
    text: str = PATTERN,
    status: Status = Status.PASSED,
    comparisons: Compared = lambda _: (),
    outdated: bool = False,
    **outcome: Any,
) -> str:
    """Render a page with one pattern as one environment saw it."""
    config = made.make_vault(root, {"fusing.md": text})
    (page,) = made.load_pages(config)
    (snippet,) = made.fence_snippets(page)
    environment = made.make_environment(
        [
            made.make_seen(
                snippet,
                made.make_evidence(snippet, status=status, **outcome),
                comparisons(snippet),
                outdated=outdated,
            )
        ],
        status=PageStatus.VERIFIED,
    )
    return render(config, [made.make_report(page, [snippet], [environment])])["fusing.md"]


# --- links ------------------------------------------------------------------------------------


def test_wikilinks_become_relative_links(tmp_path: Path) -> None:
    config = made.make_vault(
        tmp_path,
        {"a/One page.md": "[[Two]] and [[two#Part|the part]]", "b/Two.md": "# Two\n## Part\n"},
    )
    text = render(config)["a/One page.md"]
    assert "[Two](../b/Two.md)" in text
    assert "[the part](../b/Two.md#part)" in text


def test_addresses_of_names_with_spaces_and_brackets_are_legal(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": "[[Two (2)]]", "Two (2).md": "x"})
    assert "[Two (2)](Two%20%282%29.md)" in render(config)["a.md"]


def test_wanted_pages_are_marked_and_are_no_dead_links(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": "See [[Not-There|there]]."})
    text = render(config)["a.md"]
    assert '<span class="wiki-wanted" title="no such page yet">there</span>' in text
    assert "](" not in text.split("there</span>")[0].split("See")[1]


def test_links_lead_to_the_readers_language(tmp_path: Path) -> None:
    files = {"a.md": "[[b]]", "a.ko.md": "[[b]]", "b.md": "# B\n", "b.ko.md": "# 비\n"}
    tree = render(made.make_vault(tmp_path, files))
    assert "(b.md)" in tree["a.md"]
    assert "(b.ko.md)" in tree["a.ko.md"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[[Low-Rank]]", "Low rank & more"),
        ("[[m/Low-Rank.md]]", "Low rank & more"),
        ("[[low-id]]", "Low rank & more"),
        ("[](m/Low-Rank.md)", "Low rank & more"),
        ("[[Low-Rank#Why]]", "Low rank & more › Why"),
        ("[[low rank & more]]", "low rank & more"),
        ("[[LoRA]]", "LoRA"),
        ("[[Low-Rank|so]]", "so"),
        ("[so](m/Low-Rank.md)", "so"),
    ],
)
def test_a_link_shows_its_words_else_the_title_of_its_page(
    tmp_path: Path, written: str, shown: str
) -> None:
    target = "---\nid: low-id\ntitle: Low rank & more\naliases: [LoRA]\n---\n# Low rank\n## Why\n"
    files = {"a.md": f"See {written} now.\n", "m/Low-Rank.md": target}
    tree = render(made.make_vault(tmp_path, files))
    assert f"See {shown} now." in entities.unescape(re.sub("<.*?>", "", html(tree["a.md"])))
    if written.startswith("[["):
        quoted = html(tree["m/Low-Rank.md"])
        assert f"See <strong>{shown}</strong> now." in entities.unescape(quoted)


def test_a_link_shows_the_title_in_its_own_language(tmp_path: Path) -> None:
    files = {"a.ko.md": "[[b]]은 먼저다.", "b.md": "# Bee\n", "b.ko.md": "# 벌\n", "a.md": "x"}
    tree = render(made.make_vault(tmp_path, files))
    assert "[벌](b.ko.md)은" in tree["a.ko.md"]


def test_links_in_tables_and_code_survive(tmp_path: Path) -> None:
    text = "| a | b |\n|---|---|\n| [[b\\|B]] | `[[b]]` |\n"
    rendered = html(render(made.make_vault(tmp_path, {"a.md": text, "b.md": "x"}))["a.md"])
    assert '<td><a href="b.md">B</a></td>' in rendered
    assert "<code>[[b]]</code>" in rendered


def test_an_embedded_section_is_shown_with_where_it_is_from(tmp_path: Path) -> None:
    files = {
        "a.md": "Before\n\n![[b#Part]]\n\nAfter\n",
        "b.md": "# B\nintro\n## Part\nbody [[a]]\n```python\n# no heading\n```\n## Next\nno\n",
    }
    text = render(made.make_vault(tmp_path, files))["a.md"]
    assert "From [B](b.md#part)" in text
    assert "body [a](a.md)" in text
    assert "# no heading" in text
    assert "intro" not in text
    assert "**Next**" not in text


def test_pages_that_embed_each_other_end(tmp_path: Path) -> None:
    tree = render(made.make_vault(tmp_path, {"a.md": "![[b]]\n", "b.md": "![[a]]\n"}))
    assert "From [b](b.md)" in tree["a.md"]


def test_embedded_images_keep_their_size_and_are_carried(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"x/a.md": "![[p.png|400]]"})
    (config.docs / "img").mkdir()
    (config.docs / "img" / "p.png").write_bytes(b"\x89PNG")
    tree = render(config)
    assert '![p.png](../img/p.png){ width="400" }' in tree["x/a.md"]
    assert "img/p.png" in tree


def test_backlinks_give_the_sentence_and_the_relation(tmp_path: Path) -> None:
    files = {
        "a.md": "# A\nFirst. Every model is [[b|matrix work]] in the end. Last.\n",
        "c.md": "# C\n## Graph\n- Parent: [[b]]\n",
        "b.md": "# B\n",
    }
    text = render(made.make_vault(tmp_path, files))["b.md"]
    assert "## Linked from" in text
    assert "As parent: [C](c.md)" in text
    assert "- [A](a.md): Every model is <strong>matrix work</strong> in the end." in text
    assert "First" not in text


def test_a_backlink_marks_the_link_and_not_the_same_words_before_it(tmp_path: Path) -> None:
    files = {"a.md": "# A\nThe b of *b* is [[b]](c)를 b.\n", "b.md": "# B\n"}
    text = render(made.make_vault(tmp_path, files))["b.md"]
    assert "The b of b is <strong>b</strong>(c)를 b." in text


def test_a_name_of_a_page_takes_no_quadratic_time(tmp_path: Path) -> None:
    long = "a" * 50_000
    config = made.make_vault(tmp_path, {"a.md": f"---\naliases: [{long}]\n---\n# A\n"})
    assert f"{long}</p>" in render(config)["a.md"]


def test_a_backlink_that_stands_alone_repeats_no_words(tmp_path: Path) -> None:
    files = {"a.md": "# A\n- [[b|this]]\n", "b.md": "# B\n"}
    text = render(made.make_vault(tmp_path, files))["b.md"]
    assert "[A](a.md)" in text
    assert "this" not in text


@pytest.mark.parametrize(("path", "shown"), [("a.md", True), ("index.md", False)])
def test_the_page_that_readers_arrive_at_opens_with_its_own_words(
    tmp_path: Path, path: str, shown: bool
) -> None:
    matter = "---\ntitle: T\nstatus: review\naliases: [Other, t]\ntags: [x]\n---\n# T\nWords.\n"
    text = render(made.make_vault(tmp_path, {path: matter}))[path]
    assert ("declared <strong>review</strong>" in text) is shown
    assert ("Also called: Other<" in text) is shown


def test_sources_and_tags_are_folded_above_patterns(tmp_path: Path) -> None:
    matter = "---\ntitle: T\ntags: [x]\nraw_sources: ['https://a.org/b']\n---\n# T\n"
    code = "## Patterns\n### Pattern 1\n```python\nx = 1\n```\n"
    text = render(made.make_vault(tmp_path, {"a.md": matter + code}))["a.md"]
    assert '??? wiki-fold "Sources · Tags"' in text
    assert "- <https://a.org/b>" in text


def test_a_long_sentence_is_cut_between_words(tmp_path: Path) -> None:
    words = " ".join(f"word{n:03}" for n in range(30))
    files = {"a.md": f"# A\n{words} [[b]] {words}.\n", "b.md": "# B\n"}
    text = render(made.make_vault(tmp_path, files))["b.md"]
    (line,) = [line for line in text.splitlines() if line.startswith("- [A]")]
    before, _, after = line.partition(": …")[2].rpartition("…")[0].partition("<strong>b</strong>")
    assert all(re.fullmatch(r"word\d{3}", word) for word in (*before.split(), *after.split()))
    assert len(before.split()) > 5 < len(after.split())


def test_duplicates_send_their_readers_on(tmp_path: Path) -> None:
    files = {
        "a.md": "---\nid: a\n---\n# A\n",
        "old.md": "---\nid: old\nduplicate_of: a\n---\n# Old\nlong text\n",
        "c.md": "[[old#Old|it]]",
    }
    tree = render(made.make_vault(tmp_path, files))
    text = tree["old.md"]
    assert "[it](a.md)" in tree["c.md"]
    assert "(old.md)" not in tree["index.md"]
    assert "redirect: a.md" in text
    assert "Read [A](a.md) instead." in text
    assert "long text" not in text


# --- text -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**When**:\n- one\n- two\n", "<ul>\n<li>one</li>"),
        ("- a\n  - b\n", "<li>a<ul>\n<li>b</li>"),
        ("1. a\n   - b\n", "<li>a<ul>\n<li>b</li>"),
        ("1) a\n2) b\n", "<ol>\n<li>a</li>"),
        ("text\n| a |\n|---|\n| 1 |\n", "<td>1</td>"),
        ("> text\n> - a\n", "<blockquote>\n<p>text</p>\n<ul>"),
        ("> [!important] Mind\n> this\n", '<p class="admonition-title">Mind</p>\n<p>this</p>'),
        ("> [!note]- Fold\n> this\n", "<summary>Fold</summary>"),
        ("<details><summary>s</summary>\n\n**b**\n\n</details>\n", "<strong>b</strong>"),
    ],
)
def test_what_github_shows_the_site_shows(text: str, expected: str) -> None:
    assert expected in html(to_dialect(text))


def test_code_inside_a_list_stays_code() -> None:
    text = "- a\n\n  ```text\n  x\n    y\n  ```\n\n- b\n"
    assert "x\n  y" in re.sub(r"<[^>]+>", "", html(to_dialect(text)))


def test_text_that_needs_nothing_is_left_alone() -> None:
    text = "# A\n\ntext\n\n- a\n- b\n\n```python\n- no list\n> [!note] no callout\n```\n"
    assert to_dialect(text) == text


def test_headings_have_the_anchors_that_links_use(tmp_path: Path) -> None:
    titles = ["# 매 한 줄", "## 🔗 Graph", "## Same", "## Same", "## Own {#mine}", "Title\n-----"]
    text = "\n\n".join([*titles, "## `a_b` *c* ##\n"])
    config = made.make_vault(tmp_path, {"a.md": text})
    (page,) = made.load_pages(config)
    ids = re.findall(r'<h\d id="([^"]*)"', html(render(config)["a.md"]))
    assert ids == [heading.anchor for heading in page.markup.headings]


@pytest.mark.parametrize("display", [False, True])
def test_formulas_become_mathml(display: bool) -> None:
    rendered = html(f"a {to_mathml(r'x_i * y^*_j | z', display=display)} b")
    assert "<math" in rendered
    assert "<em>" not in rendered
    assert "<msub>" in rendered


def test_a_broken_formula_shows_its_source() -> None:
    assert "frac" in to_mathml(r"\frac{a", display=False)


def test_prices_are_no_formulas(tmp_path: Path) -> None:
    text = render(made.make_vault(tmp_path, {"a.md": "US$5 or US$6"}))["a.md"]
    assert "US$5 or US$6" in text


def test_comments_are_not_published(tmp_path: Path) -> None:
    text = render(
        made.make_vault(tmp_path, {"a.md": "a %%hidden%% b <!-- hidden --> c `%%kept%%`"})
    )
    assert "hidden" not in text["a.md"]
    assert "%%kept%%" in text["a.md"]


# --- fences -----------------------------------------------------------------------------------


def fence_lines(root: Path, text: str) -> list[str]:
    tree = render(made.make_vault(root, {"a.md": text}))
    return [line for line in tree["a.md"].splitlines() if line.startswith("```")]


def test_a_fence_keeps_only_what_highlighters_know(tmp_path: Path) -> None:
    text = '```python speedup=2..8 on=cuda>=8.0 title="a.py" hl_lines="1 3-4" linenums=1\nx\n```\n'
    opening, closing = fence_lines(tmp_path, text)
    assert opening == '```python title="a.py" hl_lines="1 3-4" linenums="1"'
    assert closing == "```"


@pytest.mark.parametrize(
    "role", ["setup", "baseline", "antipattern", "check", "continues", "no-run"]
)
def test_a_fences_role_is_its_label(tmp_path: Path, role: str) -> None:
    opening, _ = fence_lines(tmp_path, f"```python {role}\nx = 1\n```\n")
    assert opening == f'```python title="{say("en", f"role-{role}")}"'


def test_an_unclosed_fence_ends_with_its_page(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": "```text\nx", "b.md": "[[a]]"})
    text = render(config)["a.md"]
    assert "```text\nx\n```\n" in text
    assert "Linked from" in html(text)
    assert "<code>x" in re.sub(r"<span[^>]*>|</span>", "", html(text))


# --- evidence ---------------------------------------------------------------------------------


def torch_compile(judgement: Judgement = Judgement.CONFIRMED, **fields: str) -> Compared:
    return lambda snippet: [
        made.make_comparison(
            snippet,
            3.72,
            3.51,
            3.94,
            claims=[(made.make_claim(snippet, 2, 8, "2..8", **fields), judgement)],
        )
    ]


def measured(**fields: Any) -> Compared:
    """A comparison of which more is known."""

    def compared(snippet: Snippet) -> list[ComparisonReport]:
        one = made.make_comparison(snippet, 3.72, 3.51, 3.94)
        assert one.measurement is not None
        return [replace(one, measurement=replace(one.measurement, **fields))]

    return compared


def test_a_row_says_where_it_ran_how_much_faster_it_is_and_what_became_of_the_claim(
    tmp_path: Path,
) -> None:
    rendered = html(render_pattern(tmp_path, comparisons=torch_compile()))
    words = " ".join(re.sub(r"<[^>]+>", " ", rendered).split())
    assert "passed on AMD EPYC 9V74 (CPU) · 30 Nov 2026" in words
    text = re.sub(r"<[^>]+>", "", rendered)
    assert "3.7x (3.5 to 3.9) over the same code without torch.compile" in text
    assert re.search(r"claim 2\.\.8 +confirmed", words)
    assert text.index("y = f(x)") < text.index("passed on") < text.index("Text after")


@pytest.mark.parametrize(
    ("error", "fresh", "said", "unsaid"),
    [
        (0.0, True, "identical results", "one set of inputs"),
        (3.2e-7, None, "results agree to 3e-07", "one set of inputs"),
        (3.2e-7, False, "compared on one set of inputs only", "identical"),
        (None, None, "2 threads", "results"),
    ],
)
def test_a_row_says_how_far_results_agree(
    tmp_path: Path, error: float | None, fresh: bool | None, said: str, unsaid: str
) -> None:
    text = render_pattern(tmp_path, comparisons=measured(max_error=error, fresh=fresh))
    assert said in text
    assert unsaid not in text


@pytest.mark.parametrize(
    ("calls", "said"), [(4000, ", pays off after 4,000 calls"), (9, ""), (None, "")]
)
def test_a_row_says_when_a_compilation_pays_off(
    tmp_path: Path, calls: int | None, said: str
) -> None:
    text = render_pattern(tmp_path, comparisons=measured(pays_off=calls))
    assert f"first call 2.3 s{said}" in text
    assert ("pays off" in text) == bool(said)


def test_a_row_says_that_a_claim_is_smaller_than_the_noise(tmp_path: Path) -> None:
    def compared(snippet: Snippet) -> list[ComparisonReport]:
        (one,) = torch_compile(Judgement.INCONCLUSIVE)(snippet)
        (verdict,) = one.verdicts
        assert one.measurement is not None
        seen = replace(one.measurement, ratio=INSIDE, floor=0.034)
        claim = replace(verdict.claim, low=1.0, high=math.inf)
        return [replace(one, verdicts=(replace(verdict, claim=claim, measurement=seen),))]

    assert "identical code differed by 3.4% in the same run" in render_pattern(
        tmp_path, comparisons=compared
    )


INSIDE = Interval(estimate=1.01, low=1.0, high=1.02, confidence=0.95)


def test_a_slower_pattern_is_not_called_faster(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path, comparisons=lambda s: [made.make_comparison(s, 0.82, 0.79, 0.85)]
    )
    assert "slower, not faster" in text


def test_an_interval_around_one_is_no_difference(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path, comparisons=lambda s: [made.make_comparison(s, 1.02, 0.97, 1.1)]
    )
    assert "no difference seen" in text


def test_memory_is_told_as_the_candidates_share(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path,
        comparisons=lambda s: [
            made.make_comparison(s, 0.25, 0.24, 0.26, "baseline", metric="memory")
        ],
    )
    assert "**0.25x** (0.24 to 0.26) of the peak memory of the baseline" in text


@pytest.mark.parametrize(
    ("text", "said"), [("..0.4", "claim ≤0.4"), ("2..", "claim ≥2"), ("2..8", "claim 2..8")]
)
def test_a_range_that_is_open_at_one_end_reads_as_one(tmp_path: Path, text: str, said: str) -> None:
    def compared(snippet: Snippet) -> list[ComparisonReport]:
        claim = made.make_claim(snippet, 2, 8, text)
        return [made.make_comparison(snippet, 3, 2.9, 3.1, claims=[(claim, Judgement.CONFIRMED)])]

    row = entities.unescape(render_pattern(tmp_path, comparisons=compared))
    assert f'<span class="wiki-claim">{said}</span>' in row


def test_memory_that_every_sample_agrees_on_has_no_interval(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path,
        comparisons=lambda s: [
            made.make_comparison(s, 0.25, 0.25, 0.25, "baseline", metric="memory")
        ],
    )
    assert "**0.25x** of the peak memory of the baseline" in text


def test_no_first_call_pays_off_for_an_antipattern(tmp_path: Path) -> None:
    def compared(snippet: Snippet) -> list[ComparisonReport]:
        one = made.make_comparison(snippet, 3, 2.9, 3.1, "pattern")
        assert one.measurement is not None
        return [replace(one, measurement=replace(one.measurement, pays_off=4000))]

    text = render_pattern(tmp_path, comparisons=compared)
    assert "first call 2.3 s" in text
    assert "pays off" not in text


def test_an_antipattern_is_told_in_the_patterns_time(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path, comparisons=lambda s: [made.make_comparison(s, 1240, 1130, 1350, "pattern")]
    )
    assert "**1,240x** (1,130 to 1,350) the pattern's time" in text


def test_a_measurement_that_is_not_finished_is_not_called_unfair(tmp_path: Path) -> None:
    def begun(snippet: Snippet) -> list[ComparisonReport]:
        found = made.make_comparison(snippet, 3, 2, 4)
        assert found.measurement
        measurement = replace(found.measurement, ratio=None, samples=40, rounds=2)
        return [replace(found, measurement=measurement)]

    text = render_pattern(tmp_path, comparisons=begun)
    assert "No fair comparison" not in text
    assert ": 40 paired samples in 2 rounds" in text


def test_a_comparison_that_is_not_fair_gives_its_reason(tmp_path: Path) -> None:
    def invalid(snippet: Snippet) -> list[ComparisonReport]:
        found = made.make_comparison(snippet, 3, 2, 4)
        assert found.measurement
        measurement = replace(found.measurement, ratio=None, invalid="results differ by 0.5")
        return [replace(found, measurement=measurement)]

    text = render_pattern(tmp_path, comparisons=invalid)
    assert (
        "No fair comparison with the same code without torch.compile: results differ by 0.5" in text
    )
    assert "wiki-bar" not in text


def test_a_failure_shows_the_pages_line_and_the_message(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path,
        status=Status.FAILED,
        message="NameError: name 'f' is not defined",
        line=11,
        path="fusing.md",
        traceback="Traceback (most recent call last):\n  docs/fusing.md:11",
    )
    assert "line 11: NameError: name 'f' is not defined" in text
    assert "docs/fusing.md:11" in html(text)
    assert "!!! wiki-row failed" in text


def test_a_traceback_holds_nothing_that_steers_a_terminal(tmp_path: Path) -> None:
    traceback = "Traceback (most recent call last):\nValueError: \x1b[2J\x00"
    text = render_pattern(tmp_path, status=Status.FAILED, message="ValueError", traceback=traceback)
    assert r"ValueError: \x1b[2J\x00" in text


def test_a_translation_shows_its_own_line(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": PATTERN, "a.ko.md": "\n\n" + PATTERN})
    pages = {page.path: page for page in made.load_pages(config)}
    korean = "---\ntitle: 융합\n---\n# 융합\n\n긴 글\n\n### 패턴 1\n```python\ny = f(x)\n```\n"
    (config.docs / "a.ko.md").write_text(korean, encoding="utf-8")
    (snippet,) = made.fence_snippets(pages["a.md"])
    evidence = made.make_evidence(
        snippet, status=Status.FAILED, message="E: x", line=11, path="a.md"
    )
    report = made.make_report(
        pages["a.md"], [snippet], [made.make_environment([made.make_seen(snippet, evidence)])]
    )
    tree = render(config, [report])
    assert "line 11: E: x" in tree["a.md"]
    assert "10번째 줄: E: x" in tree["a.ko.md"]
    assert "실패" in tree["a.ko.md"]


def korean_row(tmp_path: Path, **fields: Any) -> str:
    """The row of the pattern on a Korean page, with what was seen of it."""
    comparisons = fields.pop("comparisons", None)
    config = made.make_vault(tmp_path, {"a.md": PATTERN, "a.ko.md": PATTERN})
    page = next(page for page in made.load_pages(config) if page.language == "en")
    (snippet,) = made.fence_snippets(page)
    compared = comparisons(snippet) if comparisons else ()
    seen = made.make_seen(snippet, made.make_evidence(snippet, **fields), compared)
    report = made.make_report(page, [snippet], [made.make_environment([seen])])
    text = render(config, [report])["a.ko.md"]
    return text[text.index("!!! wiki-row") :]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("needs a CUDA device", "CUDA 장치가 필요함"),
        ("needs triton, which is not installed", "설치되지 않은 패키지가 필요함: triton"),
        ("needs the program nvcc, which is not installed", "프로그램이 필요함: nvcc"),
        ("needs a CUDA device: another one", "needs a CUDA device: another one"),
    ],
)
def test_why_a_run_was_skipped_is_told_in_the_readers_language(
    tmp_path: Path, message: str, said: str
) -> None:
    assert said in entities.unescape(
        korean_row(tmp_path, status=Status.SKIPPED, message=message, line=1, path="a.md")
    )


def test_code_that_was_skipped_ran_on_no_other_device(tmp_path: Path) -> None:
    note = "이 CPU에서 대신 실행했으므로"
    assert note in korean_row(tmp_path / "run", notes=("retargeted",))
    assert note not in korean_row(tmp_path / "not", status=Status.SKIPPED, notes=("retargeted",))


def test_an_accelerator_is_turned_off_in_the_readers_language(tmp_path: Path) -> None:
    assert "torch.compile 없는 같은 코드 대비 속도" in korean_row(
        tmp_path, comparisons=torch_compile()
    )


def test_outdated_evidence_is_shown_as_outdated_and_without_its_numbers(tmp_path: Path) -> None:
    text = render_pattern(tmp_path, outdated=True, comparisons=torch_compile())
    row = text[text.index("!!! wiki-row") :]
    assert "outdated" in row
    assert "has changed since this run of 30 Nov 2026 (passed)" in row
    assert "3.7x" not in row
    assert "✓" not in row


def test_a_run_on_another_device_is_no_evidence_for_a_gpu(tmp_path: Path) -> None:
    text = render_pattern(
        tmp_path, PATTERN.replace("f(x)", "f(x, device='cuda')"), notes=("retargeted",)
    )
    assert "ran on this CPU instead, so this says nothing about a GPU" in text
    assert "untested: no GPU has run this yet" in text


def test_a_bar_shows_no_claim_that_this_machine_cannot_test(tmp_path: Path) -> None:
    drawn = 'class="claimed"'
    assert drawn in render_pattern(tmp_path / "a", comparisons=torch_compile())
    untested = torch_compile(Judgement.UNTESTED, on="cuda>=8.0")
    assert drawn not in render_pattern(tmp_path / "b", comparisons=untested)


def test_a_claim_about_a_gpu_is_untested_until_one_has_run_it(tmp_path: Path) -> None:
    text = render_pattern(tmp_path, comparisons=torch_compile(Judgement.UNTESTED, on="cuda>=8.0"))
    row = text[text.index("!!! wiki-row") :]
    assert "claim 2..8 on cuda>=8.0" in entities.unescape(row)
    assert row.count("untested: no GPU has run this yet") == 1


def test_a_card_comes_before_a_cpu_and_speaks_for_the_claim(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": PATTERN.replace("2..8", "2..8 on=cuda>=8.0")})
    (page,) = made.load_pages(config)
    (snippet,) = made.fence_snippets(page)
    claim = made.make_claim(snippet, 2, 8, "2..8", on="cuda>=8.0")
    card = made.make_comparison(snippet, 5.2, 5, 5.4, claims=[(claim, Judgement.CONFIRMED)])
    cpu = made.make_comparison(snippet, 1.5, 1.4, 1.6, claims=[(claim, Judgement.UNTESTED)])
    report = made.make_report(
        page,
        [snippet],
        [
            made.make_environment(
                [made.make_seen(snippet, made.make_evidence(snippet, made.CARD), [card])], made.CARD
            ),
            made.make_environment([made.make_seen(snippet, made.make_evidence(snippet), [cpu])]),
        ],
    )
    text = render(config, [report])["a.md"]
    assert text.index("NVIDIA H200") < text.index("AMD EPYC")
    assert "untested" not in text


def test_what_a_card_was_set_to_stands_beside_its_ratio(tmp_path: Path) -> None:
    noted = Conditions(
        timer="clock",
        on_card=(True, True),
        attention=("math", "flash"),
        settings=({"float32_matmul_precision": "highest"}, {"float32_matmul_precision": "high"}),
        clocks={"clocks.sm": "1000 MHz"},
    )

    def compared(snippet: Snippet) -> list[ComparisonReport]:
        one = made.make_comparison(snippet, 3.7, 3.6, 3.8)
        assert one.measurement
        return [replace(one, measurement=replace(one.measurement, conditions=noted))]

    text = entities.unescape(render_pattern(tmp_path, comparisons=compared))
    said = "attention: math / flash · float32 products: highest / high · 1000 MHz"
    assert said in text


def test_a_run_beside_a_card_does_not_speak_for_it(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": PATTERN.replace("f(x)", "f(x, device='cuda')")})
    (page,) = made.load_pages(config)
    (snippet,) = made.fence_snippets(page)
    beside = made.make_evidence(snippet, made.CARD, notes=("off-card",))
    environment = made.make_environment([made.make_seen(snippet, beside)], made.CARD)
    text = render(config, [made.make_report(page, [snippet], [environment])])["a.md"]
    assert "ran on this machine's CPU and used no GPU" in entities.unescape(text)
    assert "untested: no GPU has run this yet" in text


def test_a_wiki_without_evidence_says_so(tmp_path: Path) -> None:
    tree = render(made.make_vault(tmp_path, {"a.md": PATTERN}))
    assert 'class="wiki-mark unverified">unverified' in tree["a.md"]
    assert "No run of this code is recorded yet." in tree["a.md"]
    assert "passed" not in tree["a.md"]


def test_what_an_author_declares_stands_beside_what_evidence_supports(tmp_path: Path) -> None:
    text = render_pattern(tmp_path)
    assert "declared **verified**" in text
    assert "1 passed" in text
    assert "status: verified" in text.split("---")[1]


def test_names_that_came_from_elsewhere_are_listed(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": PATTERN})
    (page,) = made.load_pages(config)
    context = {"x": "stock: sequence", "f": "#p03", "F": "import"}
    snippets = made.fence_snippets(page, context)
    text = html(render(config, [made.make_report(page, snippets)])["a.md"])
    assert "<td><code>x</code></td>\n<td>stock fixture (sequence)</td>" in text
    assert "<td><code>F</code></td>" not in text


def test_a_fence_in_a_list_has_its_row_in_the_list(tmp_path: Path) -> None:
    text = "### Pattern 1\n- a\n\n  ```python\n  y = 1\n  ```\n\n- b\n"
    rendered = html(render(made.make_vault(tmp_path, {"a.md": text}))["a.md"])
    assert rendered.count("<ul>") == 1
    assert rendered.index("<li>") < rendered.index("wiki-row") < rendered.index("<p>b</p>")


def test_the_status_page_lists_every_pattern_in_every_environment(tmp_path: Path) -> None:
    config = made.make_vault(
        tmp_path, {"a.md": PATTERN, "a.ko.md": PATTERN.replace("Compile", "컴파일")}
    )
    pages = made.load_pages(config)
    page = next(page for page in pages if page.language == "en")
    (snippet,) = made.fence_snippets(page)
    seen = made.make_seen(snippet, made.make_evidence(snippet), torch_compile()(snippet))
    tree = render(config, [made.make_report(page, [snippet], [made.make_environment([seen])])])
    anchor = page.markup.headings[-1].anchor
    assert f"[Pattern 1 — Compile](a.md#{anchor})" in tree["status.md"]
    assert "3.7x" in tree["status.md"]
    assert "torch 2.13.0" in tree["status.md"]
    assert "컴파일" in tree["status.ko.md"]
    assert "3.7배" in tree["status.ko.md"]


def test_the_status_page_says_of_which_size_and_role_a_ratio_is(tmp_path: Path) -> None:
    text = PATTERN.replace("python speedup=2..8", "python antipattern")
    config = made.make_vault(tmp_path, {"a.md": text, "a.ko.md": text})
    page = next(page for page in made.load_pages(config) if page.language == "en")
    (snippet,) = made.fence_snippets(page)
    sizes = [made.make_comparison(snippet, 3, 2.9, 3.1, "pattern", size="S=16")]
    skipped = made.make_evidence(snippet, status=Status.SKIPPED, notes=("retargeted",))
    seen = made.make_seen(snippet, skipped, sizes)
    tree = render(config, [made.make_report(page, [snippet], [made.make_environment([seen])])])
    assert "<code>S&#61;16</code> 3.0x" in tree["status.md"]
    assert "Pattern 1 — Compile (anti-pattern)" in tree["status.md"]
    assert "Pattern 1 — Compile (안티패턴)" in tree["status.ko.md"]
    assert "in place of a GPU" not in tree["status.md"]


def test_wanted_pages_are_ranked(tmp_path: Path) -> None:
    files = {"a.md": "[[Rare]] [[Often]]", "b.md": "[[often]]"}
    text = render(made.make_vault(tmp_path, files))["wanted.md"]
    assert text.index("Often") < text.index("Rare")
    assert "[a](a.md), [b](b.md)" in text


def test_an_authors_page_is_never_replaced_by_a_generated_one(tmp_path: Path) -> None:
    tree = render(made.make_vault(tmp_path, {"status.md": "# Mine\n", "index.md": "# Home\n"}))
    assert "Mine" in tree["status.md"]
    assert "# Home" in tree["index.md"]
    assert "# Status" in tree["wiki-status.md"]


def test_a_vault_without_a_home_page_gets_one(tmp_path: Path) -> None:
    tree = render(made.make_vault(tmp_path, {"x/a.md": PATTERN}))
    assert "[Fusing](x/a.md)" in tree["index.md"]


def test_a_formula_in_a_sentence_that_links_here_is_a_formula(tmp_path: Path) -> None:
    files = {"a.md": "See [[b]] for $x_1 < 2$, which costs US$5 or $6.\n", "b.md": "# B\n"}
    text = render(made.make_vault(tmp_path, files))["b.md"]
    assert text.count("<math") == 1
    assert "US&#36;5 or &#36;6" in text


# --- notebooks and files ----------------------------------------------------------------------


def test_a_page_with_snippets_has_a_notebook_with_the_recorded_outputs(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"x/a.md": PATTERN})
    (page,) = made.load_pages(config)
    (snippet,) = made.fence_snippets(page)
    seen = made.make_seen(snippet, made.make_evidence(snippet))
    tree = render(config, [made.make_report(page, [snippet], [made.make_environment([seen])])])
    notebook = nbformat.reads(tree["notebooks/x/a.ipynb"], as_version=4)
    nbformat.validate(notebook)
    (code,) = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code.source == "y = f(x)"
    assert code.outputs[0].text == "(32, 64)\n"
    assert "[notebook with outputs](../notebooks/x/a.ipynb)" in tree["x/a.md"]
    assert "stands on the page: [Fusing](../../x/a.md)" in notebook.cells[0].source


def test_outdated_outputs_are_not_shown(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": PATTERN})
    (page,) = made.load_pages(config)
    (snippet,) = made.fence_snippets(page)
    seen = made.make_seen(snippet, made.make_evidence(snippet), outdated=True)
    tree = render(config, [made.make_report(page, [snippet], [made.make_environment([seen])])])
    assert "(32, 64)" not in tree["notebooks/a.ipynb"]


def test_the_runnable_file_is_there_to_download(tmp_path: Path) -> None:
    tree = render(made.make_vault(tmp_path, {"a.md": PATTERN}))
    (path,) = [path for path in tree if path.endswith(".py")]
    assert f"]({path}){{ download" in tree["a.md"]
    assert "y = f(x)" in tree[path]


def test_only_what_changed_is_written_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    config = made.make_vault(tmp_path, {"a.md": "one", "b.md": "two", "c/d.md": "three"})
    render(config)
    out = tmp_path / "out"
    before = {file: file.stat().st_mtime_ns for file in out.rglob("*.*")}
    (config.docs / "b.md").write_text("changed", encoding="utf-8")
    (config.docs / "c" / "d.md").unlink()
    render(config)
    assert (out / "a.md").stat().st_mtime_ns == before[out / "a.md"]
    assert "changed" in (out / "b.md").read_text(encoding="utf-8")
    assert not (out / "c").exists()


def test_the_seed_page_renders_with_a_row_under_each_pattern(tmp_path: Path) -> None:
    config, page = seed_config(), seed_page()
    report = made.make_report(page, made.fence_snippets(page))
    render_wiki(config, (page,), link_pages((page,), config), [report], tmp_path)
    text = (tmp_path / page.path).read_text(encoding="utf-8")
    assert text.count("!!! wiki-row") == 8
    assert text.count("wiki-wanted") == 7
    rendered = html(text)
    assert "<li>Einsum 표기 작성" in rendered  # a list right below a paragraph
    assert [h.anchor for h in page.markup.headings] == re.findall(r'<h\d id="([^"]*)"', rendered)


# --- anything at all --------------------------------------------------------------------------

BITS = st.sampled_from(
    [
        "- ",
        "> ",
        "1) ",
        "#",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "```python\n",
        "```",
        "~~~",
        "[[a]]",
        "![[a#b]]",
        "| a |\n|---|\n",
        "$x_1$",
        "$$",
        "%%",
        "[!note]",
        "**",
        "^b1",
        "<details>",
        "&",
        "{",
        "}",
        "가",
        "x",
    ]
)


@settings(max_examples=150)
@given(st.one_of(st.lists(BITS, max_size=30).map("".join), st.text(max_size=60)))
def test_any_text_renders(text: str) -> None:
    page = make_page(text)
    config = seed_config()
    report = made.make_report(page, made.fence_snippets(page))
    site = index_site(config, (page,), link_pages((page,), config), [report])
    html(body_text(site, page, "HEADER"))


@given(st.text(alphabet=string.printable, max_size=40))
def test_escaped_text_reads_as_it_was_written(text: str) -> None:
    words = " ".join(f"x{text}x".split())
    read = re.sub(r"<[^>]+>", "", html(escape(words)))
    assert markdown_unescape(read) == words


def markdown_unescape(text: str) -> str:
    return " ".join(entities.unescape(text).split())


# --- words and pictures -----------------------------------------------------------------------


@pytest.mark.parametrize("key", WORDS)
def test_every_text_is_there_in_every_language_with_the_same_values(key: str) -> None:
    fields = [
        sorted(name for _, name, _, _ in string.Formatter().parse(WORDS[key][language]) if name)
        for language in LANGUAGES
    ]
    assert fields[0] == fields[1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.254, "0.25"),
        (0.6, "0.60"),
        (0.0666, "0.067"),
        (0.917, "0.92"),
        (1.02, "1.02"),
        (0.996, "1.00"),
        (3.72, "3.7"),
        (12.4, "12"),
        (243.7, "244"),
        (1238, "1,240"),
    ],
)
def test_numbers_have_two_or_three_digits(value: float, expected: str) -> None:
    assert number(value) == expected


def test_times_and_days_read_well() -> None:
    assert duration(0.0021) == "2.1 ms"
    assert day("en", made.RECORDED) == "30 Nov 2026"
    assert day("ko", made.RECORDED) == "2026년 11월 30일"
    assert day("en", "whenever") == "whenever"


def test_a_bar_stays_inside_its_box() -> None:
    interval = Interval(estimate=3.7, low=0.001, high=4000, confidence=0.95)
    for claimed in (None, (2.0, 8.0), (2.0, math.inf), (0.0, 3.0)):
        numbers = re.findall(r"(?:left|width):([\d.]+)%", bar(interval, claimed, "label"))
        assert all(0 <= float(value) <= 100 for value in numbers)


def test_a_curve_takes_its_colours_from_the_page() -> None:
    ratios = tuple(
        Interval(estimate=v, low=v * 0.9, high=v * 1.1, confidence=0.95) for v in (1.1, 2.0, 6.4)
    )
    drawing = curve(("512", "2048", "1048576"), ratios, "S", "label")
    assert "\n" not in drawing
    assert "2048<" in drawing
    assert "1,048,576<" in drawing
    assert "<style" not in drawing
    assert "currentColor" in drawing
    assert not re.findall(r"#[0-9a-f]{6}", drawing)
    assert "<svg" in html(f"{drawing}\n{{: .wiki-chart }}")
    other = curve(("512", "1024", "4096"), ratios, "S", "label")
    names = [set(re.findall(r'\bid="([^"]*)"', one)) for one in (drawing, other)]
    assert names[0]
    assert not names[0] & names[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', drawing)) == names[0]


def test_the_label_of_a_slower_size_keeps_off_the_line_at_1() -> None:
    ratios = tuple(
        Interval(estimate=v, low=v - 0.2, high=v + 0.2, confidence=0.95) for v in (2, 0.7)
    )
    drawing = curve(("16", "64"), ratios, "S", "label")
    fast, slow = (float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>[\d.]+×<', drawing)[1:])
    (line,) = re.findall(r'd="M [\d.]+ ([\d.]+) L [\d.]+ \1 " [^>]*stroke-dasharray', drawing)
    assert fast < float(line) - 10
    assert slow > float(line) + 20, "below its interval, which reaches up to 0.9"


def test_plain_text_has_no_markup_left() -> None:
    assert plain("> **a** [[b|c]] `d` [e](f.md) <b>g</b>") == "a c d e g"


def test_addresses_within_a_page_are_anchors() -> None:
    assert address("a/b.md", "a/b.md", "c") == "#c"
    assert address("a/b.md", "a/b.md") == "b.md"


@pytest.mark.parametrize(
    ("key", "one", "more"),
    [
        ("samples", "1 paired sample", "12 paired samples"),
        ("cores", "1 core", "12 cores"),
        ("threads", "1 thread", "12 threads"),
        ("asserted", "1 assertion held", "12 assertions held"),
    ],
)
def test_one_of_a_thing_is_not_several(key: str, one: str, more: str) -> None:
    assert (say("en", key, n=1), say("en", key, n=12)) == (one, more)
    assert "1" in say("ko", key, n=1)


def test_no_english_text_takes_every_number_for_several() -> None:
    plural = re.compile(r"\{n\} [a-z ]+s\b")
    assert [key for key, texts in WORDS.items() if plural.search(texts["en"])] == []
