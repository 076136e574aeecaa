"""What one snippet can do, and that it stays with that one."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports import CARD
from tests.support import TESTS, children_of, make_config, worker_of
from wiki_tools.config import read_config
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Cell, Cells, Job, Outcome, Pairing, Status, encode
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.snippets import Snippet, extract_all
from wiki_tools.snippets.sessions import session_cells
from wiki_tools.worker import capture
from wiki_tools.worker.ending import Ending, conclude
from wiki_tools.worker.mailbox import SIZE, Mailbox
from wiki_tools.worker.program import (
    Namespace,
    compile_tree,
    layout_of,
    locate,
    make_namespace,
    parse_cells,
    run_code,
)
from wiki_tools.worker.surroundings import worker_environment

PAGE = "docs/page.md"


def run_cells(cells: Cells, namespace: Namespace) -> None:
    """Run all cells in order; what one raises comes out unchanged."""
    for tree in parse_cells(cells, namespace):
        run_code(compile_tree(tree, namespace), namespace)


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    os.environ["WIKI_TEST_TOKEN"] = "secret"
    try:
        with LocalExecutor(make_config(), jobs=2) as local:
            yield local
    finally:
        del os.environ["WIKI_TEST_TOKEN"]


def job(*codes: str, role: str = "pattern", timeout: float = 10.0, memory: int = 2 << 30) -> Job:
    """A job whose last cell is the pattern, on line 10 of the page; those before are set-up."""
    *before, pattern = codes
    cells = [Cell(role="setup", code=code, path=PAGE, line=i + 1) for i, code in enumerate(before)]
    cells.append(Cell(role=role, code=pattern, path=PAGE, line=10, timed=True))
    return Job(snippet="page#p01", cells=tuple(cells), timeout=timeout, memory=memory)


def run(executor: LocalExecutor, *jobs: Job) -> Outcome:
    """Run jobs one after the other and give the last outcome."""
    for each in jobs:
        (outcome,) = executor.run([each])
    return outcome


def text_of(outcome: Outcome) -> str:
    return "".join(output.text for output in outcome.outputs)


# What passes


def test_a_program_that_reaches_its_end_passes(executor: LocalExecutor) -> None:
    outcome = run(executor, job("x = 1", "assert x == 1"))
    assert outcome.status is Status.PASSED
    assert (outcome.snippet, outcome.message, outcome.line) == ("page#p01", "", 0)
    assert "timeout" in outcome.held


def test_device_dtype_and_framework_are_given(executor: LocalExecutor) -> None:
    outcome = run(executor, job("device, dtype, framework"))
    assert outcome.status is Status.PASSED
    assert outcome.outputs[-1].data == {"text/plain": "('cpu', 'float32', 'numpy')"}


def test_the_main_block_runs(executor: LocalExecutor) -> None:
    outcome = run(executor, job("if __name__ == '__main__':\n    print('main')"))
    assert text_of(outcome) == "main\n"


def test_dataclasses_pickle_and_inspect_find_the_snippet(executor: LocalExecutor) -> None:
    code = """
import dataclasses, inspect, pickle
@dataclasses.dataclass
class Point:
    x: "int"
def double(n):
    return 2 * n
assert pickle.loads(pickle.dumps(Point(1))) == Point(1)
assert pickle.loads(pickle.dumps(double))(2) == 4
assert inspect.getsource(double) == "def double(n):\\n    return 2 * n\\n"
assert inspect.getsource(Point).startswith("@dataclasses.dataclass")
"""
    outcome = run(executor, job(code))
    assert outcome.status is Status.PASSED, outcome.traceback


def test_await_at_the_top_is_awaited(executor: LocalExecutor) -> None:
    code = "import asyncio\nasync def f():\n    return 3\nassert await f() == 3\nawait f()"
    outcome = run(executor, job(code))
    assert outcome.status is Status.PASSED
    assert outcome.outputs[-1].data == {"text/plain": "3"}


def test_random_numbers_are_the_same_in_every_run(executor: LocalExecutor) -> None:
    code = "import random, numpy\nrandom.random(), float(numpy.random.rand())"
    first, second = run(executor, job(code)), run(executor, job(code))
    assert first.outputs[-1].data == second.outputs[-1].data != {}


# What fails, and what is said of it


def test_a_failure_names_the_deepest_line_of_the_page(executor: LocalExecutor) -> None:
    code = "import json\ndef read(text):\n    return json.loads(text)\nread('[')"
    outcome = run(executor, job(code))
    assert (outcome.status, outcome.path, outcome.line) == (Status.FAILED, PAGE, 12)
    assert outcome.message.startswith("JSONDecodeError: Expecting value")
    assert outcome.traceback.splitlines()[1:5] == [
        f'  File "{PAGE}", line 13, in <module>',
        "    read('[')",
        f'  File "{PAGE}", line 12, in read',
        "    return json.loads(text)",
    ]
    assert "json/" not in outcome.traceback


def test_a_failure_in_a_fixture_is_shown_below_the_page_line(executor: LocalExecutor) -> None:
    fixture = Cell(
        role="fixture", code="def give(n):\n    return 1 / n", path="snippets/w.py", line=5
    )
    pattern = Cell(role="pattern", code="x = give(0)", path=PAGE, line=10)
    outcome = run(executor, Job(snippet="s", cells=(fixture, pattern)))
    assert (outcome.path, outcome.line) == (PAGE, 10)
    assert 'File "snippets/w.py", line 6, in give' in outcome.traceback


def test_a_syntax_error_has_the_line_of_the_page(executor: LocalExecutor) -> None:
    outcome = run(executor, job("x = 1\ny = = 2"))
    assert (outcome.status, outcome.line) == (Status.FAILED, 11)
    assert outcome.message == "SyntaxError: invalid syntax"


@pytest.mark.parametrize("code", ["x = '\0'", "x = '\ud800'", "(" * 5000 + ")" * 5000])
def test_text_that_cannot_be_compiled_is_a_failure_of_the_page(
    executor: LocalExecutor, code: str
) -> None:
    outcome = run(executor, job(code))
    assert outcome.status is Status.FAILED
    assert outcome.message.startswith("SyntaxError")


def test_leaving_before_the_last_line_is_no_pass(executor: LocalExecutor) -> None:
    outcome = run(executor, job("import sys\nsys.exit(0)\nassert False"))
    assert (outcome.status, outcome.line) == (Status.FAILED, 11)
    assert outcome.message == "called sys.exit(0) before its last line"


def test_a_silent_exit_is_no_pass(executor: LocalExecutor) -> None:
    outcome = run(executor, job("import os\nos._exit(0)"))
    assert outcome.status is Status.CRASHED
    assert outcome.message == "ended its process with exit code 0 before its last line"
    assert (outcome.path, outcome.line) == (PAGE, 10)


def test_a_segmentation_fault_is_named_with_its_line(executor: LocalExecutor) -> None:
    outcome = run(executor, job("import ctypes\n\nctypes.string_at(0)"))
    assert (outcome.status, outcome.line) == (Status.CRASHED, 12)
    assert "SIGSEGV" in outcome.message


def test_an_endless_loop_is_ended_and_its_line_named(executor: LocalExecutor) -> None:
    started = time.monotonic()
    outcome = run(executor, job("n = 0\nwhile True:\n    n += 1", timeout=1.0))
    assert time.monotonic() - started < 5
    assert outcome.status is Status.TIMED_OUT
    assert outcome.message == "did not end within 1 s"
    assert outcome.line in (11, 12)


@pytest.mark.parametrize(
    "code",
    [
        "x = []\nwhile True:\n    x.append(bytearray(1 << 24))",
        "import mmap\nx = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 24)\n"
        "    m.write(b'x' * (1 << 24))\n    x.append(m)",  # shared memory is no RLIMIT_DATA
    ],
)
def test_a_memory_bomb_meets_its_limit(executor: LocalExecutor, code: str) -> None:
    outcome = run(executor, job(code, memory=1 << 28))
    assert outcome.status in (Status.FAILED, Status.CRASHED)
    assert outcome.message.startswith("ran out of memory: it may ")
    assert "0.25 GiB" in outcome.message


def test_recursion_fails_and_its_traceback_is_short(executor: LocalExecutor) -> None:
    outcome = run(executor, job("def f(n):\n    return f(n + 1)\nf(0)"))
    assert (outcome.status, outcome.line) == (Status.FAILED, 11)
    assert outcome.message.startswith("RecursionError")
    assert len(outcome.traceback.splitlines()) < 100


def test_a_hostile_exception_is_still_described(executor: LocalExecutor) -> None:
    code = "class Odd(Exception):\n    def __str__(self):\n        raise Odd()\nraise Odd()"
    outcome = run(executor, job(code))
    assert outcome.message == "Odd: <its text raised Odd>"


def test_a_missing_package_is_skipped_by_name(executor: LocalExecutor) -> None:
    outcome = run(executor, job("import a_package_that_nobody_has.part"))
    assert outcome.status is Status.SKIPPED
    assert outcome.message == "needs a_package_that_nobody_has, which is not installed"


def test_a_missing_part_of_an_installed_package_is_a_failure(executor: LocalExecutor) -> None:
    assert run(executor, job("import json.nothing_here")).status is Status.FAILED
    assert run(executor, job("from json import nothing_here")).status is Status.FAILED


@pytest.mark.torch
def test_a_card_that_is_not_there_is_a_reason_to_skip(executor: LocalExecutor) -> None:
    pytest.importorskip("torch")
    code = "import torch\ntorch.empty(1, device='cuda')"
    outcome = run(executor, replace(job(code), frameworks=("torch",), timeout=60.0))
    assert (outcome.status, outcome.message) == (Status.SKIPPED, "needs a CUDA device")


# What the page promises


def test_a_promised_exception_passes_and_is_counted(executor: LocalExecutor) -> None:
    promised = job("1 / 0")
    outcome = run(executor, Job(snippet="s", cells=promised.cells, raises="ArithmeticError"))
    assert outcome.status is Status.PASSED
    assert outcome.checked == ("10: raises ZeroDivisionError: division by zero",)


@pytest.mark.parametrize(("code", "line"), [("x = 1", 10), ("y = 1\n{}['a']", 11)])
def test_a_promise_that_is_not_kept_fails(executor: LocalExecutor, code: str, line: int) -> None:
    outcome = run(executor, Job(snippet="s", cells=job(code).cells, raises="ZeroDivisionError"))
    assert (outcome.status, outcome.line) == (Status.FAILED, line)


def test_an_error_in_the_setup_is_not_the_promised_one(executor: LocalExecutor) -> None:
    cells = job("1 / 0", "x = 1").cells
    outcome = run(executor, Job(snippet="s", cells=cells, raises="ZeroDivisionError"))
    assert (outcome.status, outcome.line) == (Status.FAILED, 1)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("print('a  ')\nprint('b')", Status.PASSED),
        ("print('a')\n'b'", Status.FAILED),
        ("print('a')", Status.FAILED),
        ("import sys\nprint('a')\nprint('b', file=sys.stderr)", Status.FAILED),
    ],
)
def test_what_is_printed_is_held_against_the_page(
    executor: LocalExecutor, code: str, status: Status
) -> None:
    outcome = run(executor, Job(snippet="s", cells=job(code).cells, prints="a\nb\n"))
    assert outcome.status is status


def test_a_value_shown_as_in_a_session_counts_as_printed(executor: LocalExecutor) -> None:
    outcome = run(executor, Job(snippet="s", cells=job("x = 3\nx").cells, prints="3"))
    assert outcome.status is Status.PASSED
    assert outcome.checked == ("10: prints '3'",)


def test_another_exception_than_the_page_shows_is_told_beside_it(executor: LocalExecutor) -> None:
    outcome = run(executor, Job(snippet="s", cells=job("1 / 0").cells, raises="ValueError"))
    said = "ZeroDivisionError: division by zero; the page says ValueError"
    assert (outcome.status, outcome.message) == (Status.FAILED, said)


@pytest.mark.parametrize(
    ("session", "status", "said"),
    [
        (">>> import no_such_package", Status.SKIPPED, "needs no_such_package, which is not"),
        (">>> nowhere + 1\n2", Status.INCOMPLETE, "nothing provides nowhere"),
        (">>> 1 / 0\n2", Status.FAILED, "ZeroDivisionError: division by zero"),
    ],
)
def test_what_a_session_lacks_is_told_as_of_any_code(
    executor: LocalExecutor, session: str, status: Status, said: str
) -> None:
    cells = session_cells(session, PAGE, 10, "device")
    outcome = run(executor, Job(snippet="s", cells=cells))
    assert (outcome.status, outcome.line) == (status, 10)
    assert outcome.message.startswith(said)


def test_each_assertion_of_a_check_is_counted(executor: LocalExecutor) -> None:
    check = Cell(role="check", code="assert x == 1\nassert x < 2, 'no'", path=PAGE, line=20)
    outcome = run(executor, Job(snippet="s", cells=(*job("x = 1").cells, check)))
    assert outcome.checked == ("20: x == 1", "21: x < 2")


# What it prints and shows


def test_output_is_kept_with_its_cell(executor: LocalExecutor) -> None:
    outcome = run(executor, job("print('first')", "print('second')\n[1, 2]"))
    assert [(o.cell, o.text) for o in outcome.outputs] == [(0, "first\n"), (1, "second\n")]
    assert outcome.outputs[1].data == {"text/plain": "[1, 2]"}


@pytest.mark.parametrize(
    "code",
    [
        "print('x' * (1 << 30))",
        "for _ in range(1 << 14):\n    print('x' * (1 << 16), end='')",
        "import os\nfor _ in range(1 << 10):\n    os.write(1, b'x' * (1 << 20))",
    ],
)
def test_a_gigabyte_of_output_is_cut(executor: LocalExecutor, code: str) -> None:
    outcome = run(executor, job(code, timeout=30.0, memory=4 << 30))
    assert outcome.status is Status.PASSED
    assert capture.CAP <= len(text_of(outcome)) < capture.CAP + 100
    assert "more bytes were not kept" in text_of(outcome)


def test_output_that_is_no_text_is_escaped(executor: LocalExecutor) -> None:
    code = (
        "import os, sys\nsys.stdout.buffer.write(b'\\xff')\nos.write(1, b'\\xfe')\nprint('\\ud800')"
    )
    outcome = run(executor, job(code))
    assert outcome.status is Status.PASSED
    assert "\\xff" in text_of(outcome)
    assert "\\xfe" in text_of(outcome)


def test_other_programs_are_heard(executor: LocalExecutor) -> None:
    outcome = run(executor, job("import subprocess\nsubprocess.run(['echo', 'hello'])"))
    assert text_of(outcome) == "hello\n"


def test_a_huge_value_is_summed_up(executor: LocalExecutor) -> None:
    outcome = run(executor, job("list(range(10 ** 6))"))
    assert outcome.outputs[-1].data == {"text/plain": "<list of 1,000,000 items>"}


def test_a_report_too_large_for_the_wire_is_cut_and_still_a_pass(executor: LocalExecutor) -> None:
    cells = [Cell(role="pattern", code=f"print('é' * 60000)\n{n}", path=PAGE) for n in range(60)]
    outcome = run(executor, Job(snippet="s", cells=tuple(cells)))
    assert outcome.status is Status.PASSED
    assert any("outputs were not kept" in note for note in outcome.notes)


def test_figures_are_kept_and_repeat(executor: LocalExecutor) -> None:
    pytest.importorskip("matplotlib")
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()"
    first, second = run(executor, job(code, timeout=60)), run(executor, job(code, timeout=60))
    assert first.status is Status.PASSED
    assert first.outputs[-1].data["image/svg+xml"].lstrip().startswith("<?xml")
    assert first.outputs == second.outputs


# What stays with it


def test_patched_builtins_do_not_reach_the_worker_or_the_next_snippet(
    executor: LocalExecutor,
) -> None:
    patch = "import builtins\nfor name in ('len', 'isinstance', 'any', 'str', 'next', 'max'):\n"
    outcome = run(executor, job(f"{patch}    setattr(builtins, name, None)", "assert len is None"))
    assert outcome.status is Status.PASSED, outcome.message
    assert run(executor, job("assert len([1]) == 1")).status is Status.PASSED


def test_a_tracing_snippet_does_not_trace_the_worker(executor: LocalExecutor) -> None:
    code = "import sys\ndef trace(*_):\n    raise RuntimeError('traced')\nsys.settrace(trace)"
    assert run(executor, job(code)).status is Status.PASSED


def test_warnings_as_errors_stay_with_the_snippet(executor: LocalExecutor) -> None:
    strict = "import warnings\nwarnings.simplefilter('error')\nwarnings.warn('no')"
    assert run(executor, job(strict)).status is Status.FAILED
    assert run(executor, job("import warnings\nwarnings.warn('no')")).status is Status.PASSED


def test_no_secret_is_in_the_environment(executor: LocalExecutor) -> None:
    code = """
import os
from pathlib import Path
for pid in ("self", os.getppid()):
    try:
        print(dict(os.environ), Path(f"/proc/{pid}/environ").read_bytes())
    except PermissionError:
        print("refused")
"""
    outcome = run(executor, job(code))
    assert outcome.status is Status.PASSED
    assert "WIKI_TEST_TOKEN" not in text_of(outcome)


def test_only_listed_variables_are_passed_on() -> None:
    source = {"PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "x", "GITHUB_TOKEN": "y"}
    assert worker_environment(source, "cpu").keys().isdisjoint({"AWS_SECRET_ACCESS_KEY"})
    assert worker_environment(source, "cpu")["CUDA_VISIBLE_DEVICES"] == ""


@pytest.mark.parametrize(("shown", "one"), [(None, "0"), ("3,1", "3"), ("GPU-8f5c", "GPU-8f5c")])
def test_a_worker_sees_the_one_card_that_the_environment_names(shown: str | None, one: str) -> None:
    source = {"CUDA_VISIBLE_DEVICES": shown} if shown else {}
    chosen = worker_environment(source, "cuda")
    assert chosen["CUDA_VISIBLE_DEVICES"] == one
    assert chosen["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"
    assert "JAX_PLATFORMS" not in chosen


def test_the_scratch_folder_is_its_own_and_removed(executor: LocalExecutor) -> None:
    code = "import os\nopen('left', 'w').close()\nos.mkdir('locked', 0)\nprint(os.getcwd())"
    first, second = run(executor, job(code)), run(executor, job(code))
    assert text_of(first) != text_of(second)
    assert not Path(text_of(first).strip()).exists()


def test_links_out_of_the_scratch_folder_are_not_followed(
    executor: LocalExecutor, tmp_path: Path
) -> None:
    (tmp_path / "kept").write_text("kept")
    assert run(executor, job(f"import os\nos.symlink({str(tmp_path)!r}, 'link')")).status is (
        Status.PASSED
    )
    assert (tmp_path / "kept").exists()


def test_children_that_escape_are_killed(executor: LocalExecutor) -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    time.sleep(60)
    os._exit(0)
time.sleep(0.2)
print(os.getpid())
"""
    outcome = run(executor, job(code))
    assert outcome.status is Status.PASSED
    assert [pid for parent in executor.pids for pid in children_of(worker_of(parent))] == []


def test_a_forked_copy_cannot_pass_for_its_parent(executor: LocalExecutor) -> None:
    code = "import os, time\nif os.fork():\n    time.sleep(0.3)\n    assert False"
    assert run(executor, job(code)).status is Status.FAILED


def test_closing_every_descriptor_costs_nothing(executor: LocalExecutor) -> None:
    assert run(executor, job("import os\nos.closerange(0, 4096)\nx = 1")).status is Status.PASSED
    failed = run(executor, job("import os\nos.closerange(0, 4096)\nassert False"))
    assert (failed.status, failed.line) == (Status.FAILED, 12)


def test_an_outcome_cannot_be_forged_on_a_descriptor(executor: LocalExecutor) -> None:
    forged = json.dumps({"snippet": "page#p01", "status": "passed"})
    code = f"""
import os
for fd in range(64):
    try:
        os.write(fd, {forged!r}.encode() + b"\\n")
    except OSError:
        pass
for fd in os.listdir(f"/proc/{{os.getppid()}}/fd"):
    try:
        other = os.open(f"/proc/{{os.getppid()}}/fd/{{fd}}", os.O_WRONLY | os.O_NONBLOCK)
        os.write(other, {forged!r}.encode() + b"\\n")
    except OSError:
        pass
assert False
"""
    outcome = run(executor, job(code))
    assert outcome.status is Status.FAILED
    assert run(executor, job("x = 1")).status is Status.PASSED


def test_what_is_scribbled_beside_a_message_is_none() -> None:
    mailbox = Mailbox()
    mailbox.send("{}")
    mailbox._memory[4:8] = b"\xff" * 4
    mailbox._memory[30:] = b"\xff" * (SIZE - 30)
    assert mailbox.take() == [b"{}"]
    mailbox.close()


@pytest.mark.parametrize("start", [8, 24])
def test_a_message_that_was_scribbled_over_is_none(start: int) -> None:
    mailbox = Mailbox()
    mailbox.send("{}")
    mailbox._memory[start : start + 4] = b"\xff" * 4
    assert mailbox.take() == []
    mailbox.close()


@pytest.mark.parametrize(
    "message",
    ["", "{", "[" * 100_000, '{"snippet":"s","status":"verified"}', "7", '{"snippet":"s"}'],
)
def test_a_malformed_message_is_no_pass(message: str) -> None:
    ending = Ending(
        number="1", code=0, ended="", cell=0, folder="/nonexistent", messages=(message,)
    )
    outcome = conclude(job("x = 1"), ending)
    assert (outcome.status, outcome.snippet) == (Status.CRASHED, "page#p01")


def test_a_snippet_cannot_say_on_which_machine_it_ran() -> None:
    told = Outcome(snippet="s", status=Status.PASSED, environment=CARD)
    ending = Ending(number="1", code=0, ended="", cell=0, folder="/n", messages=(encode(told),))
    outcome = conclude(job("x = 1"), ending)
    assert (outcome.status, outcome.environment) == (Status.PASSED, None)


def test_a_broken_worker_is_not_blamed_on_the_snippet() -> None:
    message = json.dumps({"breakdown": "Traceback ...\nOSError: disk full"})
    ending = Ending(number="1", code=0, ended="", cell=0, folder="/n", messages=(message,))
    outcome = conclude(job("x = 1"), ending)
    assert outcome.status is Status.CRASHED
    assert "says nothing about the snippet" in outcome.message
    assert "disk full" in outcome.message


def test_a_program_that_dies_while_it_is_timed_has_still_passed() -> None:
    pairing = Pairing(against="baseline", candidate=(), baseline=())
    timed = Job(snippet="s", cells=job("x = 1").cells, pairings=(pairing,), timeout=3)
    message = '{"snippet":"s","status":"passed"}'
    ending = Ending(number="1", code=-9, ended="time", cell=0, folder="/n", messages=(message,))
    outcome = conclude(timed, ending)
    assert outcome.status is Status.PASSED
    assert [s.invalid for s in outcome.samples] == ["did not end within 3 s while timing"]
    assert [s.deaths for s in outcome.samples] == [1]


# How a program is laid out


def test_lines_of_the_file_are_lines_of_the_page(tmp_path: Path) -> None:
    cells = (
        Cell(role="fixture", code="def f():\n    return 1", path="snippets/w.py", line=3),
        Cell(role="pattern", code="x = f()\ny = x", path=PAGE, line=40),
        Cell(role="check", code="assert y == 1", path=PAGE, line=41),
    )
    namespace = make_namespace(cells, folder=str(tmp_path))
    run_cells(cells, namespace)
    layout = layout_of(namespace)
    lines = Path(layout.file).read_text().split("\n")
    assert lines[39] == "x = f()"
    places = [locate(layout.file, start) for start in layout.starts]
    assert [(p.path, p.line) for p in places if p] == [(c.path, c.line) for c in cells]
    assert [tree.body[0].lineno for tree in parse_cells(cells, namespace)] == list(layout.starts)


def test_two_programs_of_a_process_share_no_names(tmp_path: Path) -> None:
    cells = (Cell(role="pattern", code="x = globals().get('x', 0) + 1", path=PAGE),)
    first = make_namespace(cells, folder=str(tmp_path))
    second = make_namespace(cells, folder=str(tmp_path))
    run_cells(cells, first)
    run_cells(cells, second)
    assert (first["x"], second["x"]) == (1, 1)
    assert first["__file__"] != second["__file__"]


@pytest.mark.parametrize("path", ["../../etc/x.md", "/etc/x.md", "a//b.md", "..", "한글 페이지.md"])
def test_a_page_of_any_name_stays_in_the_scratch_folder(tmp_path: Path, path: str) -> None:
    cells = (Cell(role="pattern", code="x = 1", path=path),)
    namespace = make_namespace(cells, folder=str(tmp_path))
    run_cells(cells, namespace)
    assert Path(namespace["__file__"]).resolve().is_relative_to(tmp_path.resolve())


def test_a_future_import_holds_for_later_cells(tmp_path: Path) -> None:
    cells = (
        Cell(role="setup", code="from __future__ import annotations"),
        Cell(role="pattern", code="def f(x: nothing_of_that_name): ..."),
    )
    run_cells(cells, make_namespace(cells, folder=str(tmp_path)))


# Whole wikis of such snippets


def wiki_snippets(name: str) -> list[Snippet]:
    config = read_config(TESTS / "wikis" / name)
    return list(extract_all(config, read_pages(config)))


@pytest.mark.parametrize("name", ["failing", "slow", "crashing"])
def test_every_snippet_of_a_wiki_ends_as_its_heading_says(
    executor: LocalExecutor, name: str
) -> None:
    snippets = wiki_snippets(name)
    jobs = [
        Job(
            snippet=s.id,
            cells=s.programs[0].cells,
            timeout=float(s.fence.attributes.get("timeout", 20)),
            raises=s.fence.attributes.get("raises", ""),
        )
        for s in snippets
    ]
    seen = {outcome.snippet: outcome.status.value for outcome in executor.run(jobs)}
    said = {s.id: s.heading.text.rpartition(": ")[2] for s in snippets if s.heading}
    assert seen == said


@pytest.mark.parametrize(("code", "passes"), [("x = 1\nassert x == 1", True), ("1 / 0", False)])
def test_a_parent_whose_rehearsal_does_not_pass_serves_nobody(
    tmp_path: Path, code: str, passes: bool
) -> None:
    script = (
        "import sys\nfrom wiki_tools.worker import zygote\n"
        "zygote.REHEARSED = sys.argv[1]\nzygote.rehearse(sys.argv[2])"
    )
    command = [sys.executable, "-c", script, code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is passes, done.stderr
    assert ("a rehearsal did not pass" in done.stderr) is not passes
