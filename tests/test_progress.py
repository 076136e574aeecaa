"""Progress says what is, guesses the rest from what is known, and stays out of the output."""

import io
import sys
import threading

import pytest

from wiki_tools.cli import progress
from wiki_tools.cli.progress import Tally, spell_seconds, told_progress
from wiki_tools.protocol import Job
from wiki_tools.runner.step import Step


class FakeClock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def make_tally(**weights: float) -> tuple[Tally, FakeClock]:
    clock = FakeClock()
    tally = Tally(names={"a": "A.md#p01"}, at_once=2, clock=clock)
    tally.watch(Step(kind="ran", total=4, weights=weights))
    return tally, clock


def give(tally: Tally, *names: str) -> None:
    for name in names:
        tally.given(Job(snippet=name, cells=()))


def test_what_runs_is_named_as_people_know_it_and_as_many_as_run() -> None:
    tally, _ = make_tally()
    give(tally, "a", "b\x1b", "c")
    assert tally.line() == "0 of 4 run; now A.md#p01, b\\x1b"
    tally.watch(Step(kind="ran", snippet="a"))
    assert tally.line().endswith("; now b\\x1b, c")


def test_time_left_goes_by_how_long_each_took_before() -> None:
    tally, clock = make_tally(a=1, b=1, c=10, d=8)
    assert tally.left() is None
    clock.now += 2
    tally.watch(Step(kind="ran", snippet="a"))
    tally.watch(Step(kind="ran", snippet="b"))
    assert tally.left() == pytest.approx(18)
    assert tally.line() == "2 of 4 run, about 18 s left"


def test_what_nobody_knows_takes_as_long_as_the_mean() -> None:
    tally, clock = make_tally()
    clock.now += 6
    tally.watch(Step(kind="ran", snippet="a"))
    assert tally.left() == pytest.approx(18)


def test_what_runs_on_and_on_is_not_like_the_others() -> None:
    tally, clock = make_tally()
    clock.now += 6
    for name in "abc":
        tally.watch(Step(kind="ran", snippet=name))
    assert tally.line() == "3 of 4 run, about 2 s left"
    clock.now += 60
    assert tally.line() == "3 of 4 run"


def test_measuring_counts_anew_and_what_ran_is_kept() -> None:
    tally, clock = make_tally()
    for name in "abcd":
        tally.watch(Step(kind="ran", snippet=name))
    assert tally.line() == ""
    clock.now += 100
    tally.watch(Step(kind="measured", total=3, weights={"a": 10, "b": 30}))
    assert tally.line() == "0 of 3 measured, about 40 s left"
    clock.now += 10
    tally.watch(Step(kind="measured", snippet="a", ended=2))
    assert tally.line() == "2 of 3 measured, about 30 s left"
    assert tally.ended == 4


def test_the_first_measurement_of_many_does_not_decide_how_long_all_take() -> None:
    tally, clock = make_tally()
    weights = {str(number): 0.2 for number in range(50)}
    tally.watch(Step(kind="measured", total=50, weights=weights, rounds_left=3, later=30))
    clock.now += 3  # torch is imported
    tally.watch(Step(kind="measured", snippet="0"))
    left = tally.left()
    assert left is not None
    assert 40 < left < 60


def test_what_takes_longer_than_it_was_taken_for_makes_the_rest_longer() -> None:
    tally, clock = make_tally()
    weights = {"a": 100.0, "b": 100.0}
    tally.watch(Step(kind="measured", total=2, weights=weights, rounds_left=1, later=200))
    clock.now += 300
    tally.watch(Step(kind="measured", snippet="a"))
    left = tally.left()
    assert left is not None
    assert 800 < left < 900


def test_each_round_says_which_it_is() -> None:
    tally, _ = make_tally()
    for number in (1, 2):
        step = Step(kind="measured", total=3, round=number, rounds_left=2 - number)
        tally.watch(step)
        assert tally.line().startswith(f"round {number}: 0 of 3 measured")
    assert "to come" not in tally.line()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1 s"), (59.4, "59 s"), (61, "1 min"), (3540, "59 min"), (7500, "2 h 5 min")],
)
def test_time_is_said_as_people_say_it(seconds: float, text: str) -> None:
    assert spell_seconds(seconds) == text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["log", "terminal"])
def test_progress_goes_to_standard_error_only(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tally, _ = make_tally()
    give(tally, "a", "매" * 200)
    written = threading.Event()
    write = stream.write

    def spy(text: str) -> int:
        written.set()
        return write(text)

    monkeypatch.setattr(stream, "write", spy)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "EVERY", 0.01)
    monkeypatch.setattr(progress, "REFRESH", 0.01)
    with told_progress(tally):
        assert written.wait(30)
    text = stream.getvalue()
    assert "0 of 4 run; now A.md#p01, 매" in text
    if stream.isatty():
        assert "…" in text  # one line of the terminal, whatever the names
        assert text.endswith("\r\x1b[K")  # and nothing of it stays
    assert capsys.readouterr().out == ""


def test_nothing_is_said_where_it_is_done_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    tally, _ = make_tally()
    with told_progress(tally):
        pass
    assert capsys.readouterr() == ("", "")
