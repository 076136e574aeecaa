"""Fixes: the right word is written, and nothing is where it is not clear what was meant."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_config
from wiki_tools.checks.check import check_wiki
from wiki_tools.checks.codes import CODES
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.edits import FIXES, Repair, plan_repair, world_of
from wiki_tools.pages import Page, give_keys, read_page

MEMORY = make_config()


def pages_of(files: Mapping[str, str]) -> tuple[Page, ...]:
    return give_keys([read_page(MEMORY, p, t) for p, t in sorted(files.items())], MEMORY)


def repair(files: dict[str, str]) -> tuple[Repair, tuple[Diagnostic, ...]]:
    pages = pages_of(files)
    found = check_wiki(MEMORY, pages)

    def recheck(texts: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
        return check_wiki(MEMORY, pages_of(files | {p: t.decode() for p, t in texts.items()}))

    made = plan_repair(
        MEMORY, world_of(MEMORY, pages), found, recheck, read=lambda path: files[path].encode()
    )
    return made, found


def fixed(files: dict[str, str]) -> dict[str, str]:
    """The pages that are fixed, as they are then."""
    made, _ = repair(files)
    return {c.to.removeprefix("docs/"): c.after.decode() for c in made.changes}


CASES = [
    # front matter
    ("---\ntilte: T\nid: x\n---\n", "---\ntitle: T\nid: x\n---\n"),
    ("---\nAliaes: [T]\n---\n", "---\naliases: [T]\n---\n"),
    ("---\nfoo: [T]\n---\n", None),
    ("---\ntitle: T\ntitel: U\n---\n", None),
    ("---\nstatus: verifed # yes\n---\n", "---\nstatus: verified # yes\n---\n"),
    ("---\nstatus: done\n---\n", None),
    ("---\ntags:\n  -a\n  -b\n---\n", "---\ntags:\n  - a\n  - b\n---\n"),
    ("---\ntech_stack:\n\tlanguage: python\n---\n", "---\ntech_stack:\n  language: python\n---\n"),
    ("---\ntitle: a: b\nid: x\n---\n", '---\ntitle: "a: b"\nid: x\n---\n'),
    ("---\nsource: [[b]]\n---\n", '---\nsource: "[[b]]"\n---\n'),
    ("---\ntitle: #1\n---\n", '---\ntitle: "#1"\n---\n'),
    ("---\nid: x\n\n# T\n", "---\nid: x\n---\n\n# T\n"),
    # fences
    ("```python basline\nx = 1\n```\n", "```python baseline\nx = 1\n```\n"),
    ("```{.python .chek}\nx = 1\n```\n", "```{.python .check}\nx = 1\n```\n"),
    ("```python spedup=2\nx = 1\n```\n", "```python speedup=2\nx = 1\n```\n"),
    ("```python xyz\nx = 1\n```\n", None),
    ("~~~python\nx = 1\n", "~~~python\nx = 1\n~~~\n"),
    ("```python\nx = 1\n\n## More\n\ntext\n", None),
    # links
    ("[[Gradient-Desent]]\n", "[[Gradient-Descent]]\n"),
    (
        "[[gradient desent|x]] [[Gradeint Descent#h]]\n",
        "[[Gradient-Descent|x]] [[Gradient-Descent#h]]\n",
    ),
    ("[x](a/Gradient-Desent.md#h)\n", "[x](a/Gradient-Descent.md#h)\n"),
    ("[x](<a/Gradient Desent.md>)\n", "[x](<a/Gradient-Descent.md>)\n"),
    ("[[경사하강뻡]]\n", "[[경사하강법]]\n"),
    ("[[경사강법]] [[경사하강강법]]\n", "[[경사하강법]] [[경사하강법]]\n"),
    ("[[경사도강법]]\n", None),
    ("[[CNN]]\n", None),
    ("[[Model-2025]]\n", None),
    ("[[Twin-Page-C]]\n", None),
    ("[[Gradient-Descent#Convergense]]\n", "[[Gradient-Descent#Convergence]]\n"),
    ("[x](a/Gradient-Descent.md#convergense)\n", "[x](a/Gradient-Descent.md#convergence)\n"),
    ("[[Gradient-Descent#Something else]]\n", None),
    ("[[Old-Name]]\n", "[[Gradient-Descent|Old-Name]]\n"),
    ("[[Old-Name|as it was]]\n", "[[Gradient-Descent|as it was]]\n"),
    ("| a |\n|---|\n| [[Old-Name]] |\n", "| a |\n|---|\n| [[Gradient-Descent\\|Old-Name]] |\n"),
    ("[[Old-Name#gone]]\n", None),
    ("| a |\n|---|\n| [[RNN|a net]] |\n", "| a |\n|---|\n| [[RNN\\|a net]] |\n"),
    ("| a |\n|---|\n| ![[RNN|a]] b |\n", "| a |\n|---|\n| ![[RNN\\|a]] b |\n"),
]
OTHERS = {
    "a/Gradient-Descent.md": "---\nid: gd\n---\n# Gradient Descent\n\n## h\n\n## Convergence\n",
    "경사하강법.md": "",
    "RNN.md": "",
    "Model-2026.md": "",
    "Twin-Page-A.md": "",
    "Twin-Page-B.md": "",
    "b.md": "",
    "Old-Name.md": "---\nduplicate_of: gd\n---\n## gone\n",
}


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_only_what_is_clear_is_fixed(text: str, expected: str | None) -> None:
    made = fixed({"page.md": text, **OTHERS})
    assert made == ({"page.md": expected} if expected is not None else {})


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_all_that_is_clear_is_fixed_at_once(newline: str) -> None:
    text = "\ufeff---\ntilte: T\nstatus: verifed\n---\n[[Gradient-Desent]] 한 [[Old-Name|o]]  \n\n"
    right = text.replace("tilte", "title").replace("verifed", "verified")
    right = right.replace("Desent", "Descent").replace("Old-Name|", "Gradient-Descent|")
    made = fixed({"page.md": text.replace("\n", newline), **OTHERS})
    assert made == {"page.md": right.replace("\n", newline)}


def test_a_fix_that_makes_another_finding_is_left_out() -> None:
    files = {
        "page.md": "---\ntilte: Taken\nstatus: verifed\n---\n",
        "other.md": "---\ntitle: Taken\n---\n",
    }
    assert fixed(files) == {"page.md": "---\ntilte: Taken\nstatus: verified\n---\n"}


def test_what_is_no_text_is_left_alone() -> None:
    files = {"page.md": "---\ntilte: T\n---\n"}
    pages = pages_of(files)
    found = check_wiki(MEMORY, pages)
    world = world_of(MEMORY, pages)
    made = plan_repair(MEMORY, world, found, lambda _: found, read=lambda _: b"\xff")
    assert made == Repair(changes=(), fixed=())


def test_every_fix_is_of_a_code_that_there_is() -> None:
    assert FIXES.keys() <= CODES.keys()


@pytest.mark.parametrize("code", FIXES)
def test_no_example_is_made_worse(code: str) -> None:
    files = {p.removeprefix("docs/"): t for p, t in CODES[code].example.items() if "docs/" in p}
    made, found = repair(files)
    after = check_wiki(MEMORY, pages_of(files | {c.to[5:]: c.after.decode() for c in made.changes}))
    assert len(after) <= len(found) - len(made.fixed)
    assert set(made.fixed) <= set(found)


_WORDS = st.sampled_from(
    [
        *("---\n", "title", "tilte", "status: verifed", ": ", "\n", "- ", "-x"),
        "[[Gradient-Desent]]",
        "[[Old-Name|",
        "]]",
        "```",
        "python basline",
        "\t",
        "#",
        '"',
        "한",
        "{",
        "[x](a/Gradient-Desent.md)",
    ]
)


@given(st.lists(_WORDS, max_size=14).map("".join))
def test_whatever_a_page_holds_fixing_makes_nothing_worse(text: str) -> None:
    files = {"page.md": text, **OTHERS}
    made, found = repair(files)
    after = check_wiki(MEMORY, pages_of(files | {c.to[5:]: c.after.decode() for c in made.changes}))
    assert len(after) <= len(found) - len(made.fixed)


def test_the_command_shows_the_patch_and_writes_after_a_yes(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    page = docs / "a.md"
    page.write_bytes(b"---\r\nstatus: verifed\r\n---\r\n# A\r\n\r\n[[a#B]]\r\n")

    def check(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "wiki_tools", "check", "--docs", str(docs), *options]
        return subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )

    before = page.read_bytes()
    done = check("--fix")
    assert (done.returncode, page.read_bytes()) == (1, before)
    assert "+status: verified" in done.stdout.splitlines()
    assert "1 of 2 findings can be fixed" in done.stderr
    assert "add --yes" in done.stderr
    done = check("--fix", "--yes")
    assert page.read_bytes() == before.replace(b"verifed", b"verified")
    assert done.returncode == 1  # the missing heading is still there
    left = json.loads(check("--format", "json").stdout)["diagnostics"]
    assert [row["code"] for row in left] == ["missing-heading"]
    done = check("--fix", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Nothing can be fixed" in done.stderr
