"""How jobs are spread over processes, and that none is left behind."""

import ast
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import wiki_tools
from tests.support import make_config, worker_of
from wiki_tools.errors import WorkerError
from wiki_tools.protocol import Cell, Job, Pairing, Status
from wiki_tools.runner import folders
from wiki_tools.runner.folders import remove_left
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.parent import knows_every_instruction
from wiki_tools.turns import lock
from wiki_tools.worker.surroundings import start_environment

Jobs = list[Job]


def job(code: str, name: str = "page#p01", timeout: float = 10.0, **fields: object) -> Job:
    cells = (Cell(role="pattern", code=code, path="docs/page.md", line=10, timed=True),)
    return Job(snippet=name, cells=cells, timeout=timeout, **fields)  # type: ignore[arg-type]


@pytest.fixture(params=[LocalExecutor, FreshExecutor])
def executor(request: pytest.FixtureRequest) -> Iterator[LocalExecutor | FreshExecutor]:
    with request.param(make_config(), jobs=2) as made:
        yield made


@pytest.fixture
def local() -> Iterator[LocalExecutor]:
    with LocalExecutor(make_config(), jobs=2) as made:
        yield made


@pytest.fixture
def unconfined() -> Iterator[LocalExecutor]:
    """Its snippets can write where the test reads, and kill what watches them."""
    with LocalExecutor(make_config(sandbox="off"), jobs=2) as made:
        yield made


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def pid_in(file: Path) -> int:
    assert eventually(lambda: file.exists() and file.read_text() != "")
    return int(file.read_text())


# Both ways to start


def test_every_job_has_one_outcome(executor: LocalExecutor | FreshExecutor) -> None:
    jobs = [job(f"assert {n} % 3", name=f"page#{n}") for n in range(7)]
    seen = sorted((o.snippet, o.status.value) for o in executor.run(jobs))
    assert seen == [(f"page#{n}", "passed" if n % 3 else "failed") for n in range(7)]


def test_jobs_of_one_name_are_told_apart(executor: LocalExecutor | FreshExecutor) -> None:
    statuses = [o.status for o in executor.run([job("x = 1"), job("assert False")])]
    assert sorted(statuses) == [Status.FAILED, Status.PASSED]


def test_no_job_is_no_work(executor: LocalExecutor | FreshExecutor) -> None:
    assert list(executor.run([])) == []


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import os\nos._exit(0)", Status.CRASHED),
        ("import sys\nsys.exit(0)", Status.FAILED),
        ("import ctypes\nctypes.string_at(0)", Status.CRASHED),
        ("while True:\n    pass", Status.TIMED_OUT),
        ("print('x' * 10 ** 8)", Status.PASSED),
        ("import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, b'{}\\n')\n"
         "    except OSError:\n        pass\nassert False", Status.FAILED),
    ],
)  # fmt: skip
def test_a_job_costs_only_itself(
    executor: LocalExecutor | FreshExecutor, code: str, status: Status
) -> None:
    bad, good = job(code, name="bad", timeout=1.0), job("x = 1", name="good")
    seen = {o.snippet: o.status for o in executor.run([bad, good])}
    assert seen == {"bad": status, "good": Status.PASSED}


def test_what_held_is_said(executor: LocalExecutor | FreshExecutor) -> None:
    (outcome,) = executor.run([job("x = 1")])
    assert {"timeout", "memory", "scratch", "environment"} <= set(outcome.held)
    assert ("descendants" in outcome.held) is isinstance(executor, LocalExecutor)


def test_a_job_that_times_itself_runs_alone(executor: LocalExecutor | FreshExecutor) -> None:
    code = "import time\nstart = time.time()\ntime.sleep(0.2)\nprint(start, time.time())"
    timer = "from wiki_tools.probes import seconds\nseconds(int)\n"
    jobs = [job(timer * (n == "lab") + code, name=n) for n in ("a", "b", "lab", "c", "d")]
    outcomes = {o.snippet: o for o in executor.run(jobs)}
    assert {o.status for o in outcomes.values()} == {Status.PASSED}
    spans = {n: [float(w) for w in o.outputs[0].text.split()] for n, o in outcomes.items()}
    start, end = spans.pop("lab")
    assert all(other[1] <= start or other[0] >= end for other in spans.values())


def test_a_job_with_pairings_runs_alone(executor: LocalExecutor | FreshExecutor) -> None:
    code = "import time\nstart = time.time()\ntime.sleep(0.2)\nprint(start, time.time())"
    cells = (Cell(role="pattern", code="x = sum(range(10))", timed=True),)
    pairing = Pairing(against="baseline", candidate=cells, baseline=cells)
    names = ["a", "b", "measured", "c", "d"]
    jobs = [job(code, name=n, budget=0.1, pairings=(pairing,) * (n == "measured")) for n in names]
    outcomes = {o.snippet: o for o in executor.run(jobs)}
    assert {o.status for o in outcomes.values()} == {Status.PASSED}
    spans = {n: [float(w) for w in outcomes[n].outputs[0].text.split()] for n in names}
    start, end = spans.pop("measured")
    assert all(other[1] <= start or other[0] >= end for other in spans.values())


def test_what_is_timed_comes_back_as_samples(executor: LocalExecutor | FreshExecutor) -> None:
    slow = (Cell(role="pattern", code="x = sum(range(40000))", timed=True),)
    fast = (Cell(role="pattern", code="x = 40000 * 39999 // 2", timed=True),)
    pairing = Pairing(against="baseline", candidate=fast, baseline=slow)
    (outcome,) = executor.run([job("x = 1", budget=0.3, pairings=(pairing,))])
    assert outcome.status is Status.PASSED
    (samples,) = outcome.samples
    assert samples.invalid == ""
    assert len(samples.baseline) == len(samples.candidate) > 0


def test_what_compares_results_is_imported_once_for_all_that_is_timed(
    local: LocalExecutor,
) -> None:
    pytest.importorskip("numpy")
    there = "import sys\nassert ('num' + 'py' in sys.modules) is {}"
    assert [o.status for o in local.run([job(there.format(False))])] == [Status.PASSED]
    setup = Cell(role="setup", code=there.format(True))
    side = (setup, Cell(role="pattern", code="x = 1", timed=True))
    pairing = Pairing(against="baseline", candidate=side, baseline=side)
    (outcome,) = local.run([job("x = 1", budget=0.1, pairings=(pairing,))])
    assert [samples.invalid for samples in outcome.samples] == [""]


def test_a_pairing_that_fails_is_invalid_and_the_outcome_stands(
    executor: LocalExecutor | FreshExecutor,
) -> None:
    good = (Cell(role="pattern", code="x = 1", timed=True),)
    bad = (Cell(role="pattern", code="import os\nx = 1\nos._exit(3)", timed=True),)
    pairings = (
        Pairing(against="baseline", candidate=good, baseline=bad),
        Pairing(against="pattern", candidate=good, baseline=good),
    )
    (outcome,) = executor.run([job("x = 1", budget=0.1, pairings=pairings)])
    assert outcome.status is Status.PASSED
    assert [s.against for s in outcome.samples] == ["baseline", "pattern"]
    assert all("exit code 3" in s.invalid for s in outcome.samples)


# Preloaded parents


ONE_JOB = """
from tests.support import make_config
from wiki_tools.protocol import Cell, Job
from wiki_tools.runner.local import LocalExecutor

with LocalExecutor(make_config()) as made:
    list(made.run([Job(snippet="x", cells=(Cell(role="pattern", code="x = 1"),))]))
"""


def test_what_only_workers_import_is_compiled_once(tmp_path: Path) -> None:
    """They see the package read-only."""
    home = Path(wiki_tools.__file__).parent
    shutil.copytree(home, tmp_path / home.name, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join((str(tmp_path), str(home.parent)))
    subprocess.run([sys.executable, "-c", ONE_JOB], cwd=tmp_path, env=environment, check=True)
    kept = tmp_path / home.name / "worker" / "__pycache__"
    assert {"zygote", "child", "task"} <= {file.name.split(".")[0] for file in kept.iterdir()}


def test_two_jobs_run_at_a_time(local: LocalExecutor) -> None:
    list(local.run([job("x = 1")]))
    started = time.monotonic()
    list(local.run([job("import time\ntime.sleep(0.6)")] * 4))
    assert 1.2 <= time.monotonic() - started < 2.2


def test_a_snippet_without_a_framework_loads_none(local: LocalExecutor) -> None:
    code = "import sys\nassert not {'torch', 'jax', 'num' 'py'} & sys.modules.keys()"
    (outcome,) = local.run([job(code)])
    assert outcome.status is Status.PASSED
    assert len(local.pids) == 1


def test_numpy_is_loaded_once_for_those_that_use_it(local: LocalExecutor) -> None:
    code = "import sys\nassert 'numpy' in sys.modules\nimport numpy"
    assert [o.status for o in local.run([job(code)] * 2)] == [Status.PASSED] * 2
    assert len(local.pids) == 1


@pytest.mark.torch
def test_torch_is_preloaded_and_computes_with_the_threads_of_the_job(local: LocalExecutor) -> None:
    pytest.importorskip("torch")
    code = "import sys\nassert 'torch' in sys.modules\nimport torch\ntorch.get_num_threads(), dtype"
    jobs = [job(code, frameworks=("torch",), threads=n) for n in (1, 2)]
    shown = sorted(o.outputs[-1].data["text/plain"] for o in local.run(jobs))
    assert shown == ["(1, torch.float32)", "(2, torch.float32)"]
    assert len(local.pids) == 1


def test_parents_are_kept_between_runs(local: LocalExecutor) -> None:
    list(local.run([job("x = 1")]))
    before = local.pids
    list(local.run([job("x = 1")]))
    assert local.pids == before


def test_a_parent_holds_no_more_after_many_jobs(local: LocalExecutor) -> None:
    def held() -> tuple[int, ...]:
        (pid,) = local.pids
        return tuple(len(list(Path(f"/proc/{p}/fd").iterdir())) for p in (worker_of(pid), "self"))

    list(local.run([job("x = 1")] * 5))
    before = held()
    list(local.run([job("x = 1"), job("import os\nos._exit(1)")] * 20))
    assert held() == before


SIBLINGS = """
import os, time
time.sleep(0.1)
parent = os.getppid()
children = open(f"/proc/{parent}/task/{parent}/children").read()
len(children.split())
"""


@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_children_wait_for_their_turn_only_where_they_are_safe_from_others(sandbox: str) -> None:
    with LocalExecutor(make_config(sandbox=sandbox), jobs=1) as executor:
        outcomes = list(executor.run([job(SIBLINGS)] * 6))
    seen = [int(outcome.outputs[-1].data["text/plain"]) for outcome in outcomes]
    assert (max(seen) > 1) == ("signals:landlock" in outcomes[0].held)


def test_a_child_that_waits_for_its_turn_grows_no_older() -> None:
    with LocalExecutor(make_config(), jobs=1) as executor:
        jobs = [job("import time\ntime.sleep(0.7)", timeout=2.0)] * 5
        assert [outcome.status for outcome in executor.run(jobs)] == [Status.PASSED] * 5


def test_a_child_that_waits_for_its_turn_sees_nothing_of_those_before_it() -> None:
    code = """
import os
left = os.listdir("/dev/shm"), os.listdir("."), open("/proc/self/maps").read().count("/dev/zero")
open("/dev/shm/left", "w").close()
left
"""
    with LocalExecutor(make_config(), jobs=1) as executor:
        outcomes = list(executor.run([job(code)] * 6))
    if not any(each in outcomes[0].held for each in HIDING):
        pytest.skip("this machine's own shared memory is seen")
    for outcome in outcomes:
        shared, own, mailboxes = ast.literal_eval(outcome.outputs[-1].data["text/plain"])
        assert (shared, own, mailboxes) == ([], [".program0-page.md"], 1)


def test_what_another_left_no_space_runs_again_alone() -> None:
    greedy = """
import os, time
try:
    for number in range(1000):
        with open(f"/dev/shm/{number}", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 64 << 20)
except OSError:
    time.sleep(2)
"""
    modest = """
import os, time
time.sleep(1)
with open("/dev/shm/mine", "wb") as file:
    os.posix_fallocate(file.fileno(), 0, 1 << 20)
"""
    hopeless = "raise OSError(28, 'No space left on device')"
    with LocalExecutor(make_config(), jobs=2) as executor:
        jobs = [job(greedy, name="greedy"), job(modest, name="modest"), job(hopeless, name="none")]
        outcomes = {outcome.snippet: outcome for outcome in executor.run(jobs)}
    if not any(each in outcomes["modest"].held for each in HIDING):
        pytest.skip("this machine's own shared memory is seen")
    statuses = {name: outcome.status for name, outcome in outcomes.items()}
    assert statuses == {
        "greedy": Status.PASSED,
        "modest": Status.PASSED,
        "none": Status.FAILED,
    }


HIDING = ("filesystem:bubblewrap", "filesystem:namespace")


def test_a_job_larger_than_a_socket_holds_arrives(local: LocalExecutor) -> None:
    code = "\n".join(f"x{n} = {n}" for n in range(100_000))
    assert [o.status for o in local.run([job(code), job(code)])] == [Status.PASSED] * 2


def test_a_parent_that_died_between_runs_is_replaced(local: LocalExecutor) -> None:
    list(local.run([job("x = 1")]))
    (pid,) = local.pids
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: is_gone(pid))
    assert [o.status for o in local.run([job("x = 1")])] == [Status.PASSED]


def test_jobs_beside_one_that_kills_the_parent_run_again(unconfined: LocalExecutor) -> None:
    killer = job("import os\nos.kill(os.getppid(), 9)", name="killer")
    slow = job("import time\ntime.sleep(0.3)", name="slow")
    seen = {o.snippet: o for o in unconfined.run([slow, killer, slow])}
    assert seen["slow"].status is Status.PASSED
    assert seen["killer"].status is Status.CRASHED
    assert "killed the process that watches it, twice: SIGKILL" in seen["killer"].message


def test_a_parent_that_dies_once_is_forgiven(unconfined: LocalExecutor, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    code = f"""
import os, pathlib
flag = pathlib.Path({str(flag)!r})
if not flag.exists():
    flag.write_text("x")
    os.kill(os.getppid(), 9)
    import time; time.sleep(5)
"""
    assert [o.status for o in unconfined.run([job(code)])] == [Status.PASSED]


def test_a_worker_that_does_not_start_is_no_snippet_s_fault(
    local: LocalExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no such luck >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    with pytest.raises(WorkerError, match="no such luck"):
        list(local.run([job("x = 1")]))


TOUCH = """
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
"""What an operation of a framework does to a process, without the framework."""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that every parent imports in the place of numpy, when a snippet speaks of it."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    package = tmp_path / "numpy"
    (package / "random").mkdir(parents=True)
    (package / "random" / "__init__.py").write_text("def seed(n): pass\n")
    return package / "__init__.py"


def test_what_starts_threads_when_it_is_imported_gets_fresh_interpreters(
    local: LocalExecutor, plugin: Path
) -> None:
    plugin.write_text(TOUCH + "import numpy.random\n")
    outcomes = list(local.run([job("import numpy"), job("import numpy\nassert False")]))
    assert sorted(o.status for o in outcomes) == [Status.FAILED, Status.PASSED]
    assert all("descendants" not in o.held for o in outcomes)
    assert [o.status for o in local.run([job("x = 1")])] == [Status.PASSED]


def test_a_parent_that_was_touched_gives_way_to_another(
    unconfined: LocalExecutor, plugin: Path, tmp_path: Path
) -> None:
    (tmp_path / "touch").touch()
    code = f"""
import numpy.random, signal, pathlib
def touch(*_):
    pathlib.Path({str(tmp_path)!r}, "touch").unlink(missing_ok=True)
    {TOUCH.strip().replace(chr(10), "; ")}
if pathlib.Path({str(tmp_path)!r}, "touch").exists():
    signal.signal(signal.SIGUSR1, touch)
"""
    plugin.write_text(code)
    speaks = job("import numpy")
    assert [o.status for o in unconfined.run([speaks])] == [Status.PASSED]
    (touched,) = unconfined.pids
    os.kill(touched, signal.SIGUSR1)
    assert eventually(lambda: not (tmp_path / "touch").exists())
    outcomes = list(unconfined.run([speaks] * 3))
    assert [o.status for o in outcomes] == [Status.PASSED] * 3
    assert all("descendants" in o.held for o in outcomes)
    assert unconfined.pids != (touched,)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("framework", "operation"),
    [
        ("torch", "import torch\ntorch.set_num_threads(2)\ntorch.ones(512, 512).exp()"),
        ("jax", "import jax.numpy as jnp\njnp.ones(3).block_until_ready()"),
    ],
)
def test_no_parent_forks_once_an_operation_has_run_in_it(framework: str, operation: str) -> None:
    pytest.importorskip(framework)
    code = f"""
        from wiki_tools.worker.state import why_touched
        import {framework}
        before = why_touched()
        exec({operation!r})
        print([before, why_touched()])
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    environment = start_environment("cpu")
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    before, after = ast.literal_eval(done.stdout)
    assert not before
    assert after


# Nothing is left behind


def endless(file: Path) -> Job:
    """A job that writes its process id to a file and never ends, nor does its child."""
    code = f"""
import os, pathlib, time
pathlib.Path({str(file)!r}).write_text(str(os.getpid()))
if os.fork() == 0:
    os.setsid()
time.sleep(60)
"""
    return job(code, timeout=60.0)


def test_closing_ends_what_runs(tmp_path: Path) -> None:
    local = LocalExecutor(make_config(sandbox="off"))
    outcomes = local.run([job("x = 1"), endless(tmp_path / "pid")])
    assert next(outcomes).status is Status.PASSED
    pid, parents = pid_in(tmp_path / "pid"), local.pids
    local.close()
    assert all(is_gone(each) for each in (pid, *parents))


def test_giving_up_half_way_ends_what_runs_and_the_next_run_works(
    unconfined: LocalExecutor, tmp_path: Path
) -> None:
    outcomes = unconfined.run([job("x = 1"), endless(tmp_path / "pid")])
    next(outcomes)
    pid = pid_in(tmp_path / "pid")
    outcomes.close()  # type: ignore[attr-defined]
    assert is_gone(pid)
    assert [o.status for o in unconfined.run([job("x = 1")])] == [Status.PASSED]


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_whoever_asked(tmp_path: Path, which: signal.Signals) -> None:
    script = f"""
        from pathlib import Path
        from tests.test_runner_local import endless, make_config
        from wiki_tools.runner.local import LocalExecutor
        with LocalExecutor(make_config(sandbox="off")) as local:
            list(local.run([endless(Path({str(tmp_path / "pid")!r}))]))
    """
    root = Path(__file__).parent.parent
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL) as process:
        pid = pid_in(tmp_path / "pid")
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children")
        assert eventually(lambda: children.read_text() != "")
        grandchild = int(children.read_text())
        process.send_signal(which)
        process.wait(10)
    assert eventually(lambda: all(is_gone(p) for p in (pid, parent, grandchild)))


# What the compiler is trusted with


@pytest.mark.parametrize(
    ("compiler", "trusted"),
    [("g++ 13.2.0", True), ("g++ 9.4.0", False), ("", False), ("clang++ 19.1", False)],
)
def test_only_a_compiler_that_knows_every_instruction_is_trusted(
    compiler: str, trusted: bool
) -> None:
    assert knows_every_instruction(compiler) is trusted


@pytest.mark.torch
def test_compiling_without_a_compiler_is_skipped_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    code = "import torch\ntorch.compile(lambda x: x.sin() + 1)(torch.ones(3))"
    with LocalExecutor(make_config()) as local:
        (outcome,) = local.run([job(code, frameworks=("torch",), timeout=60)])
    assert (outcome.status, outcome.message) == (
        Status.SKIPPED,
        "torch.compile needs a C++ compiler and none was found",
    )


def test_a_snippet_that_stops_its_parent_hangs_nobody(
    unconfined: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki_tools.runner.parent.GRACE", 0.5)
    code = "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(60)"
    jobs = [job(code, name="page#stops", timeout=1.0), job("x = 1", name="page#fine")]
    ends = {o.snippet: o.status for o in unconfined.run(jobs)}
    assert ends == {"page#stops": Status.CRASHED, "page#fine": Status.PASSED}


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    import no_such_module_zz\nexcept ImportError:\n    y = 1 / 0",
        "assert 1 + 1 == 3, 'Found no NVIDIA driver'",
        "raise RuntimeError('No working C++ compiler found')",
    ],
)
def test_a_failure_is_no_skip_for_what_it_says(local: LocalExecutor, code: str) -> None:
    assert [o.status for o in local.run([job(code)])] == [Status.FAILED]


def test_what_is_not_installed_is_still_skipped(local: LocalExecutor) -> None:
    (outcome,) = local.run([job("import no_such_module_zz")])
    assert (outcome.status, "no_such_module_zz" in outcome.message) == (Status.SKIPPED, True)


def test_folders_that_a_killed_process_left_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"wiki-used", "wiki-locked", "wiki-other", "wiki-empty"}
    for name in (*kept, "wiki-left"):
        (tmp_path / name / ("parent1" if name != "wiki-other" else "notes")).mkdir(parents=True)
        (tmp_path / name / "parent1" / "log").write_text("") if name != "wiki-other" else None
    shutil.rmtree(tmp_path / "wiki-empty" / "parent1")
    (tmp_path / "wiki-link").symlink_to(tmp_path / "wiki-other")
    remove_left(tmp_path)
    assert (tmp_path / "wiki-left").exists(), "whoever made it may not have locked it yet"
    monkeypatch.setattr(folders, "YOUNG", -1.0)
    handle = os.open(tmp_path / "wiki-locked", os.O_RDONLY)
    lock(handle)
    with subprocess.Popen(["sleep", "60"], cwd=tmp_path / "wiki-used" / "parent1") as process:
        remove_left(tmp_path)
        process.kill()
    os.close(handle)
    assert {path.name for path in tmp_path.iterdir()} == {*kept, "wiki-link"}


def test_a_folder_is_locked_for_as_long_as_parents_may_work_in_it() -> None:
    made = folders.WorkFolder()
    place = made.parent(1).parent
    handle = os.open(place, os.O_RDONLY)
    assert not lock(handle, wait=False)
    os.close(handle)
    made.remove()
    assert not place.exists()
