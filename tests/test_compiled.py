"""What torch.compile made is kept for the very code that made it, and for no other."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import IO

import pytest

from tests.support import make_config
from wiki_tools.protocol import Cell, Job, Pairing, Status
from wiki_tools.runner import compiled as module
from wiki_tools.runner.compiled import Compiled, copy_files, digest_of, is_kept, is_lent, list_files
from wiki_tools.runner.local import LocalExecutor

LEAVES = """
# torch.compile
import pathlib
file = pathlib.Path(".compiled/inductor/kernel")
print(file.read_text() if file.exists() else "nothing")
file.parent.mkdir(parents=True, exist_ok=True)
file.write_text({text!r})
"""


def job(code: str, line: int = 10, **fields: object) -> Job:
    cell = Cell(role="pattern", code=code, path="docs/page.md", line=line, timed=True)
    return Job(snippet="page#p01", cells=(cell,), **fields)  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> Callable[[Job], tuple[Status, str]]:
    """Run a job as one call of `wiki verify` does, and give what it printed."""

    def run(one: Job) -> tuple[Status, str]:
        with LocalExecutor(make_config(), compiled=Compiled(tmp_path / "kept")) as local:
            (outcome,) = local.run([one])
        return outcome.status, outcome.outputs[0].text.strip() if outcome.outputs else ""

    return run


def test_a_snippet_finds_what_it_left_the_last_time(
    run: Callable[[Job], tuple[Status, str]],
) -> None:
    code = LEAVES.format(text="mine")
    assert run(job(code)) == (Status.PASSED, "nothing")
    assert run(job(code, line=99)) == (Status.PASSED, "mine")


def test_no_snippet_finds_what_another_left(run: Callable[[Job], tuple[Status, str]]) -> None:
    run(job(LEAVES.format(text="hostile")))
    assert run(job(LEAVES.format(text="other"))) == (Status.PASSED, "nothing")


def test_what_a_failing_snippet_left_is_not_kept(run: Callable[[Job], tuple[Status, str]]) -> None:
    code = LEAVES.format(text="mine") + "assert False"
    assert run(job(code)) == run(job(code)) == (Status.FAILED, "nothing")


def test_what_a_snippet_fails_on_is_not_lent_again(
    run: Callable[[Job], tuple[Status, str]],
) -> None:
    code = LEAVES.format(text="damaged") + "assert file.read_text() == 'damaged'"
    code = code.replace("print(", "assert 'nothing' == (")
    ended = [run(job(code))[0] for _ in range(3)]
    assert ended == [Status.PASSED, Status.FAILED, Status.PASSED]


def test_a_link_in_the_place_of_the_folder_is_not_followed(
    run: Callable[[Job], tuple[Status, str]], tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("secret")
    code = f"# torch.compile\nimport os\nos.symlink({str(secret)!r}, '.compiled')"
    assert run(job(code))[0] is Status.PASSED
    assert (secret / "key").exists()
    assert not list(tmp_path.glob("kept/*/*"))


def test_only_what_runs_again_is_kept() -> None:
    code = "torch.compile(f)"
    assert is_kept(job(code))
    assert not is_kept(job("torch.ones(3)"))
    assert not is_kept(job(code, folders=("/vault",)))


def test_what_looks_at_a_clock_compiles_anew() -> None:
    code = "torch.compile(f)"
    assert is_lent(job(code))
    assert not is_lent(job(f"import time\n{code}\ntime.perf_counter()"))


def test_the_first_round_of_a_measurement_compiles_anew_and_serves_the_others() -> None:
    side = job("torch.compile(f)").cells
    pairing = Pairing(against="baseline", candidate=side, baseline=())
    first, later = (job("", pairings=(pairing,), again=again) for again in (False, True))
    assert [is_kept(first), is_lent(first)] == [True, False]
    assert [is_kept(later), is_lent(later)] == [True, True]
    assert digest_of(first) == digest_of(later)
    swapped = replace(pairing, candidate=(), baseline=side)
    assert digest_of(later) != digest_of(job("", pairings=(swapped,), again=True))


def test_what_decides_what_runs_decides_the_folder() -> None:
    digests = {
        digest_of(each)
        for each in (
            job("x = 1"),
            job("x = 2"),
            job("x = 1", device="cuda"),
            job("x = 1", frameworks=("torch",)),
            job("x = 1", threads=2),
        )
    }
    assert len(digests) == 5
    assert digest_of(job("x = 1", line=3)) == digest_of(job("x = 1", timeout=5.0))


def test_only_files_are_copied(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "deep").mkdir(parents=True)
    (source / "deep" / "file").write_bytes(b"x")
    (source / "link").symlink_to("/etc/passwd")
    (source / "folder").symlink_to("/etc")
    os.mkfifo(source / "pipe")
    copy_files(source, tmp_path / "copy")
    assert list_files(tmp_path / "copy") == {"deep/file": 1}


@pytest.mark.parametrize(("limit", "value"), [("LARGEST", 3), ("MOST", 1)])
def test_too_much_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(module, limit, value)
    kept = Compiled(tmp_path / "kept")
    for name in ("a", "b"):
        (tmp_path / "left").mkdir(exist_ok=True)
        (tmp_path / "left" / name).write_bytes(b"xx")
    kept.take(job("x"), tmp_path / "left")
    kept.lend(job("x"), tmp_path / "lent")
    assert not (tmp_path / "lent").exists()


def test_folders_in_a_thousand_others_neither_stop_a_run_nor_are_kept(
    run: Callable[[Job], tuple[Status, str]], tmp_path: Path
) -> None:
    code = """
        # torch.compile
        import os
        home = os.getcwd()
        os.mkdir(".compiled")
        os.chdir(".compiled")
        for _ in range(1200):
            os.mkdir("a")
            os.chdir("a")
        open("kernel", "w").close()
        os.chdir(home)
    """
    assert run(job(dedent(code)))[0] is Status.PASSED
    assert not list(tmp_path.glob("kept/*/*"))


def test_half_of_what_was_kept_is_not_lent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Compiled(tmp_path / "kept")
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "kernel").write_bytes(b"x" * 10)
    kept.take(job("x"), tmp_path / "left")

    def full(_read: object, write: IO[bytes]) -> None:
        write.write(b"x")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    kept.lend(job("x"), tmp_path / "lent")
    assert not (tmp_path / "lent").exists()


def test_the_least_recently_used_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CAPACITY", 25)
    kept = Compiled(tmp_path / "kept")
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "file").write_bytes(b"x" * 10)
    first, second, third = job("1"), job("2"), job("3")
    for age, each in ((3, first), (2, second)):
        kept.take(each, tmp_path / "left")
        os.utime(tmp_path / "kept" / digest_of(each), (1e9 - age, 1e9 - age))
    kept.lend(first, tmp_path / "lent")
    kept.take(third, tmp_path / "left")
    found = {entry.name for entry in (tmp_path / "kept").iterdir()}
    assert found == {digest_of(first), digest_of(third)}


def test_what_a_killed_process_was_writing_is_removed_and_what_another_writes_is_not(
    tmp_path: Path,
) -> None:
    for name in (".old", ".young"):
        (tmp_path / "kept" / name / "new").mkdir(parents=True)
    os.utime(tmp_path / "kept" / ".old", (1e9, 1e9))
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "file").write_bytes(b"x")
    Compiled(tmp_path / "kept").take(job("x"), tmp_path / "left")
    found = {entry.name for entry in (tmp_path / "kept").iterdir()}
    assert found == {".young", digest_of(job("x"))}


def test_what_jax_compiled_is_found_again_in_another_folder(
    run: Callable[[Job], tuple[Status, str]], tmp_path: Path
) -> None:
    pytest.importorskip("jax")
    one = job("import jax\njax.jit(lambda x: x + 1)(1.0)", frameworks=("jax",))
    kept = tmp_path / "kept" / digest_of(one) / "jax"
    assert run(one)[0] is Status.PASSED
    made = sorted(kept.iterdir())
    assert any(file.name.endswith("-cache") for file in made)
    assert run(one)[0] is Status.PASSED
    assert sorted(kept.iterdir()) == made
