"""Extracted files: they run alone, open as notebooks, and are kept fresh."""

import dataclasses
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import (
    make_config,
    make_snippet,
    make_snippets,
    seed_config,
    seed_snippets,
)
from wiki_tools.config import Config
from wiki_tools.snippets import Snippet, drifted, export, snippet_file, write_snippets

PAGE = "Matrix-Operations-and-AI"


def exported(snippet: Snippet) -> str:
    return export(snippet, snippet.programs[0])


def script_block(text: str) -> dict[str, object]:
    """Read a file's PEP 723 block as that standard's reference implementation does."""
    pattern = r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$"
    (found,) = re.finditer(pattern, text)
    rows = found["content"].splitlines(keepends=True)
    return tomllib.loads("".join(r[2:] if r.startswith("# ") else r[1:] for r in rows))


def run_file(path: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=300,
        check=False,
    )


@pytest.fixture
def vault(tmp_path: Path) -> Config:
    """Settings whose `snippets/` can be written."""
    return dataclasses.replace(seed_config(), root=tmp_path, snippets=tmp_path / "snippets")


def test_files_are_named_by_number_and_title(vault: Config) -> None:
    files = [snippet_file(vault, s) for s in seed_snippets()]
    assert files[4].relative_to(vault.snippets).as_posix() == (
        f"10_Wiki/Topics/AI_and_ML/{PAGE}/05-fused-kernel-flashattention.py"
    )
    assert files[1].name == "02-einsum-명시적.py"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("## Foreword\n```python\na\n```\n", ["s01-foreword"]),
        (
            "## Own {#mine}\n```python\na\n```\n```python baseline\nb\n```\n",
            ["mine-pattern", "mine-baseline"],
        ),
        ("### Pattern 3: x/../y\n```python\na\n```\n```python\nb\n```\n", ["03-x-y", "03-x-y-2"]),
        ("```python\na\n```\n", ["s00-pattern"]),
    ],
)
def test_names_of_other_places(text: str, names: list[str]) -> None:
    config = make_config()
    assert [snippet_file(config, s).stem for s in make_snippets(text)] == names


def test_no_file_hides_a_module_from_its_neighbours(tmp_path: Path) -> None:
    config = dataclasses.replace(make_config(), snippets=tmp_path)
    text = (
        "## A {#enum}\n```python\na = 1\n```\n## B {#b}\n```python\nimport enum\nenum.Enum\n```\n"
    )
    for path in write_snippets(config, make_snippets(text), {}):
        subprocess.run([sys.executable, path], check=True)


def test_a_page_called_fixtures_keeps_away_from_the_fixtures() -> None:
    (snippet,) = make_snippets("```python\na = 1\n```\n", "fixtures.md")
    assert snippet_file(make_config(), snippet).parent.name == "fixtures_"


def test_the_page_s_own_text_is_kept(vault: Config) -> None:
    for number, snippet in enumerate(seed_snippets(), 1):
        if number not in (1, 4):
            assert snippet.fence.code.rstrip("\n") in exported(snippet)
    assert "with torch.autocast(device, dtype=torch.bfloat16):" in exported(seed_snippets()[3])


def test_the_header_says_what_it_needs_and_where_it_is_from() -> None:
    text = exported(seed_snippets()[7])
    assert script_block(text) == {"requires-python": ">=3.11", "dependencies": ["jax"]}
    assert f"docs/10_Wiki/Topics/AI_and_ML/{PAGE}.md:93; edit the page, not this file." in text


def test_a_file_that_counts_needs_this_package_from_its_vault() -> None:
    (snippet,) = make_snippets(
        "### Pattern 1\n```python\nfrom PIL import Image\nimport os\n```\n"
        "```python check\nassert flops\n```\n"
    )
    block = script_block(export(snippet, snippet.programs[0], "../.."))
    assert block["dependencies"] == ["pillow", "wiki_tools"]
    assert block["tool"] == {"uv": {"sources": {"wiki_tools": {"path": "../.."}}}}


def test_a_file_opens_as_a_notebook() -> None:
    jupytext = pytest.importorskip("jupytext")
    notebook = jupytext.reads(exported(seed_snippets()[2]), fmt="py:percent")
    kinds = [cell.cell_type for cell in notebook.cells]
    assert kinds.count("markdown") == 1
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert seed_snippets()[2].fence.code.rstrip("\n") in sources
    assert any(source.startswith("assert len(tuple(c.shape))") for source in sources)


def test_a_false_shape_fails_the_file(tmp_path: Path) -> None:
    code = "class Made:\n    shape = (2, 3)\nmade = Made()  # (3, 2)"
    path = tmp_path / "snippet.py"
    path.write_text(exported(make_snippet(code)), encoding="utf-8")
    ran = run_file(path)
    assert ran.returncode == 1
    assert "AssertionError: docs/page.md:5: made has shape (2, 3)" in ran.stderr


def test_what_must_be_raised_is_expected(tmp_path: Path) -> None:
    path = tmp_path / "snippet.py"
    code = 'text = """\nkept\n"""\nassert text == "\\nkept\\n"\nraise KeyError(text)'
    path.write_text(exported(make_snippet(code, "python raises=LookupError")), encoding="utf-8")
    ran = run_file(path)
    assert (ran.returncode, ran.stdout) == (0, "raised KeyError('\\nkept\\n')\n")
    path.write_text(exported(make_snippet("pass", "python raises=LookupError")), encoding="utf-8")
    assert "the page says that this raises LookupError" in run_file(path).stderr


def test_future_imports_stand_first(tmp_path: Path) -> None:
    path = tmp_path / "snippet.py"
    code = "from __future__ import annotations\ndef f(a: nowhere = 1): return a"
    path.write_text(exported(make_snippet(code)), encoding="utf-8")
    assert run_file(path).stdout == "result: int\n"


def test_a_vault_s_fixtures_are_written_without_gaps(tmp_path: Path) -> None:
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "wiki.py").write_text(
        "FACTOR = 2\n" + "\n" * 9 + "def thing(N=2):\n    return FACTOR * N\n"
    )
    (snippet,) = make_snippets("```python\nsaid = thing\n```\n", config=make_config(tmp_path))
    text = exported(snippet)
    assert "FACTOR = 2\n\n\ndef _thing(N=2):" in text
    assert "\nthing = _thing()\n" in text


# --------------------------------------------------------------------- keeping fresh


def test_written_files_have_not_drifted_and_writing_again_changes_nothing(vault: Config) -> None:
    written = write_snippets(vault, seed_snippets(), {})
    assert len(written) == 8
    assert drifted(vault, seed_snippets(), {}) == ()
    assert write_snippets(vault, seed_snippets(), {}) == ()


def test_a_changed_a_lost_and_a_left_over_file_drift(vault: Config) -> None:
    files = write_snippets(vault, seed_snippets(), {})
    files[0].write_text(files[0].read_text(encoding="utf-8") + "#", encoding="utf-8")
    files[1].unlink()
    assert drifted(vault, seed_snippets()[:7], {}) == (files[0], files[1], files[7])
    assert write_snippets(vault, seed_snippets()[:7], {}) == (files[0], files[1], files[7])
    assert not files[7].exists()


def test_files_that_people_wrote_are_never_removed(vault: Config) -> None:
    own = vault.snippets / "fixtures" / "wiki.py"
    other = vault.snippets / "notes" / "mine.py"
    for path in (own, other):
        path.parent.mkdir(parents=True)
        path.write_text("# Written by `wiki extract` from memory\n")
    write_snippets(vault, seed_snippets(), {})
    write_snippets(vault, (), {})
    assert own.exists()
    assert other.exists()
    assert sorted(p.name for p in vault.snippets.iterdir()) == ["fixtures", "notes"]


def test_the_evidence_s_choice_is_what_is_written(vault: Config) -> None:
    snippet = seed_snippets()[5]
    (path,) = write_snippets(vault, (snippet,), {snippet.id: 1})
    assert "stock: matrix" in path.read_text(encoding="utf-8")
    write_snippets(vault, (snippet,), {snippet.id: 99})
    assert "stock: image" in path.read_text(encoding="utf-8")


def test_what_is_skipped_or_incomplete_has_no_file(vault: Config) -> None:
    text = "### Pattern 1\n```python no-run\na\n```\n### Pattern 2\n```python\nfrobnicate()\n```\n"
    assert write_snippets(vault, make_snippets(text), {}) == ()


# ----------------------------------------------------------------------- the real run

SHAPES = {
    1: "C: (128, 512) torch.float32",
    2: "scores: (4, 8, 512, 512) torch.float32",
    3: "c: (32, 64, 128) torch.float32",
    4: "out: (4, 512, 512) torch.bfloat16",
    5: "out: (4, 8, 512, 64) torch.float32",
    6: "x: (4, 512, 512) torch.float32",
    7: "result: (4, 512, 512) torch.float32",
    8: "result: (512, 512) float32",
}
COMPILED = 7


@pytest.mark.torch
def test_the_seed_s_torch_patterns_run_alone_and_print_their_shapes(vault: Config) -> None:
    """One interpreter runs them all, each file as `python file` would: torch takes a second."""
    pytest.importorskip("torch")
    wanted = [n for n in SHAPES if n not in (COMPILED, 8)]
    files = [f for n, f in enumerate(write_snippets(vault, seed_snippets(), {}), 1) if n in wanted]
    runner = (
        "import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name='__main__')"
    )
    command = [sys.executable, "-c", runner, *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    assert [SHAPES[n] for n in wanted if SHAPES[n] not in ran.stdout.splitlines()] == []


@pytest.mark.torch
@pytest.mark.parametrize(("number", "needs"), [(COMPILED, "torch"), (8, "jax")])
def test_a_compiled_pattern_runs_as_its_own_file(vault: Config, number: int, needs: str) -> None:
    pytest.importorskip(needs)
    files = write_snippets(vault, seed_snippets(), {})
    ran = run_file(files[number - 1])
    assert (ran.returncode, ran.stdout.splitlines()) == (0, [SHAPES[number]]), ran.stderr


def test_a_file_finds_the_vault_s_own_modules_and_asks_nobody_for_them(tmp_path: Path) -> None:
    (tmp_path / "docs/Notes/tools").mkdir(parents=True)
    (tmp_path / "docs/Notes/helper.py").write_text("def twice(x): return 2 * x\n", "utf-8")
    (tmp_path / "docs/Notes/tools/__init__.py").write_text("three = 3\n", "utf-8")
    code = "import helper\nfrom tools import three\ny = helper.twice(three)\nassert y == 6"
    page = f"### Pattern 1\n```python\n{code}\n```\n"
    (tmp_path / "docs/Notes/Page.md").write_text(page, "utf-8")
    config = make_config(tmp_path)
    snippets = make_snippets(page, "Notes/Page.md", config)
    (path,) = write_snippets(config, snippets, {})
    file = config.root / path
    assert script_block(file.read_text("utf-8"))["dependencies"] == []
    done = run_file(file)
    assert done.returncode == 0, done.stderr
