"""What confines snippets: whatever is said to hold does, and what cannot be had is said."""

import itertools
import json
import os
import platform
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.reports import CPU, make_environment, make_evidence, make_report, make_seen
from tests.support import make_config, make_page, make_snippet
from wiki_tools.cli.results import what_lay_open
from wiki_tools.config import read_config
from wiki_tools.errors import ConfigError, UsageError
from wiki_tools.ledger import LOCAL, make_folder
from wiki_tools.protocol import PROPERTIES, Cell, Job, Outcome, Status, not_held
from wiki_tools.runner.choice import choose_executor, confine
from wiki_tools.runner.enclosure import check_held, enclose
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.verify import Run
from wiki_tools.worker.sandbox import bubblewrap, cgroups
from wiki_tools.worker.scratch import is_within, remove_scratch

linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no sandbox on this system")
ROOT = Path(__file__).parent.parent
TRY = """
import json, os, socket, sys
from wiki_tools.worker.sandbox import inside, landlock, namespaces, seccomp

def refuse(*_, **__):
    raise OSError(1, "the test does not let it")

folder, missing = sys.argv[1], sys.argv[2].split()
if "landlock" in missing:
    landlock.version = lambda: 0
if "namespaces" in missing:
    namespaces.enter_namespaces = refuse
if "users" in missing:
    namespaces.enter_user_namespace = refuse
if "seccomp" in missing:
    seccomp.refuse_sockets = refuse
sandbox = inside.enter_sandbox("", folder)
os.mkdir(f"{folder}/own")
guard = sandbox.guard(f"{folder}/own")
guard.enter()

def is_refused(action):
    try:
        action()
    except OSError:
        return True
    return False

print(json.dumps({
    "held": sandbox.held,
    "refused": sandbox.refused,
    "own": is_refused(lambda: open(f"{folder}/own/file", "w").close()),
    "filesystem": is_refused(lambda: open(f"{folder}/../file", "w").close()),
    "network": is_refused(lambda: socket.create_connection(("192.0.2.1", 9), 0.2)),
    "signals": is_refused(lambda: os.kill(os.getppid(), 0)),
    "privileges": is_refused(lambda: os.chroot(".")),
}))
"""
"""A worker without some mechanisms, which says what it holds and tries it."""


def job(code: str, name: str = "page#p01", timeout: float = 10.0) -> Job:
    cells = (Cell(role="pattern", code=code, path="docs/page.md", line=10, timed=True),)
    return Job(snippet=name, cells=cells, timeout=timeout, memory=1 << 30)


def run(executor: LocalExecutor | FreshExecutor, code: str, timeout: float = 10.0) -> Outcome:
    (outcome,) = executor.run([job(code, timeout=timeout)])
    return outcome


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 30
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def is_running(mark: str) -> bool:
    """Whether any process has this word in its command."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in entry.read_bytes().split(b"\0"):
                return True
        except OSError:  # it has just ended
            continue
    return False


# What is said to hold does


@linux
@pytest.mark.parametrize(
    "missing",
    ["", "landlock", "namespaces", "users", "namespaces landlock", "namespaces users landlock",
     "namespaces users landlock seccomp"],
)  # fmt: skip
def test_what_a_worker_says_to_hold_does(missing: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-P", "-c", TRY, str(folder), missing],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert not seen["own"]
    names = {each.partition(":")[0] for each in seen["held"]}
    assert names <= PROPERTIES.keys()
    for name in names & {"filesystem", "network", "signals", "privileges"}:
        assert seen[name], f"{name} is said to hold: {seen['held']}"
    for name in missing.split():
        assert not any(each.endswith(f":{name.rstrip('s')}") for each in seen["held"]) or (
            name == "users"
        )
    assert ("landlock" not in missing) or "landlock: the kernel has none" in seen["refused"]


@linux
def test_packages_are_seen_wherever_this_interpreter_finds_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bubblewrap, "trouble", lambda: "")
    monkeypatch.setattr(sys, "path", [*sys.path, "/tmp/of-the-machine/packages", "relative", ""])
    enclosure = enclose(make_config(), "/folder", first=False)
    enclosure.close()
    enclosure.remove()
    shown = [b for a, b in pairwise(enclosure.command) if a == "--ro-bind-try"]
    assert "/tmp/of-the-machine/packages" in shown
    assert not {"relative", "", "/tmp"} & set(shown)


@linux
def test_without_bubblewrap_something_else_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wiki_tools.worker.sandbox.bubblewrap.trouble", lambda: "not installed")
    with LocalExecutor(make_config()) as executor:
        outcome = run(executor, f"open({str(ROOT / 'nothing')!r}, 'w')")
    if "filesystem" in not_held(outcome.held):
        pytest.skip(f"nothing else is to be had here: {outcome.held}")
    assert outcome.status is Status.FAILED
    assert not any("bubblewrap" in each for each in outcome.held)
    assert not (ROOT / "nothing").exists()


@linux
def test_an_outcome_without_a_sandbox_says_so() -> None:
    with LocalExecutor(make_config(sandbox="off")) as executor:
        outcome = run(executor, "x = 1")
    assert "sandbox:off" in outcome.held
    assert {"filesystem", "network", "processes", "signals"} <= set(not_held(outcome.held))


@linux
def test_a_bomb_is_stopped_where_no_kernel_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wiki_tools.worker.sandbox.cgroups.make_group", lambda: "")
    code = """
import os, time
while True:
    if os.fork() == 0:
        time.sleep(60)
    time.sleep(0.002)
"""
    with LocalExecutor(make_config()) as executor:
        outcome = run(executor, code, timeout=30.0)
        assert run(executor, "x = 1").status is Status.PASSED
    counted = next(each for each in outcome.held if each.startswith("processes:"))
    if counted == "processes:watchdog":
        assert outcome.message == "started more processes than one snippet may"
    else:
        assert (counted, outcome.status) == ("processes:namespace", Status.FAILED)


@linux
@pytest.mark.parametrize("kills", [False, True])
def test_no_control_group_is_left(kills: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = cgroups.make_group

    def note() -> str:
        made.append(make())
        return made[-1]

    monkeypatch.setattr(cgroups, "make_group", note)
    remove = cgroups.remove_group
    if kills:  # whoever asked, before it could remove anything
        monkeypatch.setattr(cgroups, "remove_group", lambda _group: None)
    with LocalExecutor(make_config()) as executor:
        run(executor, "import os\nwhile True:\n    os.fork()")
    if made == [""]:
        pytest.skip("this process may not make control groups")
    if kills:
        remove(make())
    assert [Path(group).exists() for group in made] == [False]


# Who starts them


@linux
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_whoever_asked(which: signal.Signals) -> None:
    mark = f"{600 + os.getpid() % 100}.{time.time_ns()}"
    code = f"""
import os, subprocess, time
if os.fork() == 0:
    os.setsid()
    subprocess.Popen(["sleep", "{mark}"])
time.sleep(60)
"""
    script = f"""
from tests.test_sandbox import LocalExecutor, job, make_config
with LocalExecutor(make_config()) as executor:
    list(executor.run([job({code!r}, timeout=60.0)]))
"""
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        started = eventually(lambda: is_running(mark))
        process.send_signal(which)
        process.wait(10)
    assert started
    assert eventually(lambda: not is_running(mark))


def test_what_lay_open_is_said_after_a_run() -> None:
    snippet = make_snippet("x = 1")

    def said(*held: str) -> str:
        seen = make_seen(snippet, make_evidence(snippet, held=held))
        rows = [(make_report(make_page("# Page\n")), make_environment([seen]))]
        return what_lay_open(Run(environment=CPU, ran=(snippet.id,), measured=0, unchanged=0), rows)

    assert said("filesystem:landlock", "network:seccomp") == ""
    assert said("filesystem:landlock") == "No sandbox held: network lay open to what ran."


def test_a_required_sandbox_that_is_missing_stops_everything() -> None:
    config = make_config(sandbox="require")
    with pytest.raises(UsageError, match="filesystem and network would lie open"):
        check_held(config, ("privileges:dropped",), ("bubblewrap: not installed",))
    check_held(config, ("filesystem:landlock", "network:seccomp"), ())
    check_held(replace(config, sandbox="auto"), (), ())


def test_a_page_s_author_cannot_turn_the_sandbox_off(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    settings = tmp_path / "mkdocs.yml"
    settings.write_text("plugins:\n  - wiki: {sandbox: require}\n")
    assert read_config(tmp_path / "docs").sandbox == "require"
    settings.write_text("plugins:\n  - wiki: {sandbox: 'off'}\n")
    with pytest.raises(ConfigError, match="auto or require was expected"):
        read_config(tmp_path / "docs")


def test_a_command_decides_over_settings() -> None:
    config = make_config(sandbox="require")
    assert confine(config, "").sandbox == "require"
    assert confine(config, "off").sandbox == "off"
    with pytest.raises(UsageError, match="expected auto, require, off"):
        confine(config, "on")


def test_how_jobs_start_can_be_chosen() -> None:
    with choose_executor(make_config(), 1, "fresh") as fresh:
        assert isinstance(fresh, FreshExecutor)
    with pytest.raises(UsageError, match="expected auto, fork, fresh"):
        choose_executor(make_config(), 1, "spoon")


# What is left is removed


@linux
@pytest.mark.parametrize("kind", [LocalExecutor, FreshExecutor])
def test_within_bubblewrap_no_snippet_can_hold_a_lock_on_evidence(
    tmp_path: Path, kind: type[LocalExecutor | FreshExecutor]
) -> None:
    if bubblewrap.trouble():
        pytest.skip("bubblewrap does not work here")
    (tmp_path / "docs").mkdir()
    make_folder(tmp_path / "evidence", LOCAL)
    code = f"import os\nassert os.listdir({str(tmp_path / 'evidence')!r}) == []\n"
    code += f"assert os.path.isdir({str(tmp_path / 'docs')!r})\n"
    code += f"try:\n    os.mkdir({str(tmp_path / 'evidence' / 'x')!r})\n    raise AssertionError\n"
    code += "except OSError:\n    pass"
    cells = (Cell(role="pattern", code=code, path="docs/page.md", line=3),)
    with kind(read_config(tmp_path / "docs"), 1) as executor:
        (outcome,) = executor.run([Job(snippet="s", cells=cells, timeout=20.0)])
    assert outcome.status is Status.PASSED, outcome.message


def test_what_is_needed_is_not_hidden_with_the_evidence_around_it(tmp_path: Path) -> None:
    def hidden(needed: Path) -> bool:
        command = bubblewrap.bubblewrap((), (str(needed),), first=True, empty=(str(tmp_path),))
        return ("--tmpfs", str(tmp_path)) in itertools.pairwise(command)

    assert hidden(tmp_path.parent / "vault")
    assert not hidden(tmp_path / "vault")
    assert not hidden(tmp_path)


LEAVES = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open("own", "w") as file:
            file.write(str(os.getpid()))
        {away}
        for name in os.listdir("/proc/self/fd"):
            try:
                os.close(int(name))
            except OSError:
                pass
        time.sleep(60)
    os._exit(0)
while not os.path.exists("own") or not open("own").read():
    time.sleep(0.02)
time.sleep(0.2)
print(open("own").read())
"""


@linux
@pytest.mark.parametrize("away", ["pass", "os.chdir('/')"])
def test_a_fresh_interpreter_without_bubblewrap_leaves_no_process_and_no_group(
    away: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "trouble", lambda: "the test does not let it")
    groups: list[str] = []
    made = cgroups.make_group

    def make() -> str:
        groups.append(made())
        return groups[-1]

    monkeypatch.setattr(cgroups, "make_group", make)
    code = LEAVES.format(away=away)
    cells = (Cell(role="pattern", code=code, path="docs/page.md", line=3),)
    with FreshExecutor(make_config(), 1) as fresh:
        (outcome,) = fresh.run([Job(snippet="s", cells=cells, timeout=20.0)])
    assert outcome.status is Status.PASSED, outcome.message
    if away != "pass" and not groups[0]:
        pytest.skip("no control group can be made here, and nothing else finds such a process")
    assert not _runs(outcome.outputs[0].text.strip())
    assert not groups[0] or not Path(groups[0]).exists()


def _runs(pid: str) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_scratch_folder_is_removed_whatever_it_holds(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("kept")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "out").symlink_to(kept)
    here = os.getcwd()  # noqa: PTH109
    try:
        os.chdir(scratch)
        for _ in range(1500):
            os.mkdir("d")  # noqa: PTH102
            os.chdir("d")
        os.symlink(kept, "out")  # noqa: PTH211
    finally:
        os.chdir(here)
    (scratch / "locked").mkdir()
    (scratch / "locked" / "inner").mkdir()
    (scratch / "locked" / "inner").chmod(0)
    (scratch / "locked").chmod(0)
    remove_scratch(str(scratch))
    assert not scratch.exists()
    assert (kept / "file").read_text() == "kept"


def test_what_a_folder_holds_is_counted_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(bytes(1 << 20))
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "small").write_bytes(bytes(1 << 12))
    (inner / "link").symlink_to(tmp_path)
    assert is_within(str(inner), 1 << 16)
    assert not is_within(str(tmp_path), 1 << 16)


@linux
@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of system calls are x86_64's")
def test_a_snippet_reaches_neither_the_user_s_keys_nor_a_hypervisor(tmp_path: Path) -> None:
    code = (
        "import ctypes, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "assert [libc.syscall(number, 0, -4, 1, 0, 0) for number in (248, 249, 250)] == [-1] * 3\n"
        "assert ctypes.get_errno() == 1\n"
        "try:\n    socket.socket(40, socket.SOCK_STREAM)\n"
        "except PermissionError:\n    pass\nelse:\n    assert False, 'a socket'\n"
        "socket.socket(socket.AF_UNIX).close()"
    )
    with LocalExecutor(make_config(tmp_path), jobs=1) as executor:
        job = Job(snippet="a#p01", cells=(Cell(role="pattern", code=code),))
        (outcome,) = executor.run([job])
    assert outcome.status is Status.PASSED, outcome.message
