import datetime
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_config, make_page, make_snippets, seed_config, seed_page
from wiki_tools.checks.baseline import gone_findings, new_findings, read_baseline, write_baseline
from wiki_tools.checks.check import check_backing, check_wiki
from wiki_tools.checks.codes import CODES
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.output import as_github, as_text, check_document
from wiki_tools.checks.rules import RULES
from wiki_tools.checks.sarif import as_sarif
from wiki_tools.checks.similar import signature, similar_pairs
from wiki_tools.checks.suggest import Suggestions, as_names
from wiki_tools.checks.types import Backing
from wiki_tools.claims import Claim
from wiki_tools.config import read_config
from wiki_tools.errors import ConfigError
from wiki_tools.markup import ATTRIBUTES
from wiki_tools.pages import read_pages

WIKIS = Path(__file__).parent / "wikis"
GENERATOR = Path(__file__).parents[2] / "shared" / "tools" / "gen_vault.py"
TODAY = datetime.date(2026, 6, 1)
GRAPH = "## Graph\n- Parent: "


def found(files: dict[str, str]) -> tuple[Diagnostic, ...]:
    """What is wrong with a wiki of these pages, orphans left out."""
    config = make_config()
    pages = tuple(make_page(text, path) for path, text in sorted(files.items()))
    rows = check_wiki(config, pages, TODAY)
    return tuple(row for row in rows if row.code != "orphan-page")


def said(files: dict[str, str]) -> list[str]:
    return [f"{row.path}:{row.line}:{row.column} {row.code}" for row in found(files)]


def matter(**keys: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n"


def wiki(name: str) -> tuple[Diagnostic, ...]:
    config = read_config(WIKIS / name)
    pages = read_pages(config)
    return check_wiki(config, pages, TODAY)


def test_every_code_belongs_to_one_rule() -> None:
    codes = [code for rule in RULES for code in rule.codes]
    assert sorted(codes) == sorted(CODES)


def test_every_code_is_documented() -> None:
    for code in CODES.values():
        assert code.meaning.endswith(".")
        assert code.hint.endswith(".")
        assert code.severity in ("error", "warning", "info")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[Diagnostic]]:
    """The manifest of a vault of 1,000 pages, and what is found in it."""
    if not GENERATOR.exists():
        pytest.skip("the vault generator is not beside this clone")
    folder = tmp_path_factory.mktemp("generated")
    subprocess.run([sys.executable, str(GENERATOR), str(folder), "1000"], check=True)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    config = read_config(folder)
    pages = read_pages(config)
    return manifest, list(check_wiki(config, pages, TODAY))


Generated = tuple[dict[str, Any], list[Diagnostic]]


def test_every_planted_circle_of_parents_is_found_and_no_other(generated: Generated) -> None:
    manifest, rows = generated
    circles = [re.findall(r"kb-\d+", row.message) for row in rows if row.code == "parent-cycle"]
    assert sorted(set(map(frozenset, circles)), key=sorted) == sorted(
        map(frozenset, manifest["parent_cycles"]), key=sorted
    )
    assert len(circles) == len(manifest["parent_cycles"])


def test_every_link_to_a_planted_duplicate_is_found_and_no_other(generated: Generated) -> None:
    manifest, rows = generated
    paths = {page["id"]: page["path"] for page in manifest["pages"]}
    planted = {
        (paths[page], line, column)
        for page, line, column, *_, outcome in manifest["links"]
        if outcome in manifest["duplicates"] and page != outcome
    }
    found = {(r.path, r.line, r.column) for r in rows if r.code == "link-to-duplicate"}
    assert planted
    assert found == planted


def test_names_that_were_planted_twice_are_found_and_nothing_else_of_the_kind(
    generated: Generated,
) -> None:
    manifest, rows = generated
    paths = {page["id"]: page["path"] for page in manifest["pages"]}
    planted = {max(paths[one], paths[two]) for one, two in manifest["ambiguous"]}
    assert {row.path for row in rows if row.code == "duplicate-title"} == planted
    quiet = {"duplicate-id", "duplicate-alias", "similar-pages", "missing-canonical",
             "canonical-chain", "canonical-cycle", "translation-id"}  # fmt: skip
    assert quiet & {row.code for row in rows} == set()


def test_a_blank_and_a_minimal_wiki_have_nothing_to_find() -> None:
    assert wiki("blank") == ()
    assert wiki("minimal") == ()


def test_the_seed_has_seven_wanted_pages_and_nothing_else() -> None:
    rows = check_wiki(seed_config(), (seed_page(),), TODAY)
    assert [row.code for row in rows] == ["wanted-page"] * 7
    assert {row.severity for row in rows} == {"warning"}
    assert (rows[0].line, rows[0].column) == (111, 7)
    document = check_document(1, 7, rows)
    assert (document["pages"], document["links"]) == (1, 7)
    assert set(document["diagnostics"][0]) == {
        "code", "severity", "path", "line", "column", "message", "hint",
    }  # fmt: skip
    json.dumps(document)


def test_every_broken_link_is_said_with_its_place_and_remedy() -> None:
    rows = [row for row in wiki("broken-links") if row.code in CODES and row.severity != "info"]
    assert [f"{row.path}:{row.line}:{row.column} {row.code} {row.hint}" for row in rows] == [
        "c/Details.md:3:5 ambiguous-link Write the path of the one that is meant, "
        "such as [[a/Same]].",
        "index.md:3:3 wanted-page Write the page, or correct the link.",
        "index.md:3:19 wanted-page Write the page, or correct the link.",
        "index.md:4:3 ambiguous-link Write the path of the one that is meant, such as [[a/Same]].",
        "index.md:5:3 missing-heading It has #First same.",
        "index.md:6:3 missing-block It has #^b1.",
        "index.md:7:3 missing-file Correct the path.",
        "index.md:8:3 missing-file Correct the path.",
        "index.md:8:27 wanted-page Write the page, or correct the link.",
        "index.md:9:3 missing-heading It has #Every way in which a link breaks.",
        "index.md:10:3 wanted-page Did you mean Details? Else write the page.",
    ]


def test_bad_input_is_said_page_by_page() -> None:
    rows = [row for row in wiki("bad-input") if row.code != "orphan-page"]
    assert [f"{row.path}:{row.line} {row.code}" for row in rows] == [
        "broken-yaml.md:3 broken-frontmatter",
        "byte-order-mark.md:1 byte-order-mark",
        "latin-1.md:3 not-utf-8",
        "nul.md:3 nul-byte",
        "unclosed-fence.md:3 unclosed-fence",
        "unclosed-frontmatter.md:1 unclosed-frontmatter",
    ]


def test_a_korean_typing_error_is_told_the_right_name() -> None:
    (row,) = found({"index.md": "[[경사 하겅법]]", "경사 하강법.md": ""})
    assert row.hint == "Did you mean 경사 하강법? Else write the page."


TYPOS = [
    ("경사 하강볍", "경사 하강법"), ("경사하강법", "경사 하강법"), ("경가 하강법", "경사 하강법"),
    ("어텐숀", "어텐션"), ("어텐셔", "어텐션"), ("어텐션셔", "어텐션"), ("어텐셔ㄴ", "어텐션"),
    ("트랜스퍼머", "트랜스포머"), ("트렌스포머", "트랜스포머"), ("행열 곱", "행렬 곱"),
    ("합성곱 신걍망", "합성곱 신경망"), ("역젼파", "역전파"), ("정규하", "정규화"),
    ("학습율", "학습률"), ("드롭아욷", "드롭아웃"), ("임배딩", "임베딩"),
    ("토크나이져", "토크나이저"), ("컨볼류션", "컨볼루션"), ("최적황", "최적화"),
    ("Trasnformer", "Transformer"), ("Attenton Mechanism", "Attention Mechanism"),
    ("Gradeint Descent", "Gradient Descent"), ("Gradient Decsent", "Gradient Descent"),
    ("flash-atention", "FlashAttention"), ("Lienar_Algebra", "Linear Algebra"),
    ("Deep Leaning", "Deep Learning"), ("Softmx", "Softmax"), ("Bacth Norm", "Batch Norm"),
    ("K-maens", "K-Means"), ("Adma", "Adam"), ("RoEP", "RoPE"), ("GTP-4", "GPT-4"),
]  # fmt: skip
"""What people type, and what they mean: letters left out, doubled, swapped, or a key beside."""

STRANGERS = [
    "2026-05-11", "Chapter 13", "GPT-3", "RNN", "양자 컴퓨팅", "강화 학습", "Page", "층", "", "!?",
]  # fmt: skip
"""Names that are nobody's misspelling."""


@pytest.fixture(scope="module")
def suggestions() -> Suggestions:
    others = ["2026-05-10", "Chapter 12", "CNN", *(f"이름 {number}" for number in range(20_000))]
    return Suggestions(as_names([name for _, name in TYPOS] + others))


@pytest.mark.parametrize(("typed", "meant"), TYPOS)
def test_a_typing_error_is_told_the_name_that_was_meant(
    suggestions: Suggestions, typed: str, meant: str
) -> None:
    assert suggestions.nearest(typed) == meant


@pytest.mark.parametrize("name", STRANGERS)
def test_a_name_like_no_other_is_told_none(suggestions: Suggestions, name: str) -> None:
    assert suggestions.nearest(name) == ""


def test_a_wanted_page_says_how_many_pages_ask_for_it() -> None:
    rows = found({"a.md": "[[New]] [[new]]", "a.ko.md": "[[New]]", "b.md": "[[new.md]] [[Own]]"})
    assert [row.hint for row in rows if row.path == "b.md"] == [
        "Write the page, or correct the link. 2 pages ask for it.",
        "Write the page, or correct the link.",
    ]
    assert len({row.message for row in rows}) == len(
        {"[[New]]", "[[new]]", "[[new.md]]", "[[Own]]"}
    )


def test_a_vault_that_is_one_long_chain_takes_no_quadratic_time() -> None:
    count = 3000
    files = {
        f"p{number}.md": matter(id=f"p{number}", duplicate_of=f"p{number + 1}", aliases="[Same]")
        for number in range(count)
    }
    files[f"p{count}.md"] = matter(id=f"p{count}")
    rows = found(files)
    assert [row.code for row in rows] == ["canonical-chain"] * (count - 1)
    assert max(len(row.message) for row in rows) < 100


def test_of_parents_that_all_lead_to_each_other_ten_circles_are_said() -> None:
    up = {f"p{number}": f"p{number + 1} p0" for number in range(2000)}
    rows = found(parents(**up, p2000="p0"))
    assert [row.code for row in rows] == ["parent-cycle"] * 10
    assert max(len(row.message) for row in rows) < 200


def test_a_page_lies_at_or_below_its_category() -> None:
    assert said({"a/b/X.md": matter(category="a"), "a/Y.md": matter(category="a/Y")}) == []
    assert said({"ab/X.md": matter(id="x", category="a")}) == ["ab/X.md:3:1 category-mismatch"]


def test_a_category_that_may_be_no_folder_is_only_noted() -> None:
    own = matter(category="Books", last_reinforced=TODAY.isoformat())
    rows = found({"Inbox/a.md": matter(category="Books"), "Inbox/b.md": own})
    severities = [row.severity for row in rows if row.code == "category-mismatch"]
    assert severities == ["info", "warning"]


def test_a_page_is_aged_after_a_year() -> None:
    assert said({"a.md": matter(last_reinforced="2025-06-01")}) == []
    assert said({"a.md": matter(last_reinforced="2025-05-31")}) == ["a.md:2:1 aged-page"]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("[[B|see]] | x", 3),
        ("x | [[B|see]]", 7),
        ("**x** [[B]] [[B#h|see]] | y", 15),
        ("`a` ![[B|300]] | y", 8),
    ],
)
def test_a_link_that_a_table_cuts_in_two_is_said_where_it_begins(row: str, column: int) -> None:
    text = f"# A\n\n[[B]]\n\n| a | b |\n|---|---|\n| {row} |\n"
    (line,) = [line for line in said({"a.md": text, "b.md": "# B\n\n[[A]]\n"}) if "cut" in line]
    assert line == f"a.md:7:{column} cut-link"


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|---|---|\n| [[B\\|see]] | x |\n",
        "| a | b |\n|---|---|\n| `[[` | `]]` |\n",
        "| a | b |\n|---|---|\n| [[B | see |\n",
        "| a | b | c |\n|---|---|---|\n| [[1 | 2 | 3]] |\n",
        "[[B|see]] | x\n",
        "```text\n| a | b |\n|---|---|\n| [[B|see]] | x |\n```\n",
    ],
)
def test_what_no_table_cuts_is_no_cut_link(text: str) -> None:
    files = {"a.md": f"# A\n\n[[B]]\n\n{text}", "b.md": "# B\n\n[[A]]\n"}
    assert [line for line in said(files) if "cut" in line] == []


def test_a_markdown_link_to_a_page_elsewhere_works_and_is_noted() -> None:
    files = {"index.md": "[x](X.md) [x](b/X.md) [[X]]", "b/X.md": "[i](index.md)"}
    assert said(files) == ["b/X.md:1:1 distant-link", "index.md:1:1 distant-link"]


def test_a_link_to_its_own_page_is_said_unless_it_names_a_heading() -> None:
    assert said({"a.md": "# A\n\n[[a]] [[#A]] [[a#A]]"}) == ["a.md:3:1 self-link"]


def test_a_link_to_the_own_translation_is_no_link_to_the_own_page() -> None:
    files = {"a.md": "[한국어](a.ko.md) [[a.ko]]", "a.ko.md": "[English](a.md) [[a]]"}
    assert said(files) == ["a.ko.md:1:17 self-link"]
    assert said({"a.md": "## Graph\n- Parent: [[a.ko]]\n", "a.ko.md": ""}) == []


def test_a_link_to_a_duplicate_is_said() -> None:
    files = {"a.md": matter(id="a"), "b.md": matter(id="b", duplicate_of="a"), "c.md": "[[b]]"}
    assert said(files) == ["c.md:1:1 link-to-duplicate"]


def test_a_page_with_no_way_in_is_said() -> None:
    config = make_config()
    pages = tuple(make_page(text, path) for path, text in {"a.md": "[[b]]", "b.md": ""}.items())
    rows = check_wiki(config, pages, TODAY)
    assert [(row.path, row.code, row.severity) for row in rows] == [("a.md", "orphan-page", "info")]


def test_an_id_is_given_once_but_shared_by_translations() -> None:
    files = {"X.md": matter(id="x"), "X.ko.md": matter(id="x", title="엑스")}
    assert said(files) == []
    assert said(files | {"Y.md": matter(title="Y", id="X")}) == ["Y.md:3:1 duplicate-id"]


def test_files_of_one_name_in_two_folders_claim_no_title() -> None:
    assert said({"a/README.md": "Text.\n", "b/README.md": "Other text.\n"}) == []
    files = {"a/README.md": "# README\n", "b/README.md": "---\ntitle: readme\n---\n"}
    assert said(files) == ["b/README.md:2:1 duplicate-title"]
    assert [row.severity for row in found(files)] == ["info"]
    assert [row.severity for row in found(files | {"c.md": "# Readme\n"})] == ["info", "warning"]


def test_the_title_that_a_template_fills_in_is_claimed_by_nobody() -> None:
    text = "---\ntitle: {{title}}\n---\n# {{title}}\n"
    assert said({"Templates/a.md": text, "Templates/b.md": text}) == []


def test_titles_and_aliases_are_given_once() -> None:
    files = {"a.md": "# One\n", "b.md": "# one\n", "c.md": matter(aliases="[ONE, Two]"),
             "d.md": matter(title="Four", aliases="[two]")}  # fmt: skip
    assert said(files) == [
        "b.md:1:1 duplicate-title",
        "c.md:2:11 duplicate-alias",
        "d.md:3:11 duplicate-alias",
    ]


def test_an_alias_is_said_at_its_own_line() -> None:
    aliases = "---\naliases:\n  - mine\n  - 'the  other'\n---\n"
    files = {"a.md": matter(title="The-Other"), "b.md": aliases, "c/Mine.md": ""}
    assert said(files) == ["b.md:3:5 duplicate-alias", "b.md:4:5 duplicate-alias"]


def test_a_title_is_said_where_it_stands() -> None:
    files = {"a.md": "# One\n", "b.md": "text\n\n# One\n", "c/a.md": "", "one.md": ""}
    assert said(files) == ["b.md:3:1 duplicate-title"]


def test_a_duplicate_may_bear_its_pages_name_and_those_of_other_duplicates() -> None:
    copy = matter(duplicate_of="a", title="One", aliases="[Uno]")
    files = {"a.md": matter(id="a", title="One"), "b.md": copy, "c.md": copy}
    assert said(files) == []


def test_what_a_page_stands_for_is_there_and_stands_for_itself() -> None:
    files = {
        "a.md": matter(id="aa"),
        "b.md": matter(id="bb", canonical_id="aa"),
        "c.md": matter(id="cc", duplicate_of="bb"),
        "d.md": matter(id="dd", duplicate_of="nowhere"),
        "e.md": matter(id="ee", canonical_id="ff"),
        "f.md": matter(id="ff", canonical_id="ee"),
        "g.md": matter(id="gg", duplicate_of="gg"),
        "h.md": matter(id="hh", duplicate_of="aa", canonical_id="AAA"),
        "i.md": matter(id="ii", duplicate_of="ee"),
    }
    assert said(files) == [
        "c.md:3:1 canonical-chain",
        "d.md:3:1 missing-canonical",
        "e.md:3:1 canonical-cycle",
        "g.md:3:1 canonical-cycle",
        "h.md:4:1 missing-canonical",
    ]


def test_a_misspelt_canonical_id_is_told_the_right_one() -> None:
    files = {"a.md": matter(id="wiki-page"), "b.md": matter(duplicate_of="wikki-page")}
    assert [row.hint for row in found(files)] == ["Did you mean 'wiki-page'?"]


def parents(**leads: str) -> dict[str, str]:
    """Pages with their parents, by their names."""
    return {
        f"{name}.md": GRAPH + ", ".join(f"[[{parent}]]" for parent in up.split()) + "\n"
        for name, up in leads.items()
    }


@pytest.mark.parametrize(
    ("files", "circles"),
    [
        (parents(a="b", b="c", c=""), []),
        (parents(a="b", b="c", c="b"), ["b.md:2:11 b → c → b"]),
        (parents(a="a", b="a"), ["a.md:2:11 a is its own parent"]),
        (parents(a="b c", b="a", c="a"), ["a.md:2:11 a → b → a", "c.md:2:11 c → a → c"]),
        (parents(a="b", b="a", c="d", d="e", e="c"), ["a.md:2:11 a → b → a",
                                                      "c.md:2:11 c → d → e → c"]),
        (parents(a="b c d", b="c d", c="d", d=""), []),
    ],
)  # fmt: skip
def test_every_circle_of_parents_is_said_once(files: dict[str, str], circles: list[str]) -> None:
    rows = found(files)
    assert [row.code for row in rows] == ["parent-cycle"] * len(circles)
    for row, circle in zip(rows, circles, strict=True):
        place, _, ring = circle.partition(" ")
        assert f"{row.path}:{row.line}:{row.column}" == place
        assert ring in row.message


def test_a_parent_in_the_page_itself_is_no_circle() -> None:
    assert said({"a.md": "# A\n\n## Graph\n- Parent: [[#A]]\n"}) == []


leads = st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef")))


@given(leads)
def test_circles_are_said_where_and_only_where_parents_go_round(
    links: dict[str, list[str]],
) -> None:
    files = parents(**dict.fromkeys("abcdef", "") | {k: " ".join(v) for k, v in links.items()})
    circles = [row for row in found(files) if row.code == "parent-cycle"]
    reached = {name: set(links.get(name, ())) for name in "abcdef"}
    for _ in reached:
        for name, seen in reached.items():
            reached[name] = seen.union(*(reached[other] for other in seen))
    around = {name for name, seen in reached.items() if name in seen}
    named = {name for row in circles for name in re.findall(r"\b[a-f]\b(?= →|\.| is)", row.message)}
    assert named == around


def test_the_message_of_a_long_circle_is_cut() -> None:
    names = [f"p{number:03}" for number in range(300)]
    ring = dict(zip(names, [*names[1:], names[0]], strict=True))
    (row,) = found(parents(**ring))
    assert row.message.endswith("p006 → p007 → … → p000.")


KOREAN = [
    "경사 하강법은 손실 함수의 기울기를 따라 매개변수를 조금씩 옮긴다.",
    "학습률이 너무 크면 발산하고, 너무 작으면 수렴이 느리다.",
    "미니배치로 기울기를 추정하면 계산은 싸지지만 분산이 커진다.",
    "모멘텀은 지난 기울기를 지수 이동 평균으로 더해 진동을 줄인다.",
    "적응형 방법은 좌표마다 학습률을 다르게 잡는다.",
    "볼록하지 않은 함수에서는 안장점이 걸음을 늦춘다.",
    "기울기 소실은 층이 깊을수록 심해지며 정규화로 누그러뜨린다.",
    "학습률 예열은 초기의 큰 걸음을 막아 준다.",
    "가중치 감쇠는 일반화 오차를 줄이는 데 도움이 된다.",
    "검증 손실이 더 줄지 않으면 학습을 일찍 멈춘다.",
]
ENGLISH = [
    f"Sentence {number} of this page says something about {word} that no other page says."
    for number, word in enumerate(
        ["steps", "noise", "batches", "momentum", "scales", "saddles", "depth", "warmth",
         "decay", "stopping"]
    )
]  # fmt: skip


@pytest.mark.parametrize("text", [KOREAN, ENGLISH])
@pytest.mark.parametrize("between", ["\n", " ", "\n\n"])
def test_a_copied_page_is_said_with_what_it_shares(text: list[str], between: str) -> None:
    edited = [*text[:4], "다른 말이다, something else altogether here.", *text[5:]]
    files = {"a.md": between.join(text), "b.md": "# B\n\n" + between.join(edited), "c.md": ""}
    (row,) = found(files)
    assert (row.code, row.path, row.severity) == ("similar-pages", "b.md", "info")
    assert 80 <= int(row.message.partition("%")[0]) < 97
    assert row.message.endswith("% of its text is that of a.md.")


def test_a_page_that_is_part_of_another_is_said() -> None:
    (row,) = found({"a.md": "\n".join(ENGLISH[:6]), "b.md": "\n".join(ENGLISH)})
    assert (row.path, row.message) == ("a.md", "All of its text is that of b.md.")


@pytest.mark.parametrize(
    "files",
    [
        {"X.md": "\n".join(KOREAN), "X.ko.md": "\n".join(KOREAN)},
        {"a.md": matter(id="a") + "\n".join(KOREAN),
         "b.md": matter(duplicate_of="a") + "\n".join(KOREAN)},
        {"a.md": KOREAN[0], "b.md": KOREAN[0]},
        {"a.md": "\n".join(KOREAN[:6]), "b.md": "\n".join(KOREAN[3:])},
        {f"{name}.md": "\n".join([*KOREAN, f"{name} is its own."]) for name in "abcdefghij"},
    ],
    ids=["translations", "duplicates", "stubs", "half", "template"],
)  # fmt: skip
def test_pages_that_may_share_their_text_are_not_similar(files: dict[str, str]) -> None:
    assert [row.code for row in found(files)] == []


def test_long_pages_are_compared_by_a_sample_of_their_sentences() -> None:
    text = [f"Line {number} of a page that goes on for very long." for number in range(900)]
    other = [row if number % 10 else f"Changed: {row}" for number, row in enumerate(text)]
    half = [row if number % 2 else f"Changed: {row}" for number, row in enumerate(text)]
    (row,) = similar_pairs(
        {"a": signature("\n".join(text)), "b": signature("\n".join(other)),
         "c": signature("\n".join(half))}, {}
    )  # fmt: skip
    assert (row.path, row.other) == ("b", "a")
    assert row.share == pytest.approx(0.9, abs=0.1)


@given(st.text())
def test_any_text_has_a_signature_of_a_bounded_length(text: str) -> None:
    assert signature(text) == signature(text)
    assert len(signature(text)) <= 8 * 64


CODE = "```python speedup=2\nx = f(1)  # {}\nprint(x)  #> 1\n```\n"


@pytest.mark.parametrize(
    ("korean", "message"),
    [
        (CODE.format("열린 일"), None),
        (CODE.format("") + CODE.format(""), "has no such fence"),
        ("", "has one more"),
        (CODE.replace("speedup=2", "speedup=3"), "attributes"),
        (CODE.replace("speedup=2", "setup speedup=2"), "role is setup, and none"),
        (CODE.replace("f(1)", "f(2)"), "at '2'"),
        (CODE.replace("#> 1", "#> 2"), "at '#> 2'"),
        (CODE.replace("print(x)  #> 1\n", ""), "goes on with 'print'"),
    ],
)
def test_a_translation_holds_the_same_code(korean: str, message: str | None) -> None:
    rows = found({"X.md": CODE.format("open work"), "X.ko.md": korean})
    assert [row.code for row in rows] == (["translation-differs"] if message else [])
    assert all(row.path == "X.ko.md" and (message or "") in row.message for row in rows)


def test_a_difference_in_code_is_said_at_its_own_line_and_column() -> None:
    item = "- one\n\n  ```python\n  if x:\n      y = {}\n  ```\n"
    files = {"X.md": item.format(1), "X.ko.md": item.format(2)}
    assert said(files) == ["X.ko.md:5:11 translation-differs"]


def test_a_missing_fence_is_said_once_and_not_for_every_fence_behind_it() -> None:
    fences = [f"```python\nx_ = {number}\n```\n" for number in range(5)]
    files = {"X.md": "".join(fences), "X.ko.md": "".join(fences[:1] + fences[2:])}
    assert said(files) == ["X.ko.md:5:6 translation-differs"]


def test_an_asserted_shape_belongs_to_the_code_and_what_follows_it_does_not() -> None:
    page = "```python\nc = a + b  # (32, 64) — {}\n```\n"
    assert said({"X.md": page.format("one"), "X.ko.md": page.format("하나")}) == []
    files = {"X.md": page, "X.ko.md": page.replace("64", "65")}
    assert said(files) == ["X.ko.md:2:12 translation-differs"]


def test_a_translation_has_its_pages_id_or_none() -> None:
    files = {"X.md": matter(id="x"), "X.ko.md": matter(title="엑스", id="y")}
    assert said(files) == ["X.ko.md:3:1 translation-id"]


def test_snippets_that_cannot_run_are_said_with_their_line() -> None:
    config = make_config()
    text = "# A\n\n```python\nprint(unheard_of)\n```\n\n```python\n>>> 1 +\n```\n"
    rows = check_backing(Backing(config=config, snippets=make_snippets(text)))
    incomplete = [row for row in rows if row.code == "incomplete-snippet"]
    assert [(row.line, row.severity) for row in incomplete] == [(4, "warning")]
    assert "'unheard_of'" in incomplete[0].message


def test_unbacked_claims_and_drifted_files_are_said() -> None:
    claim = Claim(path="page.md", line=3, column=5, text="2-8배", kind="speedup", low=2, high=8,
                  source="prose")  # fmt: skip
    config = make_config(Path.cwd())
    rows = check_backing(
        Backing(config=config, unbacked=(claim,), drifted=("snippets/page/01.py",))
    )
    assert [(row.code, row.path, row.line, row.column) for row in rows] == [
        ("unbacked-claim", "page.md", 3, 5),
        ("drifted-snippet", "snippets/page/01.py", 1, 1),
    ]
    assert "2-8배" in rows[0].message
    assert as_text(config, rows).splitlines()[0].startswith("docs/page.md:3:5: warning: ")
    assert "\nsnippets/page/01.py:1:1: error: " in as_text(config, rows)
    assert as_text(config, rows).endswith(
        "\n1 error, 1 warning\nTo learn more: wiki check --explain unbacked-claim\n"
    )
    assert as_text(config, ()) == "Nothing to find.\n"


def test_github_annotations_escape_what_github_reads() -> None:
    row = Diagnostic(code="wanted-page", severity="info", path="a,b:c.md", line=1, column=2,
                     message="100%\nsure", hint="Write.")  # fmt: skip
    assert as_github(make_config(), (row,)) == (
        "::notice file=docs/a%2Cb%3Ac.md,line=1,col=2,title=wanted-page::100%25%0Asure Write.\n"
    )


def rows_of(**counts: int) -> tuple[Diagnostic, ...]:
    """So many findings of each severity, each in a line of its own."""
    codes = {"error": "duplicate-id", "warning": "wanted-page", "info": "self-link"}
    return tuple(
        Diagnostic(code=codes[severity], severity=severity, path="a.md", line=line, column=1,
                   message=f"{severity} {line}", hint="Mend it.")
        for severity, count in counts.items()
        for line in range(1, count + 1)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"error": 1}, "1 error"),
        ({"error": 2, "warning": 1, "info": 3}, "2 errors, 1 warning, 3 notes"),
        ({"warning": 2400, "info": 1}, "2,400 warnings, 1 note\n2,400 wanted-page, 1 self-link"),
    ],
)
def test_findings_are_counted_in_words(counts: dict[str, int], said: str) -> None:
    text = as_text(make_config(), rows_of(**counts))
    assert f"\n{said}\nTo learn more: wiki check --explain " in text
    assert text.count("\n") >= 2 * sum(counts.values())


def test_github_is_given_what_it_shows_and_the_log_has_the_rest() -> None:
    text = as_github(make_config(), rows_of(error=10, warning=12, info=11))
    marks = [line for line in text.splitlines() if re.match("::(error|warning|notice) ", line)]
    assert len(marks) == 30
    assert "::group::2 warnings, 1 note more: GitHub shows 10 of each kind\n" in text
    assert "docs/a.md:12:1: warning: warning 12 [wanted-page] Mend it.\n" in text
    stop, *_, start, end = text.splitlines()[31:]
    assert stop == f"::stop-commands::{start.strip(':')}"
    assert end == "::endgroup::"
    assert "::group" not in as_github(make_config(), rows_of(error=10))


def sarif(*rows: Diagnostic) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(as_sarif(make_config(), rows))
    return log


def test_sarif_says_which_rule_where_and_how_bad() -> None:
    row = replace(ROW, path="한글 쪽/a#b.md", line=3, column=7, hint="Do.")
    (run,) = sarif(row, *rows_of(error=1, info=1))["runs"]
    first, second, third = run["results"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(CODES)
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"]
    assert [r["level"] for r in (first, second, third)] == ["warning", "error", "note"]
    assert first["message"]["text"] == "m Do."
    (place,) = first["locations"]
    assert unquote(place["physicalLocation"]["artifactLocation"]["uri"]) == f"docs/{row.path}"
    assert place["physicalLocation"]["artifactLocation"]["uri"].isascii()
    assert place["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 7}


def closed(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """A schema of an object that has no other properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def listed(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


TEXT, COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = closed("text", text=TEXT, markdown=TEXT)
SARIF = closed(
    "version runs",
    **{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}},
    runs=listed(
        closed(
            "tool",
            tool=closed(
                "driver",
                driver=closed(
                    "name",
                    name=TEXT,
                    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
                    rules=listed(
                        closed(
                            "id",
                            id=TEXT,
                            shortDescription=MESSAGE,
                            fullDescription=MESSAGE,
                            help=MESSAGE,
                            defaultConfiguration=closed("", level=LEVEL),
                        )
                    ),
                ),
            ),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results=listed(
                closed(
                    "message",
                    ruleId=TEXT,
                    ruleIndex={"type": "integer", "minimum": -1},
                    level=LEVEL,
                    message=MESSAGE,
                    locations=listed(
                        closed(
                            "physicalLocation",
                            physicalLocation=closed(
                                "artifactLocation",
                                artifactLocation=closed(
                                    "uri", uri={"type": "string", "format": "uri-reference"}
                                ),
                                region=closed("startLine", startLine=COUNT, startColumn=COUNT),
                            ),
                        )
                    ),
                    partialFingerprints={"type": "object", "additionalProperties": TEXT},
                )
            ),
        )
    ),
)
"""The parts of SARIF 2.1.0 that we write, as chapter 3 of the standard has them."""


def test_sarif_keeps_the_standards_rules() -> None:
    validator = jsonschema.Draft7Validator(SARIF)
    log = sarif(*wiki("broken-links"), *wiki("bad-input"), ROW)
    assert [error.json_path for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not validator.is_valid(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rules[row["ruleIndex"]]["id"] == row["ruleId"] for row in log["runs"][0]["results"])


def test_a_fingerprint_stays_when_a_finding_moves_and_tells_equal_ones_apart() -> None:
    def prints(*rows: Diagnostic) -> list[str]:
        return [row["partialFingerprints"]["wikiFinding/v1"] for row in
                sarif(*rows)["runs"][0]["results"]]  # fmt: skip

    other = replace(ROW, message="other")
    before = prints(ROW, other, ROW)
    assert len(set(before)) == 3
    assert prints(replace(ROW, line=9, hint="x"), replace(other, column=4), ROW) == before


ROW = Diagnostic(code="wanted-page", severity="warning", path="a.md", line=1, column=1, message="m")


def test_a_baseline_knows_findings_wherever_they_move(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    write_baseline(file, (ROW, ROW))
    known = read_baseline(file)
    moved = replace(ROW, line=9, column=9, hint="other")
    other = replace(ROW, message="other")
    assert new_findings((moved, moved, moved, other), known) == (moved, other)
    assert gone_findings((moved, moved), known) == ()
    assert gone_findings((moved,), known) == (("wanted-page", "a.md", "m"),)


def test_a_note_may_leave_or_stay_in_a_baseline(tmp_path: Path) -> None:
    note = replace(ROW, code="orphan-page", severity="info")
    write_baseline(tmp_path / "known.json", (note,))
    known = read_baseline(tmp_path / "known.json")
    assert new_findings((note,), known) == ()
    assert gone_findings((), known) == ()


def test_a_baseline_is_sorted_and_the_same_for_the_same_findings(tmp_path: Path) -> None:
    other = replace(ROW, path="한글.md", message='a "b"')
    write_baseline(tmp_path / "one.json", (ROW, other))
    write_baseline(tmp_path / "two.json", (other, ROW))
    text = (tmp_path / "one.json").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.json").read_text(encoding="utf-8")
    assert "한글.md" in text
    write_baseline(tmp_path / "none.json", ())
    assert read_baseline(tmp_path / "none.json").total() == 0


@pytest.mark.parametrize(
    "text",
    [None, "no", "[]", '{"version": 2, "findings": []}', '{"version": 1}',
     '{"version": 1, "findings": [{"code": 1}]}'],
)  # fmt: skip
def test_a_file_that_is_no_baseline_is_refused_with_its_name(
    tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "known.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ConfigError, match=r"known\.json"):
        read_baseline(file)


def test_files_that_differ_in_case_only_are_said() -> None:
    paths = ["A/Note.md", "a/note.md", "b.md", "\u00e9.md", "e\u0301.md"]
    pages = [make_page("", path) for path in paths]
    found = [row for row in check_wiki(make_config(), pages) if row.code == "case-clash"]
    assert [(row.path, row.severity) for row in found] == [
        ("a/note.md", "warning"),
        ("\u00e9.md", "warning"),
    ]


def test_an_address_without_its_scheme_is_told_what_it_lacks() -> None:
    (row,) = found({"a.md": "[x](www.example.org)"})
    assert (row.code, row.hint) == (
        "missing-file",
        "Write https:// before it: www.example.org is a file's name.",
    )


def test_a_fence_that_does_not_compile_is_found_where_python_says() -> None:
    item = "- one\n\n  ```python\n  x = 1\n  print(x\n  ```\n"
    assert said({"a.md": item}) == ["a.md:5:8 syntax-error"]
    assert said({"a.md": "> ```python\n> y = = 1\n> ```\n"}) == ["a.md:2:7 syntax-error"]
    (row,) = found({"a.md": "```python check\n가 = (1\n```\n"})
    assert row.message == "This does not compile: '(' was never closed."
    assert (row.line, row.column) == (2, 5)


def test_what_is_meant_not_to_compile_is_no_syntax_error() -> None:
    codes = [
        "```python raises=SyntaxError\nx = = 1\n```\n",
        "```python\nx = = 1\n```\n\n```text\nSyntaxError: invalid syntax\n```\n",
        "```python out\n3.5 seconds\n```\n",
        "```text\nx = = 1\n```\n",
        "```python\nreturn x\n```\n",
        "```python\ny = A⁻¹ x\n```\n",
        "```python\n%timeit f(x)\n```\n",
        "```python\n>>> x = = 1\nTraceback (most recent call last):\nSyntaxError: x\n```\n",
        "```python\nawait f()\n```\n",
    ]
    for code in codes:
        assert not [row for row in said({"a.md": code}) if "syntax" in row], code


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("x = 3  #> 3\n", ["a.md:2:8"]),
        ("print(3)  #> 3\nx = 4\n#> 4\n", ["a.md:4:1"]),
        ("def f():\n    print(3)  #> 3\n    return 1\n\n\nf()\n", ["a.md:3:15"]),
        ("print(3)\n#> 3\nprint(4)  #> 4\n", []),
        ("for i in range(2):\n    print(i)  #> 1\n", []),
        ("s = '#> 3'\n", []),
        (">>> x = 3  #> 3\n", []),
        ("x = (  #> 3\n", []),
    ],
)
def test_what_no_print_belongs_to_is_told(code: str, rows: list[str]) -> None:
    seen = [row for row in said({"a.md": f"```python\n{code}```\n"}) if "syntax" not in row]
    assert seen == [f"{row} idle-assertion" for row in rows]


def test_raw_html_leads_to_pages_and_files_that_are_there(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    parts = [
        "# A\n",
        "<a href=\"b.md\">b</a> and <a href='gone.md#x'>gone</a>\n",
        '<p>\n<img width="3"\n  src="img/x%20y.png">\n<img src=img/no.png>\n</p>\n',
        "> <img src=\"../img/x&#32;y.png\"> <!-- <img src='hidden.png'> -->\n",
        '`<img src=\'code.png\'>` <img src="/rooted.png"> <a href="guide/"> <a href="#x">\n',
        '<img src="https://e.example/x.png"> <a href="built.html"> <img src="{{ x }}.png">\n',
        "```html\n<img src='shown.png'>\n```\n",
    ]
    text = "\n".join(parts)
    for path, said_there in {"sub/a.md": text, "sub/b.md": "# B\n[[A]]\n"}.items():
        (docs / path).parent.mkdir(parents=True, exist_ok=True)
        (docs / path).write_text(said_there)
    (docs / "sub" / "img").mkdir()
    (docs / "sub" / "img" / "x y.png").write_text("")
    config = read_config(docs)
    rows = check_wiki(config, read_pages(config), TODAY)
    assert [f"{r.path}:{r.line}:{r.column} {r.code}" for r in rows] == [
        "sub/a.md:3:26 wanted-page",
        "sub/a.md:8:1 missing-file",
    ]
    assert "img/no.png" in rows[1].message


LONG = "k" * 20_000
MATTER = [
    "id", "title", "category", "status", "canonical_id", "duplicate_of", "aliases", "tags",
    "source_trust_level", "confidence_score", "last_reinforced", "tech_stack", "raw_sources", LONG,
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        *(f"```python {key}={LONG}\n1\n```\n" for key in (*ATTRIBUTES, "sped", LONG)),
        *(f'```python {key}="{LONG}\n1\n```\n' for key in ("title", "speedup")),
        f"```python speedup=2 speedup={LONG}\n1\n```\n",
        f"```python speedup={LONG} speedup=2\n1\n```\n",
        f"```python sweep=S:{'5,' * 20_000}5\n1\n```\n",
        f"```python memory=2 expect=refuted:{'memory,' * 9_000}speedup\n1\n```\n",
        f"```python {LONG}\n1\n```\n",
        f"```python\n1  #> {LONG}\n```\n",
        f"{'`' * 20_000}\n1\n",
        f"[[{LONG}]] [[b#{LONG}]] [[b#^{LONG}]] ![[{LONG}.png]]\n",
        f"[a]({LONG}.md) [b](b.md#{LONG}) <a href='{LONG}.md'>c</a> [a]({LONG}.png)\n",
        *(f"---\nid: a\n{key}: {LONG}\n---\n" for key in MATTER),
        f"---\nid: a\nid: {LONG}\ntitle: {LONG}: {LONG}\n---\n",
        f"---\nrelated:\n  -{LONG}\n---\n",
    ],
    ids=lambda text: " ".join(re.sub(r"(.)\1{9,}", r"\1..", text).split())[:50],
)
def test_no_finding_is_as_long_as_what_it_quotes(text: str) -> None:
    rows = found({"a.md": text, "b.md": f"---\nid: {LONG}\ntitle: {LONG}\n---\n# {LONG}\n"})
    assert max((len(f"{row.message}{row.hint}") for row in rows), default=0) < 1000


def test_a_long_message_keeps_what_is_wrong() -> None:
    (row,) = found({"a.md": f"```python speedup={LONG}\n1\n```\n"})
    assert row.message.startswith("speedup=kkk")
    assert row.message.endswith("or 2 was expected.")
