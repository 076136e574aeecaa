"""Says on standard error how far a verification is, what runs now and how long it will take."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import typer

from wiki_tools.errors import counted, printable
from wiki_tools.protocol import Job
from wiki_tools.runner.noise import NOISE
from wiki_tools.runner.step import Step

EVERY = 10.0
"""Seconds between lines where nobody sees them change: a log should not be all progress."""
REFRESH = 0.25
"""Seconds between looks at a terminal."""
TRUSTED = 10.0
"""Seconds for which a guess counts as if it had come true: the first to be measured waits until its
frameworks are imported, and says nothing of the rest."""
VERBS = {"ran": "run", "measured": "measured", "mutated": "changed"}


@dataclass(slots=True, kw_only=True)
class Tally:
    """What has ended, what runs, and what that says of the rest."""

    names: Mapping[str, str]
    """Snippet's id to what people know it by."""
    at_once: int
    """How many run at a time; an executor may have more in hand."""
    clock: Callable[[], float] = time.monotonic
    ended: int = 0
    """Snippets that have run, measurements apart: what is kept."""
    _step: Step = field(default_factory=lambda: Step(kind="ran", total=0))
    _since: float = 0.0
    _last: float = 0.0
    """When something ended."""
    _count: int = 0
    """What has ended of the step's total."""
    _spent: float = 0.0
    """Seconds that measuring has taken, in all rounds."""
    _guessed: float = 0.0
    """Seconds that the same was taken for."""
    _done: set[str] = field(default_factory=set)
    _in_hand: dict[str, None] = field(default_factory=dict)

    def watch(self, step: Step) -> None:
        """Take in what has happened."""
        if step.total is not None:
            self._step, self._since = step, self.clock()
            self._last, self._count = self._since, 0
            self._done, self._in_hand = set(), {}
            return
        self.ended += step.kind == "ran"
        self._count += step.ended
        before, self._last = self._last, self.clock()
        if step.kind == "measured":
            self._spent += self._last - before
            self._guessed += self._step.weights.get(step.snippet, 0.0)
        self._done.add(step.snippet)
        self._in_hand.pop(step.snippet, None)

    def given(self, job: Job) -> None:
        """Take in that a job was handed out; it runs after those that were before."""
        if job.snippet != NOISE:
            self._in_hand[job.snippet] = None

    def line(self) -> str:
        """Say it in a line; empty where there is nothing to do."""
        total = self._step.total or 0
        if self._count >= total:
            return ""
        text = f"{self._count:,} of {total:,} {VERBS[self._step.kind]}"
        rounds = self._step.rounds_left
        if rounds or self._step.round > 1:
            text = f"round {self._step.round}: {text}"
        if rounds:
            text += f", {counted(rounds, 'more round')} to come"
        if (left := self.left()) is not None:
            text += f", about {spell_seconds(left)} left"
        now = [self.names.get(key, key) for key in list(self._in_hand)[: self.at_once]]
        return printable(f"{text}; now {', '.join(now)}") if now else text

    def left(self) -> float | None:
        """Seconds that the rest will take, by what its like took; None while nobody knows.

        What runs for longer than that already is not like the others.
        """
        if self._step.kind == "measured":
            return self._left_to_measure()
        now = self.clock()
        weights = self._step.weights
        ended = frozenset(self._done)  # another thread goes on adding to it
        if not ended:
            return None
        known = [weights[key] for key in ended if weights.get(key)]
        mean = sum(known) / len(known) if known else 1.0
        done = sum(known) + mean * (len(ended) - len(known))
        waiting = (self._step.total or 0) - len(ended)
        rest = [weight for key, weight in weights.items() if weight and key not in ended]
        spent = now - self._since
        left = spent * (sum(rest) + mean * max(0, waiting - len(rest))) / done
        return None if now - self._last > left else left

    def _left_to_measure(self) -> float | None:
        """The same of measurements, all rounds of them: by what each was taken for."""
        ended = frozenset(self._done)  # another thread goes on adding to it
        pace = (self._spent + TRUSTED) / (self._guessed + TRUSTED)
        rest = sum(seconds for key, seconds in self._step.weights.items() if key not in ended)
        waited = self.clock() - self._last
        left = pace * rest - waited
        return None if left < 0 else left + pace * self._step.later


def spell_seconds(seconds: float) -> str:
    """A time as people say it: `40 s`, `3 min`, `2 h 5 min`."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def told_progress(tally: Tally) -> Iterator[None]:
    """Tell a tally's line until the end: in place on a terminal, else now and then."""
    ended = threading.Event()
    tell = _in_place if sys.stderr.isatty() else _in_lines
    teller = threading.Thread(target=tell, args=(tally, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _in_lines(tally: Tally, ended: threading.Event) -> None:
    while not ended.wait(EVERY):
        if line := tally.line():
            typer.echo(f"wiki: {line}", err=True)


def _in_place(tally: Tally, ended: threading.Event) -> None:
    shown = ""
    while not ended.wait(REFRESH):
        line = _fitted(tally.line(), shutil.get_terminal_size().columns - 1)
        if line != shown:
            typer.echo(f"\r\x1b[K{line}", err=True, nl=False)
            shown = line
    if shown:
        typer.echo("\r\x1b[K", err=True, nl=False)


def _fitted(line: str, columns: int) -> str:
    """As much of a line as a terminal shows in one; Korean takes two columns a letter."""
    from rich.cells import cell_len, set_cell_size

    return line if cell_len(line) <= columns else set_cell_size(line, columns - 1).rstrip() + "…"
