import dataclasses
import datetime
import gc
import json
import os
import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.casefiles import Case, read_cases
from tests.support import make_config, make_page, seed_page
from wiki_tools.collector import without_collector
from wiki_tools.config import Config, read_config
from wiki_tools.pages import (
    Frontmatter,
    Page,
    frontmatter_schema,
    key_of,
    language_of,
    load_bytes,
    read_page,
    read_pages,
)
from wiki_tools.pages.fields import FIELDS
from wiki_tools.pages.frontmatter import type_carefully, type_quickly

DEFAULTS = dataclasses.asdict(Frontmatter())
NOTHING = object()
WIKIS = Path(__file__).parent / "wikis"


def vault(root: Path, **files: str | bytes) -> Config:
    """A vault with these pages; `__` stands for a slash and `.md` is added."""
    for name, text in files.items():
        file = root / "docs" / f"{name.replace('__', '/')}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    (root / "docs").mkdir(exist_ok=True)
    return make_config(root)


@pytest.mark.parametrize("case", read_cases("frontmatter"), ids=lambda case: case.title)
def test_frontmatter(case: Case) -> None:
    page = make_page(case.text)
    values = {**dataclasses.asdict(page.frontmatter), **page.frontmatter.extra}
    given_ = {k: v for k, v in values.items() if k != "extra" and v != DEFAULTS.get(k, NOTHING)}
    lines = [
        f"{key} {json.dumps(value, ensure_ascii=False, default=str)}"
        for key, value in sorted(given_.items())
    ]
    lines += [f"! {p.line}:{p.column} {p.code}" for p in page.problems]
    assert lines == case.expected


def test_the_seed_page_is_typed() -> None:
    page = seed_page()
    matter = page.frontmatter
    assert page.key == "wiki-2026-0508-matrix-operations-and-ai"
    assert (page.title, page.language) == ("Matrix Operations and AI", "en")
    assert matter.last_reinforced == datetime.date(2026, 5, 10)
    assert matter.aliases == ("Matrix Ops", "MatMul", "GEMM", "Tensor Ops")
    assert matter.tech_stack == {"language": "python", "framework": "pytorch-numpy-jax"}
    assert len([key for key in page.places if "[" not in key]) == 15
    assert page.places["tech_stack"] == (16, 1)
    assert page.place("aliases", 1) == (page.place("aliases")[0], 23)
    assert page.problems == ()


def test_the_nine_sections_of_the_seed_are_found() -> None:
    assert [section.name for section in seed_page().sections] == [
        "one-line", "core", "patterns", "decisions", "graph",
        "llm", "antipatterns", "verification", "changelog",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("## 💻 Code patterns", "patterns"),
        ("## DECISION TABLE", "decisions"),
        ("# ❌ Anti-Patterns:", "antipatterns"),
        ("## 🕓 변경 이력", "changelog"),
        ("## **Graph**", "graph"),
    ],
)
def test_a_section_is_known_in_both_languages_with_or_without_emoji(
    heading: str, name: str
) -> None:
    page = make_page(f"{heading}\n")
    assert [section.name for section in page.sections] == [name]
    assert page.section(name) == page.sections[0]
    assert page.section("llm") is None


def test_a_misspelt_key_is_told_the_right_name() -> None:
    (problem,) = make_page("---\nstatsu: draft\n---\n").problems
    assert (problem.severity, problem.hint) == ("warning", "Did you mean 'status'?")


def test_what_a_template_will_write_is_not_wrong_yet() -> None:
    rows = ("title: {{title}}", "created: {{date}} {{time}}", "status: <% tp.x %>", "tags: {{t}}",
            "confidence_score: {{c}}", "last_reinforced: x")  # fmt: skip
    page = make_page("---\n" + "\n".join(rows) + "\n---\n")
    assert [problem.line for problem in page.problems] == [7]


@pytest.mark.parametrize(
    ("matter", "severities"),
    [
        ("status: evergreen", ["info"]),
        ("status: evergreen\nlast_reinforced: 2026-05-10", ["error"]),
        ("Title: Mine", ["info"]),
        ("status: [reading]", ["info"]),
        ("category: [Books]", ["info"]),
        ("category: [Books]\ncanonical_id: self", ["error"]),
        ("title: { en: a }", ["error"]),
    ],
)
def test_the_words_of_another_vault_are_no_errors(matter: str, severities: list[str]) -> None:
    assert [p.severity for p in make_page(f"---\n{matter}\n---\n").problems] == severities


@pytest.mark.parametrize(
    ("matter", "hint"),
    [
        ("last_reinforced: 2026/5/10", "Write 2026-05-10."),
        ("last_reinforced: 2026년 5월 10일", "Write 2026-05-10."),
        ("confidence_score: 90%", "Write 0.9."),
        ("title: @name", "Put the value in quotes."),
        ("tags: [a, b", "Close the [ with ], or put the value in quotes."),
        ("aliases:\n\t- a", "Indent with spaces."),
        ("up: [[A]], [[B]]", 'Put each link in quotes, several in a list: ["[[A]]", "[[B]]"].'),
        ("up: [[A|b]]", 'Put it in quotes: "[[A|b]]".'),
        ("tags:\n  - a\n - b", "Write each item on a line of its own, all indented alike."),
    ],
)
def test_a_hint_says_the_remedy(matter: str, hint: str) -> None:
    assert [problem.hint for problem in make_page(f"---\n{matter}\n---\n").problems] == [hint]


def test_a_wrong_value_is_quoted_with_what_was_expected() -> None:
    (problem,) = make_page("---\nstatus: verifed\n---\n").problems
    expected = "status is 'verifed'; draft, review, verified or deprecated was expected."
    assert (problem.message, problem.hint) == (expected, "Did you mean 'verified'?")


@pytest.mark.parametrize(
    ("path", "key", "language"),
    [
        ("a/X.md", "a/X", "en"),
        ("a/X.ko.md", "a/X", "ko"),
        ("X.en.md", "X", "en"),
        ("X.fr.md", "X.fr", "en"),
        ("v1.2.md", "v1.2", "en"),
        (".md", ".md", "en"),
        ("a/.md", "a/.md", "en"),
        ("X.MD", "X", "en"),
    ],
)
def test_a_page_without_an_id_is_known_by_its_path(path: str, key: str, language: str) -> None:
    config = make_config()
    assert key_of(path, config) == key
    assert language_of(path, config) == language
    assert make_page("", path).key == key


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Declared\n---\n# Heading\n", "Declared"),
        ("# Heading *with* `code`\n", "Heading with code"),
        ("# Graph\n", "File-name"),
        ("# Graph\n# Own\n", "Own"),
        ("## Log\n", "File-name"),
        ("## Log\n# Own\n", "Own"),
        ("text\n", "File-name"),
    ],
)
def test_a_title_is_declared_or_the_first_heading_or_the_files_name(text: str, title: str) -> None:
    assert make_page(text, "a/File-name.ko.md").title == title


def test_pages_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    config = vault(tmp_path, b="", a__z="", a__b="", c__d__e="")
    assert [page.path for page in read_pages(config)] == ["a/b.md", "a/z.md", "b.md", "c/d/e.md"]


def test_hidden_folders_and_other_files_are_no_pages(tmp_path: Path) -> None:
    config = vault(tmp_path, a="", **{".obsidian__x": "", ".trash__y": ""})
    (tmp_path / "docs" / "image.png").write_bytes(b"\x89PNG")
    (tmp_path / "docs" / "folder.md").mkdir()
    assert [page.path for page in read_pages(config)] == ["a.md"]


def test_links_of_the_file_system_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    config = vault(tmp_path, a="inside")
    docs = tmp_path / "docs"
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.md").write_text("secret")
    (docs / "link.md").symlink_to(tmp_path / "secret.md")
    (docs / "folder").symlink_to(tmp_path / "outside")
    (docs / "loop").symlink_to(docs)
    (docs / "same.md").symlink_to(docs / "a.md")
    (docs / "gone.md").symlink_to(docs / "nothing.md")
    assert [page.path for page in read_pages(config)] == ["a.md", "same.md"]


def test_a_pipe_that_looks_like_a_page_is_not_read(tmp_path: Path) -> None:
    config = vault(tmp_path, a="")
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    assert [page.path for page in read_pages(config)] == ["a.md"]


def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path) -> None:
    vault(tmp_path)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/docs/\xff.md")).write_text("# Title")
    (page,) = read_pages(make_config(tmp_path))
    assert page.path == "\\xff.md"
    assert page.title == "Title"


def test_bytes_that_are_no_utf_8_are_replaced_and_said(tmp_path: Path) -> None:
    (page,) = read_pages(vault(tmp_path, a="# 제목\n한 caf".encode() + b"\xe9 x\n"))
    (problem,) = page.problems
    assert (problem.code, problem.line, problem.column) == ("not-utf-8", 2, 6)
    assert "caf\ufffd x" in page.markup.text


def test_utf_16_is_read_and_said() -> None:
    page = read_page(make_config(), "a.md", "---\nid: 가\n---\n".encode("utf-16"))
    assert page.frontmatter.id == "가"
    assert [problem.code for problem in page.problems] == ["not-utf-8"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\r\nid: a\r\n---\r\n", []),
        ("\ufeff---\nid: a\n---\n", ["1:1 info byte-order-mark"]),
        ("---\r\nid: a\n---\r\n", ["2:6 info mixed-line-endings"]),
        ("---\nid: a\n---\r", ["3:4 info mixed-line-endings"]),
        ("\ufeff---\r\n---\n", ["1:1 info byte-order-mark", "2:4 info mixed-line-endings"]),
    ],
)
def test_marks_and_line_endings_are_noted_and_cost_nothing(text: str, said: list[str]) -> None:
    page = make_page(text)
    assert page.markup.text == text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    assert [f"{p.line}:{p.column} {p.severity} {p.code}" for p in page.problems] == said


def test_a_page_named_md_is_read_and_said(tmp_path: Path) -> None:
    (page,) = read_pages(vault(tmp_path, a__="# Title\n"))
    assert (page.path, page.key, page.title) == ("a/.md", "a/.md", "Title")
    assert [problem.code for problem in page.problems] == ["nameless-page"]


@pytest.mark.parametrize(
    ("matter", "links"),
    [
        ('up: "[[A]]"', ["2:6 A"]),
        ("up: [[A|b]]", ["2:5 A"]),
        ("related: [[A]], [[B#h]]", ["2:10 A", "2:17 B"]),
        (
            "related:\n  - '[[Bob''s]]' # [[no]]\n  - see [[B]] and [[C]]",
            ["3:6 Bob's", "4:9 B", "4:19 C"],
        ),
        ('x: "[[a\\u00e9]]"\ny: ["[[b]]", \'[[c]]\']', ["2:5 aé", "3:6 b", "3:15 c"]),
        ("deep: { a: '[[x]]', b: \"[m](y.md)\" }", ["2:13 x"]),
        ("title: '[[a]]'\naliases: ['[[b]]']\ntags: '[[c]]'\nid: '[[d]]'", []),
        ("matrix: [[[1, 2], [3]]]\n# [[no]]\nup: x # [[no]]", []),
        ('{"up": "[[A]]"}', ["2:9 A"]),
    ],
)
def test_links_in_values_come_first(matter: str, links: list[str]) -> None:
    page = make_page(f"---\n{matter}\n---\n[[Body]]\n")
    *found, last = [f"{r.span.line}:{r.span.column} {r.target}" for r in page.markup.links]
    assert found == links
    assert last.endswith(" Body")
    assert {link.form for link in page.markup.links} == {"wikilink"}


def test_translations_share_the_id_of_either(tmp_path: Path) -> None:
    config = vault(
        tmp_path,
        **{"X": "---\nid: x\n---\n", "X.ko": "# 제목\n", "Y": "", "Y.ko": "---\nid: y\n---\n"},
    )
    assert [(page.path, page.key) for page in read_pages(config)] == [
        ("X.ko.md", "x"),
        ("X.md", "x"),
        ("Y.ko.md", "y"),
        ("Y.md", "y"),
    ]


def test_a_page_whose_id_is_taken_keeps_a_key_of_its_own(tmp_path: Path) -> None:
    config = vault(tmp_path, a="---\nid: x\n---\n", b="---\nid: x\n---\n", x="")
    assert [page.key for page in read_pages(config)] == ["x", "b", "x.md"]


def test_aliases_of_yaml_that_multiply_are_refused_in_time() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    page = make_page("---\n" + "\n".join(rows) + "\n---\n")
    assert {problem.code for problem in page.problems} == {"frontmatter-value"}


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_is_no_crash(opening: str) -> None:
    make_page(f"---\nid: x\ndeep: {opening * 20_000}\n---\n# A\n")
    make_page("> " * 20_000 + "[[a]]\n" + "- " * 20_000)


WORDS = st.one_of(
    st.text("abA-:#'\"[]{},.@é한 0", max_size=6),
    st.sampled_from([
        "draft", "verified", "A", "pending", "applied", "0.5", ".5", "1.", "1.5", "2026-05-10",
        "2026-2-9", "2026-02-30", "2024-02-29", "2023-02-29", "1900-2-29", "2000-02-29",
        "2026-05-10T10:00", "2026-05-10 10:00", "2026-13-01", "2026-04-31", "null",
    ]),
)  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(-1, 2), st.just(10**400), WORDS
)
JSON = st.one_of(
    SCALARS,
    st.lists(st.one_of(SCALARS, st.just({"a": 1}), st.just([])), max_size=3),
    st.dictionaries(st.sampled_from(["language", "framework", "b"]), SCALARS, max_size=2),
)


@given(st.sampled_from(sorted(FIELDS)), JSON)
@settings(max_examples=1000)
def test_the_schema_allows_exactly_what_pages_accept(key: str, value: object) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="nothing here validates by a schema")
    written = json.dumps(value, ensure_ascii=False)
    assume("{{" not in written)  # a template's, which is to be filled in
    page = make_page(f"---\n{key}: {written}\n---\n")
    allowed = jsonschema.Draft7Validator(frontmatter_schema()).is_valid({key: value})
    assert allowed is (page.problems == ())


def test_the_schema_describes_every_key() -> None:
    properties = frontmatter_schema()["properties"]
    assert list(properties) == [name for name in DEFAULTS if name != "extra"]
    assert all(row["description"] for row in properties.values())


def test_bad_input_loads_page_by_page() -> None:
    pages = {page.path: page for page in read_pages(read_config(WIKIS / "bad-input"))}
    codes = {path: {problem.code for problem in page.problems} for path, page in pages.items()}
    assert codes == {
        "broken-yaml.md": {"broken-frontmatter"},
        "byte-order-mark.md": {"byte-order-mark"},
        "empty.md": set(),
        "latin-1.md": {"not-utf-8"},
        "nul.md": {"nul-byte"},
        "unclosed-fence.md": {"unclosed-fence"},
        "unclosed-frontmatter.md": {"unclosed-frontmatter"},
    }
    assert pages["broken-yaml.md"].frontmatter.status == "draft"
    assert pages["byte-order-mark.md"].frontmatter.id == "with-a-mark"


HOSTILE = {
    "blank lines": ("id: a\n", "\n"), "spaces": ("id: a\n", " \n"), "one row": ("a:", " "),
    "comments": ("id: a\n\n", "#\n"), "JSON": ("{\n", " "), "JSON rows": ("{\n", '"a": "b"\n'),
    "equal keys": ("", "a: b\n"), "broken keys": ("", "a: b: c\n"), "aliases": ("", "a: *b\n"),
    "tight items": ("a:\n", " -b\n"), "some tight": ("a:\n - b\n", " -b\n"),
    "open list": ("a: [", "b, "), "open quotes": ("a: [", "'b, "), "double": ("a: [", '"b, '),
    "links": ("a: ", "[[b]], "), "open links": ("a: ", "[["), "quoted": ("a: \"", "[[b]] "),
    "escapes": ("a: \"", '\\" '), "conflicts": ("", "a: b\n<<<<<<< x\n"), "colons": ("a: ", ":"),
    "underlines": ("", "a: b\n=======\n"), "dashes": ("", "-"), "items": ("", "- "),
    "swallowed": ("a:\n", "- #b\n"), "refused": ("a: ", "\x07"), "wrong": ("tags: [", "{a: b}, "),
    "maps": ("a:\n", " b: c\n"), "words": ("", "a b "), "blocks": ("a: b: |\n", "  c\n"),
    "dots": ("", ".\n"), "prose": ("id: a\n\n", "b\n"), "carriage returns": ("a: b", "\r\n\n"),
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_hides_no_page_that_is_called_as_it_is_shown(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "docs")
    (tmp_path / "docs").mkdir()
    for name in (b"\xff.md", b"\\xff.md", b"\\\\xff.md"):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(name)
    pages = read_pages(make_config(tmp_path))
    assert len({page.path for page in pages}) == 3
    assert len({page.markup.text for page in pages}) == 3


def seconds(text: str) -> float:
    """What reading a page takes, as far as other programs let it be known."""
    took = []
    for _ in range(2):
        with without_collector():  # which walks over all that other tests left
            start = time.process_time()
            make_page(text)
            took.append(time.process_time() - start)
    return min(took)


@pytest.mark.parametrize("end", ["\n---\n", ""])
@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_front_matter_takes_no_sixteen_times_the_time(name: str, end: str) -> None:
    head, piece = HOSTILE[name]
    short, long = (f"---\n{head}{piece * (n // len(piece))}{end}" for n in (10_000, 40_000))
    assert any(seconds(long) < max(10 * seconds(short), 0.05) for _ in range(4))


def test_a_blank_wiki_has_no_pages() -> None:
    assert read_pages(read_config(WIKIS / "blank")) == ()


@given(st.binary())
def test_any_bytes_load_as_a_page(data: bytes) -> None:
    page = read_page(make_config(), "a.md", data)
    assert isinstance(page, Page)
    assert page.key


MATTER = [
    "id", ": ", "a", "[", "]", "{", "}", "- ", "\n", "&x ", "*x", "!t ", "'", '"', "#", "|", "\t",
    "@", "%", "? ", "<<: ", "aliases", "status", "2026-01-01", "\0", "null", "  ", "[[A]]", "-x",
    "\r\n", "\r", "\ufeff", "<<<<<<< x\n", "=======\n", ">>>>>>> y\n", "---\n", "```\n", ",", "한",
    "\u2028", "\x85", '{"id": "a"', "\\",
]  # fmt: skip
KEYS = st.sampled_from(["a", "b c", "x-y", "tags", "한글", "confidence_score", "last_reinforced"])
VALUES = st.lists(
    st.sampled_from([
        "a", "b c", "é", "한", "a'b", 'a"b', "'a'", '"b"', "''", '""', ":", ": ", "::", " ", "  ",
        "- ", "-", "[", "]", "{", "}", ",", ", ", "'", '"', "#", " #", "?", "&a", "*a", "!", "|",
        ">", "%", "@", "`", "\\", "~", "null", "0.5", "2026-05-10", "https://a.b/c#d", "[a, b]",
        '["a", "b"]', "{ a: b }", "[[X]]", "---", "...", "=", "<<", "\t", "\u2028", "\xa0",
        "\u3000", "\x7f", "\U0001f600", "\ufeff",
    ]),
    max_size=4,
).map("".join)  # fmt: skip
ROWS = st.one_of(
    st.tuples(KEYS, st.sampled_from([":", ": ", ":  ", " : "]), VALUES).map("".join),
    st.tuples(st.sampled_from(["- ", "  - ", "    -   ", "  -"]), VALUES).map("".join),
    st.tuples(KEYS, st.lists(VALUES, max_size=3)).map(
        lambda row: f"{row[0]}: [{', '.join(row[1])}]"
    ),
    st.tuples(KEYS, KEYS, VALUES).map(lambda row: f"{row[0]}: {{ {row[1]}: {row[2]} }}"),
    st.sampled_from(["", "  ", "# a", "#a", "text"]),
)


PIECES = st.one_of(
    st.text(),
    st.lists(st.sampled_from(MATTER)).map("".join),
    st.lists(ROWS, max_size=6).map("\n".join),
)


@given(PIECES)
def test_any_front_matter_loads(text: str) -> None:
    page = make_page(f"---\nid: kept\n{text}\n---\n# Title\n")
    assert page.title


@given(st.one_of(PIECES, PIECES.map(lambda text: f"---\nid: a\n{text}\n---\n")))
def test_all_that_is_said_of_a_page_lies_in_it(text: str) -> None:
    page = make_page(text)
    rows = page.markup.text.split("\n")
    places = [(problem.line, problem.column) for problem in page.problems]
    for line, column in [*places, *page.places.values()]:
        assert 1 <= line <= len(rows)
        assert 1 <= column <= len(rows[line - 1]) + 1


@given(PIECES)
def test_the_place_of_a_key_is_where_it_is_written(text: str) -> None:
    page = make_page(f"---\nid: a\n{text}\n---\n")
    refused = "[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]"
    rows = re.sub(refused, "\ufffd", page.markup.text).split("\n")
    for key, (line, column) in page.places.items():
        row = rows[line - 1][column - 1 :]
        if not key.endswith("]") and row[:1] not in ("", "'", '"', "!", "&", "*", "|", ">"):
            assert row.startswith(key.split("\n")[0].split(" ")[0])


@given(PIECES)
def test_links_of_a_front_matter_are_where_they_are_written(text: str) -> None:
    page = make_page(f"---\nup: {text}\n---\n[[Body]]\n")
    links = [link for link in page.markup.links if link.span.start < page.markup.body]
    assert page.markup.links[: len(links)] == tuple(links)
    for link in links:
        assert page.markup.text[link.span.start : link.span.end] == link.text
        before = page.markup.text[: link.span.start]
        assert link.span.line == before.count("\n") + 1
        assert link.span.column == link.span.start - before.rfind("\n")


@given(st.lists(ROWS, max_size=5).map("\n".join))
@settings(max_examples=1000)
@example("key: a #b")
@example("key: a:")
@example("key: a # b\nb: 'c' # d\nc: [d] #e\n# f\nd:\n- e # f\n# g\n- h")
@example("key: 'a'# b")
@example("key: # b")
@example("key: []\n  - a")
@example("key: [a, b,]\nb: {a: b, a: c}")
@example("a: b\n  c\nd: e")
@example("a:\n- b\n\n- c")
@example("a: \"b\" \nc: 'd' ")
@example("a: [b:c, d#e]")
@example("a: {b: c:d}")
def test_plain_lines_are_read_as_libyaml_reads_them(text: str) -> None:
    quick = type_quickly(text, 2)
    if quick is not None and text.strip():
        assert (quick, []) == type_carefully(text, 2)


def test_the_front_matter_of_a_usual_page_is_plain() -> None:
    text = seed_page().markup.frontmatter
    assert text
    assert type_quickly(text, 2)


@pytest.mark.parametrize("enabled", [True, False])
def test_reading_leaves_the_garbage_collector_as_it_was(tmp_path: Path, enabled: bool) -> None:
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        read_pages(vault(tmp_path, a=""))
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()


def test_a_link_outside_of_any_key_is_none() -> None:
    assert make_page("---\n[[a]]---\n---\n").markup.links == ()


@pytest.mark.parametrize("size", [0, 1, 4096, 70_000, 3_000_000])
def test_all_bytes_of_a_file_are_read(tmp_path: Path, size: int) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(bytes(range(256)) * (size // 256 + 1))
    assert load_bytes(str(file)) == (file.read_bytes(), ())
    assert load_bytes("/proc/self/status")[0].startswith(b"Name:")  # whose size is said to be 0
    assert load_bytes(str(tmp_path))[1][0].code == "unreadable-file"
