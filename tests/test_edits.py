"""Edits by span, patches, and renames after which every link leads where it led."""

import json
import os
import posixpath
import pty
import random
import signal
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import make_config
from wiki_tools.config import Config, read_config
from wiki_tools.edits import (
    Change,
    Edit,
    Keep,
    Plan,
    apply_edits,
    as_diff,
    plan_rename,
    read_source,
    world_of,
    write_changes,
)
from wiki_tools.edits.matter import quoted, set_keys
from wiki_tools.edits.template import heading_text, page_template
from wiki_tools.errors import UsageError
from wiki_tools.graph import BrokenLink, Outline, ResolvedLink, find_pages, link_pages, outline_of
from wiki_tools.graph.document import graph_document
from wiki_tools.markup import parse_markup, slugify
from wiki_tools.pages import Page, give_keys, read_page, read_pages

MEMORY = make_config()


def pages_of(files: dict[str, str]) -> tuple[Page, ...]:
    return give_keys([read_page(MEMORY, p, t) for p, t in sorted(files.items())], MEMORY)


def outlined(pages: tuple[Page, ...]) -> tuple[Outline, ...]:
    return tuple(outline_of(page, MEMORY) for page in pages)


def plan(
    files: dict[str, str], old: str, new: str, keep: Keep = Keep.ALIAS, title: str = ""
) -> Plan:
    pages = pages_of(files)
    (page,) = find_pages(old, outlined(pages), MEMORY)
    world, read = world_of(MEMORY, pages), lambda path: files[path].encode()
    return plan_rename(MEMORY, world, page, new, title=title, keep=keep, read=read)


def after(files: dict[str, str], plan: Plan) -> dict[str, str]:
    """The files of a vault when a plan is carried out."""
    gone = {change.path.removeprefix("docs/") for change in plan.changes}
    left = {path: text for path, text in files.items() if path not in gone}
    return left | {c.to.removeprefix("docs/"): c.after.decode() for c in plan.changes}


def renamed(files: dict[str, str], old: str = "a/Old", new: str = "New") -> dict[str, str]:
    return after(files, plan(files, old, new))


# Edits


@given(
    st.text(alphabet="a한\n😀 ", max_size=30),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.data(),
)
def test_offsets_of_the_read_text_find_the_same_in_the_file(
    text: str, newline: str, bom: bool, data: st.DataObject
) -> None:
    raw = "\ufeff" * bom + text.replace("\n", newline)
    source = read_source("x.md", raw.encode())
    assert source.clean == text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edit = source.edit(start, end, "<\n>")
    made = apply_edits(raw, [edit])
    assert read_source("x.md", made.encode()).clean == f"{text[:start]}<\n>{text[end:]}"
    assert made.startswith(raw[: edit.start])
    assert made.endswith(raw[edit.end :])


def test_mixed_line_endings_stay_as_they_are() -> None:
    source = read_source("x.md", b"a\r\nb\nc\r\n")
    at = source.clean.index("c")
    assert apply_edits(source.raw, [source.edit(at, at + 1, "C")]) == "a\r\nb\nC\r\n"


def test_edits_that_overlap_are_refused() -> None:
    rows = [Edit(path="x", start=0, end=3, text=""), Edit(path="x", start=2, end=4, text="")]
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", rows)


def test_what_is_not_utf_8_is_never_rewritten() -> None:
    with pytest.raises(UsageError, match=r"x.md:2: is not UTF-8"):
        read_source("x.md", b"a\n\xff")


# Front matter


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("# T\n", "---\naliases: [new]\n---\n\n# T\n"),
        ("", "---\naliases: [new]\n---\n"),
        ("---\nid: x\n---\n", "---\nid: x\naliases: [new]\n---\n"),
        ("---\n---\n", "---\naliases: [new]\n---\n"),
        ("---\naliases: []\nid: x\n---\n", "---\naliases: [new]\nid: x\n---\n"),
        ("---\naliases:\nid: x\n---\n", "---\naliases: [new]\nid: x\n---\n"),
        ("---\naliases: ~ # none\n---\n", "---\naliases: [new] # none\n---\n"),
        ("---\naliases: one, two\n---\n", "---\naliases: [one, two, new]\n---\n"),
        ("---\naliases: 'a, b'\n---\n", '---\naliases: ["a, b", new]\n---\n'),
        ("---\nalias: one\n---\n", "---\nalias: [one, new]\n---\n"),
        ("---\nalias: x\naliases: z\n---\n", "---\nalias: x\naliases: [z, new]\n---\n"),
        ("---\naliases: [한, 'b'] # c\n---\n", "---\naliases: [한, 'b', new] # c\n---\n"),
        ("---\naliases: [a,\n  b,\n]\n---\n", "---\naliases: [a,\n  b, new,\n]\n---\n"),
        (
            "---\naliases:\n  - a\n  - b # c\n\nid: x\n---\n",
            "---\naliases:\n  - a\n  - b # c\n  - new\n\nid: x\n---\n",
        ),
        ("---\naliases:\n- a\nid: x\n---\n", "---\naliases:\n- a\n- new\nid: x\n---\n"),
        ("---\nid: 'a\n---\n", "---\nid: 'a\naliases: [new]\n---\n"),
    ],
)
def test_an_item_is_added_in_the_form_that_the_list_has(before: str, expected: str) -> None:
    made = before
    for start, end, text in reversed(set_keys(parse_markup(before), {"aliases": ["new"]})):
        made = made[:start] + text + made[end:]
    assert made == expected


@given(st.text(), st.booleans())
def test_a_quoted_text_means_itself(text: str, listed: bool) -> None:
    text = text.encode("utf-8", "replace").decode()
    written = f"[{quoted(text)}]" if listed else quoted(text)
    key = "aliases" if listed else "title"
    page = read_page(MEMORY, "x.md", f"---\n{key}: {written}\nid: end\n---\n")
    assert page.problems == ()
    read = page.frontmatter.aliases if listed else (page.frontmatter.title,)
    assert read == ((text,) if text or not listed else ())
    assert page.frontmatter.id == "end"


# Rename: how links are written


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[[Old]]", "[[New]]"),
        ("[[old]]", "[[New]]"),
        ("[[Old|text]]", "[[New|text]]"),
        ("[[ Old | text ]]", "[[ New | text ]]"),
        ("[[Old#Part]]", "[[New#Part]]"),
        ("[[Old#^b1]]", "[[New#^b1]]"),
        ("[[Old#Part|text]]", "[[New#Part|text]]"),
        ("[[Old#No such part]]", "[[New#No such part]]"),
        ("[[Old.md]]", "[[New.md]]"),
        ("[[a/Old]]", "[[a/New]]"),
        ("[[a/Old.md#Part|x]]", "[[a/New.md#Part|x]]"),
        ("[[/a/Old]]", "[[/a/New]]"),
        ("[[../a/Old]]", "[[../a/New]]"),
        ("![[Old]]", "![[New]]"),
        ("![[Old#Part]]", "![[New#Part]]"),
        ("[x](../a/Old.md)", "[x](../a/New.md)"),
        ("[x](../a/Old.md#part)", "[x](../a/New.md#part)"),
        ("[x](../a/Old.md?plain=1#part)", "[x](../a/New.md?plain=1#part)"),
        ("[x](../a/Old)", "[x](../a/New)"),
        ("[x](/a/Old.md)", "[x](/a/New.md)"),
        ("[x](./../a/Old.md)", "[x](../a/New.md)"),
        ("[x](../a/Old.md 'title')", "[x](../a/New.md 'title')"),
        ('[x](<../a/Old.md> "t")', '[x](<../a/New.md> "t")'),
        ("![x](../a/Old.md)", "![x](../a/New.md)"),
        ("[![i](i.png)](../a/Old.md)", "[![i](i.png)](../a/New.md)"),
        ("[x][d]\n\n[d]: ../a/Old.md 'T'", "[x][d]\n\n[d]: ../a/New.md 'T'"),
        ("[d] [d][] [y][D]\n\n[d]: <../a/Old.md>", "[d] [d][] [y][D]\n\n[d]: <../a/New.md>"),
        ("> - [[Old]]\n>   [[Old]]", "> - [[New]]\n>   [[New]]"),
        ("| a |\n|---|\n| [[Old\\|x]] [[Old]] |", "| a |\n|---|\n| [[New\\|x]] [[New]] |"),
        # what needs no change
        ("[[The Title]]", "[[The Title]]"),
        ("[[Other name]]", "[[Other name]]"),
        ("[[id-1]]", "[[id-1]]"),
        ("`[[Old]]` and\n```\n[[Old]]\n```", "`[[Old]]` and\n```\n[[Old]]\n```"),
        ("<!-- [[Old]] -->", "<!-- [[Old]] -->"),
        ("Old, [Old](https://example.com/Old.md)", "Old, [Old](https://example.com/Old.md)"),
    ],
)
def test_a_link_keeps_its_form(link: str, expected: str) -> None:
    old = "---\nid: id-1\ntitle: The Title\naliases: [Other name]\n---\n# Part\n\nText ^b1\n"
    files = {"a/Old.md": old, "b/page.md": f"See {link}\n"}
    made = renamed(files)
    assert made["b/page.md"] == f"See {expected}\n"
    assert made["a/New.md"] == old.replace("[Other name]", "[Other name, Old]")


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[x](../a/%EA%B0%80.md)", "[x](../a/%EB%82%98%20%28%EB%8B%A4%29.md)"),
        ("[x](../a/가.md)", "[x](../a/나%20%28다%29.md)"),
        ("[x](<../a/가.md>)", "[x](<../a/나 (다).md>)"),
        ("[[가]]", "[[나 (다)]]"),
    ],
)
def test_a_path_is_encoded_as_it_was(link: str, expected: str) -> None:
    files = {"a/가.md": "", "b/page.md": link}
    assert renamed(files, "가", "나 (다)")["b/page.md"] == expected


def test_links_in_front_matter_are_mended() -> None:
    matter = "---\nup: '[[Old]]'\nrelated:\n  - \"[[a/Old|x]]\"\n---\n"
    made = renamed({"a/Old.md": "", "page.md": matter}, new="Bob's")
    assert made["page.md"] == matter.replace("'[[Old]]'", "'[[Bob''s]]'").replace(
        "a/Old", "a/Bob's"
    )
    assert read_page(MEMORY, "page.md", made["page.md"]).problems == ()


def test_the_links_of_a_page_that_moves_are_mended() -> None:
    text = (
        "[o](other.md) ![i](img/x.png) [w](unwritten.md) [up](../top.md#h) [[../top]] [[other]]\n"
        "[self](Old.md) [[Old#H]] [here](#h)\n\n# H\n\n[d][]\n\n[d]: <other.md>\n"
    )
    files = {"a/Old.md": text, "a/other.md": "", "top.md": "# H\n"}
    made = renamed(files, new="c/d/New")["c/d/New.md"]
    assert made.partition("---\n\n")[2] == (
        "[o](../../a/other.md) ![i](../../a/img/x.png) [w](../../a/unwritten.md) "
        "[up](../../top.md#h) [[../top]] [[other]]\n"
        "[self](New.md) [[New#H]] [here](#h)\n\n# H\n\n[d][]\n\n[d]: <../../a/other.md>\n"
    )


def test_translations_move_together() -> None:
    files = {
        "a/X.md": "[[X]]",
        "a/X.ko.md": "[[X]] [[X.ko]]",
        "b.md": "[[X]] [[X.ko]] [k](a/X.ko.md)",
    }
    made = renamed(files, "a/X", "c/Y.md")
    assert sorted(made) == ["b.md", "c/Y.ko.md", "c/Y.md"]
    assert made["b.md"] == "[[Y]] [[Y.ko]] [k](c/Y.ko.md)"
    assert made["c/Y.ko.md"].endswith("\n\n[[Y]] [[Y.ko]]")


def test_a_name_that_becomes_ambiguous_is_written_as_a_path() -> None:
    files = {"a/Old.md": "", "b/New.md": "", "c/p.md": "[[New]] [[New|n]] ![[New]] [[Old]]"}
    made = renamed(files, new="New")
    assert made["c/p.md"] == "[[b/New|New]] [[b/New|n]] ![[b/New]] [[a/New|New]]"


def test_a_pipe_that_is_added_in_a_table_is_escaped() -> None:
    files = {"a/Old.md": "", "b/New.md": "", "c/p.md": "| a |\n|---|\n| [[New]] |\n"}
    assert renamed(files)["c/p.md"] == "| a |\n|---|\n| [[b/New\\|New]] |\n"


def test_a_wanted_page_that_is_found_is_said() -> None:
    files = {"a/Old.md": "", "b.md": "\n[[New]]"}
    made = plan(files, "Old", "New")
    assert after(files, made)["b.md"] == "\n[[New]]"
    assert made.notes == ("b.md:2:1: [[New]] led to nothing; now to a/New.md",)


def test_what_stands_for_the_page_by_its_path_follows() -> None:
    files = {"a/Old.md": "", "dup.md": "---\nduplicate_of: a/Old\n---\n", "p.md": "[[dup]]"}
    assert renamed(files)["dup.md"] == "---\nduplicate_of: a/New\n---\n"


def test_a_page_stays_below_its_category() -> None:
    files = {"a/Old.md": "---\ncategory: a # where\n---\n"}
    made = after(files, plan(files, "Old", "b/Old", Keep.NOTHING))
    assert made == {"b/Old.md": "---\ncategory: b # where\n---\n"}


def test_line_endings_and_marks_stay() -> None:
    files = {"a/Old.md": "x", "p.md": "\ufeff# P\r\n\r\n[[Old]]\nmixed [[Old]]\r\n\r\n"}
    assert renamed(files)["p.md"] == files["p.md"].replace("Old", "New")


# Rename: what is left of the old name


def test_an_alias_is_left_unless_another_page_has_the_name() -> None:
    files = {"a/Old.md": "", "b/Old.md": ""}
    made = plan(files, "a/Old.md", "a/New.md")
    assert after(files, made)["a/New.md"] == ""
    assert "'Old' is a name of b/Old.md too" in made.notes[0]


def test_no_alias_is_left_where_none_is_wanted_or_needed() -> None:
    files = {"a/Old.md": "# T\n", "p.md": "[[Old]] [x](a/Old.md)"}
    assert after(files, plan(files, "Old", "New", Keep.NOTHING))["a/New.md"] == "# T\n"
    made = renamed(files, "Old", "b/")
    assert made == {"b/Old.md": "# T\n", "p.md": "[[Old]] [x](b/Old.md)"}


def test_a_redirect_leads_on() -> None:
    files = {"a/Old.md": "---\nid: i\ntitle: T [x]\n---\n", "p.md": "[[Old]] [[T [x]]]"}
    made = after(files, plan(files, "Old", "b/New page", Keep.REDIRECT))
    assert made["a/Old.md"] == (
        "---\ntitle: Old\nduplicate_of: i\n---\n\n"
        "This page is now [T \\[x\\]](../b/New%20page.md).\n"
    )
    assert made["p.md"].startswith("[[New page]]")
    (row,) = link_pages(pages_of({**made, "q.md": "[[Old]]"}), MEMORY).resolved[-1:]
    assert (row.target_path, row.canonical) == ("a/Old.md", "i")


def test_a_new_title_is_written_where_the_old_one_was() -> None:
    files = {"Old.md": "# Old title\n\ntext\n", "p.md": "[[Old title]] [[Old]]"}
    made = after(files, plan(files, "Old", "New", title="New: title"))
    assert made["New.md"] == "---\naliases: [Old, Old title]\n---\n\n# New: title\n\ntext\n"
    assert made["p.md"] == "[[Old title]] [[New]]"
    files = {"Old.md": "---\ntitle: T\n---\n# T\n", "p.md": "[[Old#T]] [[T]]"}
    made = after(files, plan(files, "Old", "New", Keep.NOTHING, title="#1"))
    assert made["New.md"] == '---\ntitle: "#1"\n---\n# T\n'
    assert made["p.md"] == "[[New#T]] [[New|T]]"


# Rename: what a person should know


def test_a_page_that_stands_for_the_renamed_one_from_now_on_is_said() -> None:
    files = {"Old.md": "", "dup.md": "---\nduplicate_of: New\n---\n", "p.md": "[[dup]]"}
    assert plan(files, "Old", "New").notes == ("dup.md: stood for dup.md; now for New.md",)


def test_foams_own_definitions_are_said_to_be_foams() -> None:
    foam = (
        '[//begin]: # "Autogenerated link references for markdown compatibility"\n[Old]: Old.md\n'
    )
    files = {"Old.md": "", "p.md": f"[[Old]]\n\n{foam}", "q.md": f"[[p]]\n\n{foam}"}
    assert plan(files, "Old", "New").notes == (
        "p.md: Foam writes the link definitions at its end; save it in VS Code",
    )


def test_raw_html_that_leads_to_a_renamed_page_is_said_and_left() -> None:
    files = {
        "a/Old.md": "",
        "a/p.md": '<a href="Old.md">old</a> [[Old]]',
        "q.md": '<a href="Old.md">',
    }
    made = plan(files, "Old", "New")
    assert made.notes == ("a/p.md:1:1: Old.md stands in HTML; correct it by hand",)


def test_modules_that_a_page_leaves_behind_are_said(vault: Config) -> None:
    page = vault.docs / "a" / "Old page.md"
    code = "import helper, numpy\nfrom pack.part import f\nimport shared, both"
    page.write_text(f"```python\n{code}\n```\n\n```text\nimport unread\n```\n")
    for path in ("a/helper.py", "a/pack/part.py", "a/both.py", "b/both.py", "a/unread.py"):
        (vault.docs / path).parent.mkdir(exist_ok=True)
        (vault.docs / path).write_text("")
    (vault.root / "snippets" / "shared.py").write_text("")
    notes = [note for note in planned(vault, "b/").notes if "imports" in note]
    assert notes == [
        "a/Old page.md: imports a/helper.py, which stays there; move it by hand",
        "a/Old page.md: imports a/pack, which stays there; move it by hand",
    ]
    assert not [note for note in planned(vault, "Other").notes if "imports" in note]


def test_what_does_not_move_with_a_page_is_said(vault: Config) -> None:
    page = vault.docs / "a" / "Old page.md"
    page.write_text('<img src="x.png"> <a href="https://e.example"> <img src=/abs.png>\n')
    (vault.root / "README.md").write_text("[page](docs/a/Old%20page.md)\n")
    for path in ("evidence/cpu/a/Old page.json", "snippets/a/Old page/01.py"):
        (vault.root / path).parent.mkdir(parents=True)
        (vault.root / path).write_text("{}")
    assert list(planned(vault).notes) == [
        "a/Old page.md:1: x.png stands in HTML; correct it by hand",
        "a/Old page.ko.md: has no id, so that its evidence is found by its path; give it an id, "
        "or run wiki verify to record it anew",
        "snippets/a/Old page: lies where the page lay; run wiki extract",
        "README.md: names docs/a/Old page.md; correct it by hand",
    ]


# Rename: what is refused


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("../x", "lies outside"),
        ("a/../../x", "lies outside"),
        ("/tmp/x.md", "lies outside"),
        ("a#b", "a name has no #"),
        ("a|b", "a name has no |"),
        ("[a]", "a name has no ["),
        ("a:b", "a name has no :"),
        ("a\\b", "a name has no \\"),
        ("a\nb", "no control characters"),
        ("a\u202eb", "no control characters"),
        ("a\tb", "no control characters"),
        (".hidden", "hidden"),
        ("b/.git/x", "hidden"),
        ("x.", "ends with"),
        (" x", "begins nor ends with a space"),
        ("con.md", "Windows"),
        ("x" * 300, "too long"),
        ("x.png", "ends in .md"),
        ("Old", "its name already"),
        ("", "is empty"),
        ("other", "a/other.md: is there already"),
        ("a/other.md", "a/other.md: is there already"),
        ("Tr", "a/Tr.ko.md: is there already"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(new: str, words: str) -> None:
    files = {"a/Old.md": "", "a/other.md": "", "a/Tr.ko.md": ""}
    with pytest.raises(UsageError) as caught:
        plan(files, "Old", new)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ("New", "a/New.md"),
        ("New.md", "a/New.md"),
        ("New.MD", "a/New.MD"),
        ("v1.2", "a/v1.2.md"),
        ("./New", "New.md"),
        ("b/", "b/Old.md"),
        ("./", "Old.md"),
        ("b/c/New", "b/c/New.md"),
        ("docs/b/New.md", "b/New.md"),
        ("/nonexistent/vault/docs/b/New.md", "b/New.md"),
        ("New.ko.md", "a/New.ko.md"),
        ("old", "a/old.md"),
        ("가", "a/가.md"),
    ],
)
def test_a_new_name_is_understood(new: str, path: str) -> None:
    assert list(renamed({"a/Old.md": ""}, new=new)) == [path]


# Rename: the laws

_NAMES = ["A", "a", "Deep-Learning", "deep learning", "DL", "심층 학습", "X", "x", "B (2)", "v1.2"]
_NAMES += ["Bob's", "index", "README", "C# notes", "a&b", "100%"]
_NEW = ["New", "new/", "c/New", "a/", "./", "a/b/Neu (1)", "심층 학습", "Deep-Learning", "X", "DL"]
_NEW += ["T1", "Q", "README", "a/index", "c/100%", "Bob's two"]


class _Author:
    """Writes small vaults whose links have every form."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.choose: Callable[[Sequence[str]], str] = self.random.choice
        folders = ["", "a/", "b/", "a/b/", "한글/"]
        rows = range(self.random.randint(2, 7))
        suffixes = [".md", ".md", ".ko.md"]
        parts = (folders, _NAMES, suffixes)
        self.paths = sorted({"".join(map(self.choose, parts)) for _ in rows})

    def sometimes(self, share: float) -> bool:
        return self.random.random() < share

    def vault(self) -> dict[str, str]:
        return {path: self.page(path) for path in self.paths}

    def page(self, path: str) -> str:
        links = [self.link(path) for _ in range(self.random.randint(0, 5))]
        cell = self.link(path).replace("|", "\\|")
        text = f"# H one\n\n{' and '.join(links)}\n\n| a | b |\n|---|---|\n| {cell} | z |\n"
        if self.sometimes(0.3):
            text += f"\n[r][d]\n\n[d]: {self.destination(path)}\n"
        text = self.matter() + text
        text = text.replace("\n", "\r\n") if self.sometimes(0.3) else text
        return "\ufeff" * self.sometimes(0.2) + text

    def matter(self) -> str:
        rows = []
        if self.sometimes(0.5):
            rows.append(f"title: {self.choose(['Deep Learning', 'T1', 'X', 'A', '심층 학습'])}")
        if self.sometimes(0.3):
            rows.append(f"id: {self.choose(['id1', 'id2', 'DL'])}")
        if self.sometimes(0.3):
            rows.append(f"aliases: {self.choose(['[DL, Q]', 'Q', '[]', chr(10) + '  - Q'])}")
        if self.sometimes(0.1):
            rows.append(f"duplicate_of: {self.choose(['id1', 'a/A', 'DL', 'X'])}")
        if self.sometimes(0.2):
            rows.append(f'up: "[[{self.choose(_NAMES)}]]"')
        return "".join(["---\n", *(f"{row}\n" for row in rows), "---\n"]) if rows else ""

    def destination(self, path: str) -> str:
        target = self.choose(self.paths)
        way = posixpath.relpath(f"/r/{target}", f"/r/{posixpath.dirname(path)}")
        way = self.choose([way, way, way, f"./{way}", f"/{target}", way[:-3]])
        way += self.choose(["", "", "#h-one"])
        bare, _, heading = way.partition("#h-one")
        ending = "#h-one" if way != bare else heading
        angled = bare.replace("%", "%25").replace("#", "%23")
        return self.choose([quote(bare) + ending, quote(bare) + ending, f"<{angled}{ending}>"])

    def target(self, path: str) -> str:
        known = self.choose(self.paths)
        way = posixpath.relpath(f"/r/{known}", f"/r/{posixpath.dirname(path)}")
        named = self.choose([*_NAMES, "T1", "Q", "id1", "Deep Learning", "None such"])
        ending = known.partition("/")[2] or known
        return self.choose([named, named, known, known[:-3], f"/{known}", ending, f"./{way}"])

    def link(self, path: str) -> str:
        mark = self.choose(["", "", "!"])
        if self.sometimes(0.3):
            title = self.choose(["", ' "ti"'])
            return f"{mark}[{self.choose(['t', '`c`', ''])}]({self.destination(path)}{title})"
        heading = self.choose(["", "", "#H one", "#nope"])
        return f"{mark}[[{self.target(path)}{heading}{self.choose(['', '', '|shown', ' | s '])}]]"


def leads(pages: Sequence[Page], moves: dict[str, str]) -> dict[tuple[str, int], tuple[str, ...]]:
    """Page and index of a link to where it leads."""
    graph = link_pages(pages, MEMORY)
    rows: dict[str, list[ResolvedLink | BrokenLink]] = {}
    everything: list[ResolvedLink | BrokenLink] = [*graph.resolved, *graph.broken]
    for row in everything:
        rows.setdefault(row.path, []).append(row)
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for path, listed in rows.items():
        listed.sort(key=lambda row: row.link.span)
        for index, row in enumerate(listed):
            goal = moves.get(row.target_path, row.target_path)
            place = (moves.get(path, path), index)
            if isinstance(row, ResolvedLink):
                found[place] = ("page", goal, row.anchor)
            else:
                several = () if row.target_path else row.candidates
                found[place] = (row.reason, goal, *sorted(moves.get(c, c) for c in several))
    return found


def body(page: Page) -> str:
    links = [link.span for link in page.markup.links if link.span.start >= page.markup.body]
    at, parts = page.markup.body, []
    for span in links:
        parts.append(page.markup.text[at : span.start])
        at = max(at, span.end)
    rows = "·".join([*parts, page.markup.text[at:]]).lstrip("\n").split("\n")
    return "\n".join(row for row in rows if not row.startswith("[d]: "))


@given(st.integers(0, 10**9), st.sampled_from(_NEW), st.sampled_from(Keep), st.integers(0, 6))
def test_every_link_leads_where_it_led(seed: int, new: str, keep: Keep, which: int) -> None:
    files = _Author(seed).vault()
    pages = pages_of(files)
    old = outline_of(pages[which % len(pages)], MEMORY)
    world = world_of(MEMORY, pages)
    try:
        made = plan_rename(MEMORY, world, old, new, keep=keep, read=lambda p: files[p].encode())
    except UsageError as error:
        if "already" in str(error) or "without language" in str(error):
            return
        raise
    changed = pages_of(after(files, made))
    pairs = [(c.path.removeprefix("docs/"), c.to.removeprefix("docs/")) for c in made.changes]
    moves = {path: goal for path, goal in pairs if path and path != goal}
    before, ends = leads(pages, moves), leads(changed, {})
    redirects = {goal for path, goal in pairs if not path}
    assert {path for path, _ in ends.keys() - before.keys()} <= redirects
    other_ways = [key for key, end in before.items() if ends[key] != end]
    assert all(before[key][0] in ("wanted-page", "ambiguous-link") for key in other_ways)
    assert len(other_ways) <= len(made.notes)
    now = {page.path: page for page in changed}
    for page in pages:
        other = now[moves.get(page.path, page.path)]
        assert body(other) == body(page)
        assert other.frontmatter.id == page.frontmatter.id
        assert set(page.frontmatter.aliases) <= set(other.frontmatter.aliases)


@settings(max_examples=50)
@given(st.integers(0, 10**9))
def test_renaming_back_gives_the_same_graph(seed: int) -> None:
    files = _Author(seed).vault()
    pages = pages_of(files)
    page = pages[0]
    there = plan(files, page.path, "zz/Never-Used", Keep.NOTHING)
    between = after(files, there)
    odd = set(page.path) & set("#") or any(p.language != "en" for p in pages)
    if there.notes or odd:
        return
    goal = next(path for path in between if path.startswith("zz/"))
    back = after(between, plan(between, goal, f"./{page.path}", Keep.NOTHING))
    assert edges(back) == edges(files)


def edges(files: dict[str, str]) -> list[tuple[object, ...]]:
    pages = pages_of(files)
    rows = graph_document(outlined(pages), link_pages(pages, MEMORY))["edges"]
    keys = ("path", "source", "target", "canonical", "relation", "line", "form")
    return [tuple(row[key] for key in keys) for row in rows]


# Patches and files


@pytest.fixture
def vault(tmp_path: Path) -> Config:
    """A vault in a git repository, with odd files."""
    files = {
        "docs/a/Old page.md": "---\r\nid: i\r\n---\r\n# Old\r\n\r\n![i](x.png) [[top]]\r\n",
        "docs/a/Old page.ko.md": "# 옛것\n",
        "docs/a/x.png": "x",
        "docs/top.md": "\ufeff# Top\n" + "line\n" * 20 + "[[Old page]]\n\n[[Old page]] no end",
        "docs/한 글.md": "[x](a/Old%20page.md)\n" * 3 + "\n" * 9 + "[[Old page|옛]]\n" + "\n" * 4,
        "docs/other.md": "[[top]]\n",
        "mkdocs.yml": "site_name: x\nnav:\n  - Old: a/Old page.md\n  - top.md\n",
        "docs/map.canvas": '{"file":"a/Old page.md"} {"file": "a/Old page.ko.md"} {"x":"top.md"}',
        "docs/odd.canvas": '"docs/a/Old page.md", "x/a/Old page.md"',
        "snippets/fixtures/Old page.py": "def x():\n    return 1\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    subprocess.run(["git", "-C", tmp_path, "init", "-q"], check=True)
    return read_config(tmp_path / "docs")


def contents(root: Path) -> dict[str, bytes]:
    files = [file for file in root.rglob("*") if file.is_file() and ".git" not in file.parts]
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def planned(config: Config, new: str = "b/New", keep: Keep = Keep.ALIAS) -> Plan:
    pages = read_pages(config)
    (page,) = find_pages("Old page", outlined(pages), config)
    return plan_rename(config, world_of(config, pages), page, new, keep=keep)


@pytest.mark.parametrize("keep", Keep)
def test_git_applies_the_patch_to_what_is_written(vault: Config, keep: Keep) -> None:
    before, made = contents(vault.root), planned(vault, keep=keep)
    patch = as_diff(made.changes)
    apply = ["git", "-C", str(vault.root), "apply", "--whitespace=nowarn"]
    subprocess.run(apply, input=patch.encode(), check=True)
    applied = contents(vault.root)
    subprocess.run([*apply, "--reverse"], input=patch.encode(), check=True)
    assert contents(vault.root) == before
    write_changes(vault.root, made.changes)
    assert contents(vault.root) == applied
    assert {"docs/b/New.md", "docs/b/New.ko.md", "snippets/fixtures/New.py"} <= applied.keys()
    assert b"- Old: b/New.md\n" in applied["mkdocs.yml"]
    canvas = b'{"file":"b/New.md"} {"file": "b/New.ko.md"} {"x":"top.md"}'
    assert applied["docs/map.canvas"] == canvas
    assert applied["docs/odd.canvas"] == b'"docs/b/New.md", "x/a/Old page.md"'
    assert ("docs/a/Old page.md" in applied) is (keep is Keep.REDIRECT)


def test_a_patch_shows_a_move_and_what_changes_in_it(vault: Config) -> None:
    rows = as_diff(planned(vault, keep=Keep.NOTHING).changes).splitlines()
    at = rows.index("diff --git a/docs/a/Old page.ko.md b/docs/b/New.ko.md")
    assert rows[at + 1 : at + 4] == [
        "similarity index 100%",
        "rename from docs/a/Old page.ko.md",
        "rename to docs/b/New.ko.md",
    ]
    assert "-![i](x.png) [[top]]" in [row.rstrip("\r") for row in rows]
    assert "+![i](../a/x.png) [[top]]" in [row.rstrip("\r") for row in rows]


def test_a_patch_steers_no_terminal() -> None:
    source = read_source("p.md", b"\x1b[31m\n::error::x\r\nold\n")
    at = source.clean.index("old")
    edits = (source.edit(at, at + 3, "new"),)
    change = Change(path="docs/a\x1b.md", to="docs/b\n.md", before=source.raw.encode(), edits=edits)
    shown = as_diff([change])
    assert "\x1b" not in shown
    assert not any(row.startswith("::") for row in shown.splitlines())


@given(st.text(alphabet="ab\n", max_size=40), st.data())
def test_a_patch_is_what_changes(text: str, data: st.DataObject) -> None:
    source = read_source("p.md", text.encode())
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    edits = tuple(
        source.edit(start, end, data.draw(st.text(alphabet="ab\n", max_size=4)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    )
    change = Change(path="p.md", to="p.md", before=text.encode(), edits=edits)
    rows = as_diff([change]).split("\n")[:-1]
    whole = change.after.decode()
    if whole == text:
        assert rows == []
        return
    assert patched(text, rows[3:]) == whole


def patched(text: str, rows: list[str]) -> str:
    """What a patch's hunks make of a text; each line that is kept or goes must be there."""
    lines, made, at = text.splitlines(keepends=True), [], 0
    for number, row in enumerate(rows):
        last = rows[number + 1 : number + 2] == ["\\ No newline at end of file"]
        line = row[1:] + "\n" * (not last)
        if row.startswith("@@"):
            start, count = map(int, row.split()[1][1:].split(","))
            start -= count > 0
            made += lines[at:start]
            at = start
        elif row[0] in " -":
            assert lines[at] == line
            at += 1
        if row[0] in " +":
            made.append(line)
    return "".join([*made, *lines[at:]])


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
@pytest.mark.parametrize("keep", [Keep.ALIAS, Keep.REDIRECT])
def test_a_failure_midway_changes_nothing(
    vault: Config, monkeypatch: pytest.MonkeyPatch, error: BaseException, keep: Keep
) -> None:
    before, changes = contents(vault.root), planned(vault, keep=keep).changes
    for name in ("replace", "unlink", "touch", "mkdir"):
        for number in range(20):
            calls = iter(range(99))
            real = getattr(Path, name)

            def broken(*args: object, _real: Callable[..., object] = real, **kw: object) -> object:
                if next(calls) == number:  # noqa: B023
                    raise error
                return _real(*args, **kw)

            with monkeypatch.context() as patch:
                patch.setattr(Path, name, broken)
                failed = False
                try:
                    write_changes(vault.root, changes)
                except type(error):
                    failed = True
            if not failed:
                break
            assert contents(vault.root) == before
        else:
            pytest.fail("never written")
        assert contents(vault.root) != before
        undo(vault, before)


@pytest.mark.parametrize("name", ["mkstemp", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_midway_changes_all_or_nothing(
    vault: Config, monkeypatch: pytest.MonkeyPatch, name: str, number: signal.Signals
) -> None:
    before, changes = contents(vault.root), planned(vault).changes
    holder: Any = {"mkstemp": tempfile, "fsync": os}.get(name, Path)
    real = getattr(holder, name)
    handler = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as `main` does
    stopped = 0
    for last in range(1, 20):
        calls = iter(range(1, 99))

        def signalled(*args: object, **kw: object) -> object:
            done = real(*args, **kw)
            if next(calls) >= last:  # noqa: B023 - again and again, while it is undone as well
                signal.raise_signal(number)
            return done

        with monkeypatch.context() as patch:
            patch.setattr(holder, name, signalled)
            try:
                write_changes(vault.root, changes)
            except (KeyboardInterrupt, SystemExit):
                stopped += 1
                assert contents(vault.root) == before
            else:
                break
    signal.signal(signal.SIGTERM, handler)
    assert stopped
    assert len(contents(vault.root)) == len(before)
    assert {change.to for change in changes} <= set(contents(vault.root))


def undo(vault: Config, before: dict[str, bytes]) -> None:
    for path in contents(vault.root):
        (vault.root / path).unlink()
    for path, data in before.items():
        (vault.root / path).parent.mkdir(parents=True, exist_ok=True)
        (vault.root / path).write_bytes(data)
    (vault.docs / "b").rmdir()


def test_a_file_that_was_edited_meanwhile_is_not_overwritten(vault: Config) -> None:
    made = planned(vault)
    (vault.docs / "top.md").write_text("mine")
    before = contents(vault.root)
    with pytest.raises(UsageError, match=r"docs/top.md: has changed since"):
        write_changes(vault.root, made.changes)
    assert contents(vault.root) == before


def test_a_file_that_is_edited_while_others_are_prepared_is_not_overwritten(
    vault: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, before = planned(vault), contents(vault.root)
    top = vault.docs / "top.md"

    def flush(handle: int) -> None:
        top.write_text("mine")

    monkeypatch.setattr(os, "fsync", flush)
    with pytest.raises(UsageError, match=r"docs/top.md: has changed since"):
        write_changes(vault.root, made.changes)
    assert contents(vault.root) == before | {"docs/top.md": b"mine"}


def test_of_two_commands_that_write_one_waits(
    vault: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="Windows has no such locks")
    refused = []

    def flush(_written: int) -> None:
        other = os.open(vault.root, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(other)
        refused.append(1)

    monkeypatch.setattr(os, "fsync", flush)
    write_changes(vault.root, planned(vault).changes)
    assert refused
    handle = os.open(vault.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody holds it any more
    os.close(handle)


def test_a_file_that_came_meanwhile_is_not_overwritten(vault: Config) -> None:
    made = planned(vault)
    (vault.docs / "b").mkdir()
    (vault.docs / "b" / "New.md").write_text("mine")
    before = contents(vault.root)
    with pytest.raises(UsageError, match=r"docs/b/New.md: is there already"):
        write_changes(vault.root, made.changes)
    assert contents(vault.root) == before


def test_a_name_may_change_in_case_only(vault: Config) -> None:
    write_changes(vault.root, planned(vault, "old PAGE").changes)
    assert (vault.docs / "a" / "old PAGE.md").is_file()
    assert b"[[old PAGE]]" in (vault.docs / "top.md").read_bytes()


def test_a_file_keeps_its_mode(vault: Config) -> None:
    (vault.docs / "top.md").chmod(0o600)
    write_changes(vault.root, planned(vault).changes)
    assert (vault.docs / "top.md").stat().st_mode & 0o777 == 0o600


def test_a_symbolic_link_is_written_through(vault: Config) -> None:
    (vault.docs / "top.md").rename(vault.docs / "real.md")
    (vault.docs / "top.md").symlink_to("real.md")
    (vault.docs / "real.md").write_bytes(b"[[top]]\n")
    (vault.docs / "a" / "Old page.md").write_bytes(b"[[top]] [[real]]")
    pages = read_pages(vault)
    (page,) = find_pages("top.md", outlined(pages), vault)
    with pytest.raises(UsageError, match="symbolic link"):
        plan_rename(vault, world_of(vault, pages), page, "New")


def test_a_page_that_is_not_utf_8_moves_but_is_not_edited(vault: Config) -> None:
    page = vault.docs / "a" / "Old page.md"
    page.write_bytes(b"# caf\xe9\n")
    with pytest.raises(UsageError, match=r"Old page.md:1: is not UTF-8"):
        planned(vault)
    write_changes(vault.root, planned(vault, "b/", Keep.NOTHING).changes)
    assert (vault.docs / "b" / "Old page.md").read_bytes() == b"# caf\xe9\n"


def test_a_page_outside_by_a_link_of_the_file_system_is_refused(
    vault: Config, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", vault.docs / "out")  # noqa: PTH211
    with pytest.raises(UsageError, match="leads outside"):
        planned(vault, "out/New")


# The command


def wiki(config: Config, *arguments: str, answer: str = "") -> tuple[int, str, str]:
    """Run a command; with an answer at a terminal, else without one."""
    command = [sys.executable, "-m", "wiki_tools", *arguments, "--docs", str(config.docs)]
    inside, outside = pty.openpty() if answer else (None, None)
    if inside is not None:
        os.write(inside, answer.encode())
    done = subprocess.run(
        command,
        stdin=outside if outside is not None else subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    for descriptor in (inside, outside):
        if descriptor is not None:
            os.close(descriptor)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_nothing_is_written_before_a_yes(vault: Config) -> None:
    before = contents(vault.root)
    code, patch, told = wiki(vault, "rename", "Old page", "New")
    assert (code, contents(vault.root)) == (0, before)
    assert patch == as_diff(planned(vault, "New").changes)
    assert "add --yes" in told
    code, again, told = wiki(vault, "rename", "Old page", "New", answer="n\n")
    assert (code, again, contents(vault.root)) == (0, patch, before)
    assert "Nothing is written." in told
    code, again, told = wiki(vault, "rename", "Old page", "New", answer="y\n")
    assert (code, again) == (0, patch)
    assert contents(vault.root) != before
    assert wiki(vault, "check", "--no-claims")[0] == 0


def test_yes_writes_without_asking(vault: Config) -> None:
    code, _, told = wiki(vault, "rename", "Old page", "b/", "--yes", "--no-alias")
    assert (code, told.splitlines()[-1]) == (0, "Written: 6 files.")
    assert (vault.docs / "b" / "Old page.md").is_file()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Old pag", "New", "no page answers to it; did you mean"),
        ("Old page", "../../New", "lies outside"),
        ("Old page", "top", "is there already"),
    ],
)
def test_a_rename_that_cannot_be_exits_2(vault: Config, old: str, new: str, words: str) -> None:
    (vault.docs / "a" / "top.md").write_text("")
    code, shown, told = wiki(vault, "rename", old, new, "--yes")
    assert (code, shown) == (2, "")
    assert words in told


# New pages


@given(st.text())
def test_a_title_of_any_characters_is_safe(title: str) -> None:
    title = title.encode("utf-8", "replace").decode()
    text = page_template(title=title, id_="i", category="a: b", language="ko")
    page = read_page(MEMORY, "a.md", text)
    assert page.problems == ()
    assert page.frontmatter.title == title
    assert page.frontmatter.category == "a: b"
    assert page.markup.links == ()
    shown = heading_text(title)
    assert "\n" not in shown
    headings = parse_markup(f"# {shown}\n").headings
    assert [slugify(row.text) for row in headings] == [
        slugify(" ".join(shown_plain(title).split()))
    ]


def shown_plain(title: str) -> str:
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in title)


def test_a_page_beside_another_language_becomes_its_translation(vault: Config) -> None:
    english = "10_Wiki/Softmax.md"
    assert wiki(vault, "new", english, "--title", "Softmax")[0] == 0
    page = vault.docs / english
    page.write_bytes(page.read_bytes().replace(b"Graph\n", b"Graph\n- Parent: [[top]]\n"))
    assert wiki(vault, "new", "10_Wiki/Softmax.ko.md")[0] == 0
    text = (vault.docs / "10_Wiki/Softmax.ko.md").read_text()
    pages = {page.path: page for page in read_pages(vault)}
    one, other = pages[english], pages["10_Wiki/Softmax.ko.md"]
    assert other.frontmatter == one.frontmatter
    assert [f.code for f in other.markup.fences] == [f.code for f in one.markup.fences]
    assert [s.name for s in other.sections] == [s.name for s in one.sections]
    assert "\n# Softmax\n\n> [!NOTE]\n> 아직 번역되지 않은" in text
    for word in ("## 매 한 줄", "## 💻 패턴", "- 부모: [[top]]", "## ❌ 안티패턴"):
        assert word in text
    found = json.loads(wiki(vault, "check", "--no-claims", "--format", "json")[1])["diagnostics"]
    codes = {row["code"] for row in found if "Softmax.ko" in row["path"]}
    assert codes <= {"orphan-page"}


def test_a_translation_keeps_line_endings_and_headings_that_are_named(vault: Config) -> None:
    korean = "# 옛것\r\n\r\n## 매 핵심\r\n\r\n[[#매 핵심]]\r\n\r\n## Graph\r\n- 상위: [[top]]\r\n"
    (vault.docs / "x.ko.md").write_bytes(korean.encode())
    assert wiki(vault, "new", "x.md", "--title", "New: one")[0] == 0
    assert (vault.docs / "x.md").read_bytes().decode() == (
        '---\r\ntitle: "New: one"\r\n---\r\n\r\n# New: one\r\n\r\n> [!NOTE]\r\n> This page is not '
        "translated yet: what follows is still in the language of `x.ko.md`.\r\n\r\n## 매 핵심\r\n"
        "\r\n[[#매 핵심]]\r\n\r\n## Graph\r\n- Parent: [[top]]\r\n"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\nb.md", "no control characters"),
        ("a\x1bb.md", "no control characters"),
        ("a#b.md", "a name has no #"),
        ("x/[y].md", "a name has no ["),
        (".x.md", "hidden"),
        ("top.en.md", "is this page in 'en' already"),
        ("x" * 300 + ".md", "too long"),
    ],
)
def test_a_new_page_has_a_name_that_links_can_bear(vault: Config, name: str, words: str) -> None:
    before = contents(vault.root)
    code, shown, told = wiki(vault, "new", name)
    assert (code, shown, contents(vault.root)) == (2, "", before)
    assert words in told
    assert told.rstrip("\n").isprintable()
