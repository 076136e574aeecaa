"""How far a measured ratio can be trusted: on identical code, and on work of known size."""

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from benchmarks.timers import TIMERS, Code, Timer
from wiki_tools.config import Config, read_config
from wiki_tools.measure import add_round, summarize
from wiki_tools.protocol import Cell, Cells, Job, Pairing, Samples
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.stats import Interval

TRIALS = int(os.environ.get("TRIALS", "60"))
"""Comparisons of identical code, and as many of known ratios; `TRIALS=300` for figures."""


def _default(setting: str) -> float:
    (found,) = (field.default for field in fields(Config) if field.name == setting)
    assert isinstance(found, int | float)
    return found


BUDGET = _default("budget")
"""Seconds of timing in a comparison, all rounds together, as `wiki verify` has them."""
ROUNDS = int(_default("rounds"))
"""As many as `wiki verify` takes, where no claim stays open."""
LOAD = """
import random, sys, time
order = random.Random(int(sys.argv[1]))
while True:
    end = time.perf_counter() + order.uniform(0.05, 1.0)
    while time.perf_counter() < end:
        sum(range(1000))
    time.sleep(order.uniform(0.05, 1.0))
"""
"""A neighbour that takes a core, on and off."""

SAME = {
    "8 µs operation": Code(setup="import torch\nx = torch.ones(64, 64)", statement="y = x + x"),
    "1 ms matmul": Code(setup="import torch\nx = torch.rand(384, 384)", statement="y = x @ x"),
    "Python loop": Code(setup="n = 3000", statement="y = sum(i * i for i in range(n))"),
}
REPEAT = "from itertools import repeat\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Work of which one side does more, and both give the same.

    `repeat` gives each unit the same: `range` makes a new integer beyond 256, so that ten times
    as many took 10.3 times as long.
    """

    setup: str
    statement: str
    steps: int = 100
    """Units of the faster side; of long ones, few."""

    def times(self, count: float) -> Code:
        """Code that does it so many times."""
        loop = f"for _ in repeat(None, {round(count)}):\n    {self.statement}"
        return Code(setup=REPEAT + self.setup, statement=loop)


UNITS = {
    "Python sums": Unit(setup="numbers = tuple(range(200))", statement="y = sum(numbers)"),
    "products": Unit(setup="import torch\nx = torch.rand(48, 48)", statement="y = x @ x"),
    "sums of 4 MB": Unit(
        setup="import numpy\nx = numpy.random.rand(500_000)", statement="y = x.sum()", steps=2
    ),
    "sums of 8 MB": Unit(
        setup="import numpy\nx = numpy.random.rand(1_000_000)", statement="y = x.sum()", steps=2
    ),
}
RATIOS = (1.02, 1.05, 1.5, 2.0, 10.0)
KNOWN = [(r, name) for r in RATIOS for name, unit in UNITS.items() if (r * unit.steps).is_integer()]

T = TypeVar("T")


def print_table() -> None:
    """Print how often intervals hold the ratio that is known, beside other tools' ratios."""
    console = Console()
    with executor() as local, neighbour():
        console.print(known_ratios(local))
        console.print(same_code(local))


@contextlib.contextmanager
def executor() -> Iterator[LocalExecutor]:
    """What `wiki verify` runs measurements in."""
    with TemporaryDirectory() as folder:
        Path(folder, "docs").mkdir()
        with LocalExecutor(read_config(Path(folder, "docs")), jobs=1) as local:
            yield local


@contextlib.contextmanager
def neighbour() -> Iterator[None]:
    """Have another process load a core at random meanwhile."""
    process = subprocess.Popen([sys.executable, "-c", LOAD, "1"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def watched(trials: Iterable[T], count: int, name: str) -> Iterable[T]:
    """Show on standard error how far they are."""
    return track(trials, name, total=count, console=Console(stderr=True), transient=True)


def measure(local: LocalExecutor, baseline: Code, candidate: Code, trial: int) -> Interval:
    """Compare two pieces of code as `wiki verify` does."""
    pairing = Pairing(against="baseline", candidate=cells(candidate), baseline=cells(baseline))
    frameworks = ("torch",) if "torch" in baseline.setup else ()
    job = Job(
        snippet=f"trial{trial}",
        cells=cells(candidate),
        pairings=(pairing,),
        frameworks=frameworks,
        budget=BUDGET / ROUNDS,
    )
    joined: Samples | None = None
    for number in range(ROUNDS):
        (outcome,) = local.run([replace(job, seed=trial * ROUNDS + number)])
        joined = add_round(joined, outcome.samples[0])
    assert joined is not None
    seen = summarize(joined)
    assert seen.ratio is not None, seen.invalid or "too few rounds"
    return seen.ratio


def cells(code: Code) -> Cells:
    """A program of set-up and timed statements."""
    return (
        Cell(role="setup", code=code.setup, path="page.md"),
        Cell(role="pattern", code=code.statement, path="page.md", line=9, timed=True),
    )


def same_code(local: LocalExecutor) -> Table:
    """A against A: ours with its intervals, then what other tools say."""
    columns = ("tool", "code", "trials", "hold 1.0", "half-width")
    more = ("off >5%", "off >10%", "worst", "s each")
    title = f"measuring: A against A, a neighbour on and off; goals: {GOALS}"
    table = Table(*columns, *more, title=title)
    everything: list[Interval] = []
    count = max(TRIALS // len(SAME), 1)
    for name, code in SAME.items():
        start = time.perf_counter()
        trials = watched(range(count), count, name)
        found = [measure(local, code, code, trial) for trial in trials]
        each = (time.perf_counter() - start) / count
        everything += found
        table.add_row("wiki verify", name, *told(found), f"{each:.2f}")
    table.add_row("wiki verify", "all", *told(everything), "", end_section=True)
    for timer in TIMERS:
        table.add_row(*other_tool(timer))
    return table


GOALS = "91-98% of the intervals, half-width at most 2%, 1 s each"


def told(found: Sequence[Interval]) -> list[str]:
    """Say how often intervals hold 1.0, and how far estimates are from it."""
    held = statistics.mean(interval.low <= 1 <= interval.high for interval in found)
    width = statistics.median(interval.half_width for interval in found)
    off = misled([interval.estimate for interval in found])
    return [f"{len(found)}", f"{held:.1%}", f"{width:.2%}", *off]


def misled(ratios: Sequence[float]) -> list[str]:
    """Say how often ratios that are 1 look like a change, and how large a one at worst."""
    change = [max(ratio, 1 / ratio) - 1 for ratio in ratios]
    shares = [f"{statistics.mean(c > limit for c in change):.0%}" for limit in (0.05, 0.10)]
    return [*shares, f"{max(change):.0%}"]


def other_tool(timer: Timer) -> list[str]:
    """The row of another tool: each kind of code in turn."""
    if not timer.is_there:
        return [timer.name, escape("not there: pip install '.[bench]'"), "0"]
    count = max(TRIALS // timer.share, 1)
    codes = list(SAME.values())
    start = time.perf_counter()
    trials = watched(range(count), count, timer.name)
    found = [timer.ratio(codes[trial % len(codes)]) for trial in trials]
    each = (time.perf_counter() - start) / count
    return [timer.name, "all, in turn", f"{count}", "", "", *misled(found), f"{each:.1f}"]


def known_ratios(local: LocalExecutor) -> Table:
    """A candidate that does a known multiple less work."""
    columns = ("ratio", "of", "trials", "hold it", "exclude 1.0")
    title = "measuring: known ratios, a neighbour on and off; goals: 93%, and 1.05 told in 90%"
    table = Table(*columns, "half-width", "estimate", title=title)
    held: list[bool] = []
    count = max(TRIALS // len(KNOWN), 1)
    for ratio, name in KNOWN:
        unit = UNITS[name]
        less, more = unit.times(unit.steps), unit.times(unit.steps * ratio)
        trials = watched(range(count), count, f"{ratio} of {name}")
        found = [measure(local, more, less, trial) for trial in trials]
        right = [interval.low <= ratio <= interval.high for interval in found]
        held += right
        table.add_row(
            f"{ratio}",
            name,
            f"{count}",
            f"{statistics.mean(right):.0%}",
            f"{statistics.mean(i.low > 1 for i in found):.0%}",
            f"{statistics.median(i.half_width for i in found):.2%}",
            f"{statistics.median(i.estimate for i in found):.4g}",
        )
    table.add_row("all", "", f"{len(held)}", f"{statistics.mean(held):.1%}", "", "", "")
    return table
