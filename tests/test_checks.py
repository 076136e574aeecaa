import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import make_config, make_page, make_snippets, seed_config, seed_page
from wiki_tools.checks import (
    CODES,
    RULES,
    Backing,
    Diagnostic,
    as_github,
    as_text,
    check_backing,
    check_document,
    check_wiki,
    gone_findings,
    new_findings,
    read_baseline,
    write_baseline,
)
from wiki_tools.claims import Claim
from wiki_tools.config import read_config
from wiki_tools.errors import ConfigError
from wiki_tools.pages import read_pages

WIKIS = Path(__file__).parent / "wikis"
TODAY = datetime.date(2026, 6, 1)


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
        "latin-1.md:3 not-utf-8",
        "nul.md:3 nul-byte",
        "unclosed-fence.md:3 unclosed-fence",
        "unclosed-frontmatter.md:1 unclosed-frontmatter",
    ]


def test_a_korean_typing_error_is_told_the_right_name() -> None:
    (row,) = found({"index.md": "[[경사 하겅법]]", "경사 하강법.md": ""})
    assert row.hint == "Did you mean 경사 하강법? Else write the page."


def test_a_page_lies_at_or_below_its_category() -> None:
    assert said({"a/b/X.md": matter(category="a"), "a/Y.md": matter(category="a/Y")}) == []
    assert said({"ab/X.md": matter(id="x", category="a")}) == ["ab/X.md:3:1 category-mismatch"]


def test_a_page_is_aged_after_a_year() -> None:
    assert said({"a.md": matter(last_reinforced="2025-06-01")}) == []
    assert said({"a.md": matter(last_reinforced="2025-05-31")}) == ["a.md:2:1 aged-page"]


def test_a_link_to_its_own_page_is_said_unless_it_names_a_heading() -> None:
    assert said({"a.md": "# A\n\n[[a]] [[#A]] [[a#A]]"}) == ["a.md:3:1 self-link"]


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


def test_titles_and_aliases_are_given_once() -> None:
    files = {"a.md": "# One\n", "b.md": "# one\n", "c.md": matter(aliases="[ONE, Two]"),
             "d.md": matter(title="Four", aliases="[two]")}  # fmt: skip
    assert said(files) == [
        "b.md:1:1 duplicate-title",
        "c.md:2:11 duplicate-alias",
        "d.md:3:11 duplicate-alias",
    ]


def test_a_duplicate_may_bear_its_pages_name() -> None:
    files = {"a.md": matter(id="a", title="One"), "b.md": matter(duplicate_of="a", title="One")}
    assert said(files) == []


def test_what_a_page_stands_for_is_there_and_stands_for_itself() -> None:
    files = {
        "a.md": matter(id="aa"),
        "b.md": matter(id="bb", canonical_id="aa"),
        "c.md": matter(id="cc", duplicate_of="bb"),
        "d.md": matter(id="dd", duplicate_of="nowhere"),
        "e.md": matter(id="ee", canonical_id="ff"),
        "f.md": matter(id="ff", canonical_id="ee"),
    }
    assert said(files) == [
        "c.md:3:1 canonical-chain",
        "d.md:3:1 missing-canonical",
        "e.md:3:1 canonical-cycle",
    ]


def test_a_circle_of_parents_is_said_once() -> None:
    graph = "## Graph\n- Parent: "
    files = {
        name: f"{graph}[[{up}]]\n" for name, up in [("a.md", "b"), ("b.md", "c"), ("c.md", "b")]
    }
    (row,) = found(files)
    assert (row.path, row.line, row.code) == ("b.md", 2, "parent-cycle")
    assert "b → c → b" in row.message
    assert said({"a.md": f"{graph}[[b]]\n", "b.md": f"{graph}[[c]]\n", "c.md": ""}) == []


CODE = "```python speedup=2\nx = f(1)  # {}\nprint(x)  #> 1\n```\n"


@pytest.mark.parametrize(
    ("korean", "message"),
    [
        (CODE.format("열린 일"), None),
        (CODE.format("") + CODE.format(""), "has no such fence"),
        ("", "has one more"),
        (CODE.replace("speedup=2", "speedup=3"), "attributes"),
        (CODE.replace("speedup=2", "setup speedup=2"), "role is setup, and none"),
        (CODE.replace("f(1)", "f(2)"), "line 1: '2'"),
        (CODE.replace("#> 1", "#> 2"), "line 2: '#> 2'"),
        (CODE.replace("print(x)  #> 1\n", ""), "after the last"),
    ],
)
def test_a_translation_holds_the_same_code(korean: str, message: str | None) -> None:
    rows = found({"X.md": CODE.format("open work"), "X.ko.md": korean})
    assert [row.code for row in rows] == (["translation-differs"] if message else [])
    assert all(row.path == "X.ko.md" and (message or "") in row.message for row in rows)


def test_an_asserted_shape_belongs_to_the_code_and_what_follows_it_does_not() -> None:
    page = "```python\nc = a + b  # (32, 64) — {}\n```\n"
    assert said({"X.md": page.format("one"), "X.ko.md": page.format("하나")}) == []
    files = {"X.md": page, "X.ko.md": page.replace("64", "65")}
    assert said(files) == ["X.ko.md:1:1 translation-differs"]


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
    config = make_config()
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
    assert as_text(config, rows).endswith("1 error, 1 warning\n")
    assert as_text(config, ()) == "Nothing to find.\n"


def test_github_annotations_escape_what_github_reads() -> None:
    row = Diagnostic(code="wanted-page", severity="info", path="a,b:c.md", line=1, column=2,
                     message="100%\nsure", hint="Write.")  # fmt: skip
    assert as_github(make_config(), (row,)) == (
        "::notice file=docs/a%2Cb%3Ac.md,line=1,col=2,title=wanted-page::100%25%0Asure Write.\n"
    )


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
