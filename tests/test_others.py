"""A ratio taken while other programs had the machine decides nothing."""

from pathlib import Path

import pytest

from wiki_tools.worker.timing.others import Others, machine_seconds


class Counters:
    """A machine whose counters a test moves."""

    def __init__(self) -> None:
        self.work: float | None = 100.0
        self.own = 10.0
        self.now = 0.0

    def watch(self, *, threads: int = 2, cores: int = 2) -> Others:
        return Others(
            threads=threads,
            cores=cores,
            machine=lambda: self.work,
            own=lambda: self.own,
            clock=lambda: self.now,
        )

    def run(self, seconds: float, *, own: float, others: float) -> None:
        self.now += seconds
        self.own += own * seconds
        if self.work is not None:
            self.work += (own + others) * seconds


def test_own_work_is_nobody_elses() -> None:
    counters = Counters()
    others = counters.watch()
    counters.run(2.0, own=2.0, others=0.0)
    assert others.taken() == pytest.approx(0.0)


def test_a_core_in_other_hands_is_seen() -> None:
    counters = Counters()
    others = counters.watch()
    counters.run(2.0, own=1.0, others=1.0)
    assert others.taken() == pytest.approx(1.0)


def test_cores_that_are_left_free_are_anybodys() -> None:
    counters = Counters()
    others = counters.watch(threads=2, cores=8)
    counters.run(2.0, own=2.0, others=5.0)
    assert others.taken() == 0.0


def test_a_machine_that_does_not_say_is_taken_as_quiet() -> None:
    counters = Counters()
    counters.work = None
    others = counters.watch()
    counters.run(2.0, own=1.0, others=1.0)
    assert others.taken() == 0.0


@pytest.mark.parametrize("text", ["", "cpu", "cpu a b c d e f g h", "intr 1 2 3"])
def test_strange_counters_say_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "stat").write_text(text)
    assert machine_seconds(tmp_path / "stat") is None
    assert machine_seconds(tmp_path / "gone") is None


def test_counters_are_read_in_seconds(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text("cpu  100 100 100 999 999 100 100 100 0 0\ncpu0 1\n")
    assert machine_seconds(tmp_path / "stat") == pytest.approx(6.0)
