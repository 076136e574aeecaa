"""A parent is started while pages are read, and ends where nobody needs it."""

import os
from pathlib import Path

import pytest

from tests.support import make_config, processes_below
from tests.test_runner_local import eventually, is_gone, job
from wiki_tools.config import Config
from wiki_tools.protocol import Status
from wiki_tools.runner.early import Early, guess_key
from wiki_tools.runner.local import LocalExecutor


@pytest.fixture
def vault(tmp_path: Path) -> Config:
    (tmp_path / "docs").mkdir()
    return make_config(tmp_path)


def write(vault: Config, name: str, code: str, age: int = 0) -> Path:
    """Write a page that was changed some seconds ago."""
    file = vault.docs / name
    file.write_text(f"# A\n\n```python\n{code}\n```\n", encoding="utf-8")
    moment = 1_800_000_000 - age
    os.utime(file, (moment, moment))
    return file


def guess(vault: Config, *paths: Path, every: bool = False) -> tuple[str, ...] | None:
    key = guess_key(vault, "cpu", "local", paths, every=every)
    return key[1] if key else None


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("x = 1", ()),
        ("x = np.ones(3)", ("numpy",)),
        ("x = jax.numpy.ones(3)", ("jax",)),
        ("x = torch.ones(3)", ("torch",)),
        ("f = torch.compile(f)", ("torch", "torch.compile")),
    ],
)
def test_what_a_page_says_tells_what_its_parent_imports(
    vault: Config, code: str, imports: tuple[str, ...]
) -> None:
    write(vault, "a.md", code)
    assert guess(vault) == imports


def test_the_parent_that_takes_longest_is_guessed(vault: Config) -> None:
    write(vault, "a.md", "x = 1")
    write(vault, "b.md", "x = torch.ones(3)")
    write(vault, "c.md", "x = np.ones(3)")
    assert guess(vault) == ("torch",)
    assert guess(vault, vault.docs / "c.md") == ("numpy",)


def test_nothing_is_guessed_where_nothing_will_run(vault: Config) -> None:
    assert guess(vault) is None
    (vault.docs / "a.md").write_text("torch\n```text\ntorch\n```\n", encoding="utf-8")
    assert guess(vault, every=True) is None


def test_pages_older_than_the_evidence_are_not_looked_at(vault: Config) -> None:
    write(vault, "a.md", "x = torch.ones(3)", age=100)
    evidence = vault.evidence / "local"
    evidence.mkdir(parents=True)
    (evidence / "a.json").write_text("{}", encoding="utf-8")
    os.utime(evidence / "a.json", (1_800_000_000 - 50,) * 2)
    assert guess(vault) is None
    assert guess(vault, every=True) == ("torch",)
    write(vault, "b.md", "x = 1")
    assert guess(vault) == ()


def test_evidence_that_leads_nowhere_is_as_none(vault: Config) -> None:
    (vault.evidence / "local").mkdir(parents=True)
    (vault.evidence / "local" / "gone.json").symlink_to("nowhere")
    write(vault, "a.md", "x = 1")
    assert guess(vault) == ()


def test_what_is_asked_for_may_be_a_link_to_itself(vault: Config) -> None:
    write(vault, "a.md", "x = 1")
    (vault.docs / "loop").symlink_to("loop")
    assert guess(vault, vault.docs / "loop") is None
    assert guess(vault, vault.docs / "loop", vault.docs) == ()


def test_jobs_run_in_the_parent_that_was_started_early(vault: Config) -> None:
    with Early.start(("cpu", ()), vault, 2, None) as early:
        (before,) = processes_below_us()
        with LocalExecutor(vault, jobs=2, early=early) as executor:
            outcome = next(executor.run([job("x = 1")]))
            assert executor.pids == (before,)
    assert outcome.status is Status.PASSED
    assert is_gone(before)


def test_its_jobs_are_as_confined_as_others(vault: Config) -> None:
    with LocalExecutor(vault, jobs=1) as executor:
        late = next(executor.run([job("x = 1")]))
    with (
        Early.start(("cpu", ()), vault, 1, None) as early,
        LocalExecutor(vault, jobs=1, early=early) as executor,
    ):
        soon = next(executor.run([job("x = 1")]))
    assert soon.held == late.held


def test_the_evidence_is_hidden_from_one_that_starts_before_there_is_any(vault: Config) -> None:
    code = f"import os\nassert os.listdir({str(vault.evidence)!r}) == []"
    with (
        Early.start(("cpu", ()), vault, 1, None) as early,
        LocalExecutor(vault, jobs=1, early=early) as executor,
    ):
        (vault.evidence / "seen").mkdir()
        outcome = next(executor.run([job(code)]))
    if "filesystem:bubblewrap" not in outcome.held:
        pytest.skip("only bubblewrap hides it")
    assert outcome.status is Status.PASSED, outcome.message


def test_one_that_nobody_needs_ends_before_anything_runs(vault: Config) -> None:
    with Early.start(("cpu", ("json",)), vault, 1, None) as early:
        below = processes_below_us()
        with LocalExecutor(vault, jobs=1, early=early) as executor:
            assert next(executor.run([job("x = 1")])).status is Status.PASSED
            assert eventually(lambda: all(map(is_gone, below)))


def test_one_is_ended_in_the_midst_of_its_imports(vault: Config) -> None:
    with Early.start(("cpu", ()), vault, 1, None):
        below = processes_below_us()
    assert below
    assert eventually(lambda: all(map(is_gone, below)))


def test_one_of_another_device_is_not_taken(vault: Config) -> None:
    with Early.start(("cpu", ()), vault, 1, None) as early:
        assert early.take([("cuda", ())]) is None
        assert early.take([("cpu", ())]) is None, "it has ended"


def processes_below_us() -> list[int]:
    """Workers of this test, the sandboxes around them first."""
    return processes_below(os.getpid())[:1]
