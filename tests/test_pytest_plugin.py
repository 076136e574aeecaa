"""`pytest --wiki` works as people know pytest, and says what `wiki verify` says."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from tests.conftest import WIKIS
from tests.support import children_of, worker_of
from wiki_tools.cli import app, verifying
from wiki_tools.markup import Problem
from wiki_tools.pytest_plugin import items
from wiki_tools.runner.local import LocalExecutor

LOADED = (items, verifying)
"""Imported here, since pytester forgets what a run of it has imported: each would do it again."""

pytest_plugins = ["pytester"]

FRAMEWORKS = {"torch", "jax", "numpy"}
"""Loaded twice into one process, as after pytester has forgotten them, they corrupt its memory."""

PAGE = """---
id: a
---
# A
## Pattern 1 — Sums of numbers
```python
x = 1 + 1
assert x == 2
```
## Pattern 2 — A wrong product
```python
y = 2 * 3
assert y == 7
```
## Pattern 3 — Nothing provides it
```python
z = nobody_gives_this + 1
```
## Pattern 4 — Elsewhere
```python needs=nobody_has_this
w = 1
```
"""


@pytest.fixture(autouse=True)
def unloaded(pytester: pytest.Pytester) -> Iterator[None]:
    """No test here is the first of this process to load a framework."""
    assert pytester.path
    before = FRAMEWORKS & sys.modules.keys()
    yield
    assert FRAMEWORKS & sys.modules.keys() == before


@pytest.fixture
def vault(pytester: pytest.Pytester) -> Path:
    """A vault called docs with one page: passed, failed, incomplete and skipped."""
    write(pytester.path / "docs" / "sub" / "a.md", PAGE)
    return pytester.path / "docs"


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def names(pytester: pytest.Pytester, *arguments: str | Path) -> list[str]:
    """Node ids that are collected."""
    done = pytester.runpytest("--wiki", "--collect-only", "-q", *arguments)
    return [line for line in done.outlines if "::" in line]


def statuses(pytester: pytest.Pytester, *arguments: str | Path) -> dict[str, tuple[str, str]]:
    """Snippet to what the engine says and what pytest makes of it, read from JUnit's XML."""
    file = pytester.path / "junit.xml"
    pytester.runpytest("--wiki", f"--junitxml={file}", *arguments)
    found = {}
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        given = {p.get("name"): p.get("value") for p in case.iter("property")}
        ended = next((e.tag for e in case if e.tag in ("failure", "error", "skipped")), "passed")
        found[str(given["snippet"])] = (str(given["status"]), ended)
    return found


def test_without_the_option_pages_are_no_tests(pytester: pytest.Pytester, vault: Path) -> None:
    assert pytester.runpytest("docs").ret is pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_pattern_is_called_by_its_page_and_place(pytester: pytest.Pytester, vault: Path) -> None:
    expected = [f"docs/sub/a.md::p0{number}" for number in range(1, 5)]
    assert names(pytester) == names(pytester, "docs/sub/a.md") == expected
    assert names(pytester, "docs/sub/a.md::p02") == expected[1:2]
    assert names(pytester, "-k", "product") == expected[1:2]
    assert names(pytester, "-k", "p01 or elsewhere") == [expected[0], expected[3]]
    assert names(pytester, "-m", "not wiki") == []


def test_a_pattern_is_placed_at_its_line(pytester: pytest.Pytester, vault: Path) -> None:
    items, _ = pytester.inline_genitems("--wiki")
    assert items[1].location == ("docs/sub/a.md", 11, "Pattern 2 — A wrong product")


def test_outcomes_are_pytests_own(pytester: pytest.Pytester, vault: Path) -> None:
    done = pytester.runpytest("--wiki", "-rs")
    done.assert_outcomes(passed=1, failed=1, skipped=2)
    done.stdout.fnmatch_lines(["SKIPPED*docs/sub/a.md:21: needs nobody_has_this*"])
    done.stdout.fnmatch_lines(["SKIPPED*docs/sub/a.md:17: incomplete: *nobody_gives_this*"])
    assert not (pytester.path / "evidence").exists()


def test_strict_fails_what_is_incomplete(pytester: pytest.Pytester, vault: Path) -> None:
    pytester.runpytest("--wiki", "--wiki-strict").assert_outcomes(passed=1, failed=2, skipped=1)


def test_a_failure_shows_the_pages_own_lines(pytester: pytest.Pytester, vault: Path) -> None:
    done = pytester.runpytest("--wiki", "-k", "p02")
    done.stdout.fnmatch_lines(
        [
            "*Pattern 2 — A wrong product*",
            "    12 | y = 2 * 3",
            ">   13 | assert y == 7",
            "E        failed: AssertionError*",
            "docs/sub/a.md:13: failed",
            "FAILED docs/sub/a.md::p02 - failed: AssertionError*",
        ]
    )
    assert "wiki_tools/" not in done.stdout.str()
    assert "Traceback" not in done.stdout.str()


def test_a_failure_is_one_line_where_that_is_asked(pytester: pytest.Pytester, vault: Path) -> None:
    done = pytester.runpytest("--wiki", "--tb=line", "-k", "p02")
    done.stdout.fnmatch_lines(["docs/sub/a.md:13: failed: AssertionError*"])


def test_first_failure_and_last_failed_work(pytester: pytest.Pytester, vault: Path) -> None:
    pytester.runpytest("--wiki", "-x", "-p", "cacheprovider").assert_outcomes(passed=1, failed=1)
    done = pytester.runpytest("--wiki", "--last-failed", "-p", "cacheprovider")
    done.assert_outcomes(failed=1, deselected=0)


def test_patterns_and_ordinary_tests_run_together(pytester: pytest.Pytester, vault: Path) -> None:
    pytester.makepyfile(test_it="def test_one(): pass")
    pytester.runpytest("--wiki").assert_outcomes(passed=2, failed=1, skipped=2)
    pytester.runpytest("--wiki", "-m", "not wiki").assert_outcomes(passed=1, deselected=4)


def test_collecting_starts_no_worker(
    pytester: pytest.Pytester, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalExecutor, "__init__", lambda *_, **__: pytest.fail("started"))
    assert len(names(pytester)) == 4


def test_workers_of_xdist_collect_and_find_the_same(pytester: pytest.Pytester, vault: Path) -> None:
    alone = statuses(pytester)
    assert statuses(pytester, "-n", "2") == alone


def quick_wikis() -> list[str]:
    """Whole wikis but the seed, which needs torch, and one of which some ends may be either."""
    found = {folder.name for folder in WIKIS.iterdir() if (folder / "mkdocs.yml").is_file()}
    return sorted(found - {"hostile", "seed"})


def verified(docs: Path) -> tuple[dict[str, tuple[str, str]], int]:
    """What `wiki verify` says of each snippet, and what pytest should make of it; its exit code."""
    options = ["--docs", str(docs), "--no-measure", "--format", "json"]
    done = CliRunner().invoke(app, ["verify", *options])
    results = json.loads(done.stdout)["results"]
    ended = {"passed": "passed", "skipped": "skipped", "incomplete": "skipped"}
    ended |= dict.fromkeys(WRONG, "failure")
    return {r["snippet"]: (r["status"], ended[r["status"]]) for r in results}, done.exit_code


WRONG = ("failed", "timed_out", "crashed")


def test_pytest_and_verify_agree(pytester: pytest.Pytester) -> None:
    expected: dict[str, tuple[str, str]] = {}
    for name in quick_wikis():
        shutil.copytree(WIKIS / name, pytester.path / name, symlinks=True)
        found, code = verified(pytester.path / name)
        assert code == any(status in WRONG for status, _ in found.values()), name
        expected |= found
    assert {status for status, _ in expected.values()} >= {"passed", "skipped", *WRONG}
    assert statuses(pytester, ".") == expected


@pytest.mark.torch
@pytest.mark.skipif(not find_spec("torch"), reason="torch is not installed")
def test_pytest_and_verify_agree_on_the_seed(pytester: pytest.Pytester) -> None:
    shutil.copytree(WIKIS / "seed", pytester.path / "seed", symlinks=True)
    assert statuses(pytester, "seed") == verified(pytester.path / "seed")[0]


def test_any_folder_is_a_vault(pytester: pytest.Pytester) -> None:
    write(pytester.path / "notes" / "deep" / "b.md", PAGE.replace("id: a", "id: b"))
    write(pytester.path / "README.md", PAGE)
    assert len(names(pytester, pytester.path / "notes")) == 4
    assert len(names(pytester, ".")) == 8


def test_what_lies_beside_the_docs_folder_is_no_page(
    pytester: pytest.Pytester, vault: Path
) -> None:
    write(pytester.path / "mkdocs.yml", "site_name: x\n")
    write(pytester.path / "README.md", PAGE)
    assert len(names(pytester)) == 4
    done = pytester.runpytest("--wiki", "README.md")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["README.md: is no page of the vault*"])


def test_an_ini_option_names_the_vault(pytester: pytest.Pytester) -> None:
    file = write(pytester.path / "notes" / "deep" / "b.md", "```python\nassert give\n```\n")
    write(pytester.path / "snippets" / "fixtures" / "wiki.py", "def give():\n    return 1\n")
    pytester.makeini("[pytest]\nwiki_docs = notes\naddopts = --wiki\n")
    pytester.runpytest(file).assert_outcomes(passed=1)


def test_a_translation_is_not_run_twice(pytester: pytest.Pytester, vault: Path) -> None:
    write(vault / "sub" / "a.ko.md", PAGE)
    assert len(names(pytester)) == 4


def test_what_cannot_be_read_is_an_error_at_its_place(
    pytester: pytest.Pytester, vault: Path
) -> None:
    write(pytester.path / "snippets" / "fixtures" / "wiki.py", "def x(:\n")
    done = pytester.runpytest("--wiki")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["docs/sub/a.md: *snippets/fixtures/wiki.py:1*"])
    assert "Traceback" not in done.stdout.str()


def test_a_page_that_cannot_be_read_is_an_error_at_its_place(
    pytester: pytest.Pytester, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "The file cannot be read: Permission denied."
    problem = Problem(code="unreadable-file", line=1, column=1, message=said)
    monkeypatch.setattr("wiki_tools.pages.read.load_bytes", lambda _file: (b"", (problem,)))
    done = pytester.runpytest("--wiki")
    done.stdout.fnmatch_lines(["docs/sub/a.md:1: The file cannot be read: Permission denied."])


def test_a_device_that_is_not_there_is_said_in_a_line(
    pytester: pytest.Pytester, vault: Path
) -> None:
    done = pytester.runpytest("--wiki", "--wiki-device", "tpu", "-k", "p01")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["wiki: --device tpu: expected cpu or cuda"])


def test_nothing_that_a_page_says_steers_the_terminal(pytester: pytest.Pytester) -> None:
    text = "## Pattern 1 \x1b[31mred\n```python\nprint('\\x1b[31m')\nassert 0, '\\x9b\\x07'\n```\n"
    write(pytester.path / "docs" / "a.md", text)
    done = pytester.runpytest("--wiki")
    done.assert_outcomes(failed=1)
    assert not set(done.stdout.str()) & {"\x1b", "\x07", "\x9b"}


def runs_something(pid: int) -> bool:
    """Whether a worker, or the worker within what surrounds it, has a child."""
    name = Path(f"/proc/{pid}/comm")
    surrounds = name.exists() and name.read_text().strip() == "bwrap"
    return bool(children_of(worker_of(pid))) and (not surrounds or worker_of(pid) != pid)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux's /proc")
def test_ctrl_c_leaves_no_worker_behind(pytester: pytest.Pytester) -> None:
    write(pytester.path / "docs" / "a.md", "```python\nwhile True:\n    pass\n```\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "--wiki", "-p", "no:cacheprovider"],
        cwd=pytester.path,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        until = time.monotonic() + 60
        while not any(map(runs_something, workers := children_of(process.pid))):
            assert time.monotonic() < until, "nothing was started"
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        shown, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == pytest.ExitCode.INTERRUPTED, shown
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)  # noqa: PTH110
