"""How far a measured ratio can be trusted: on identical code, and on work of known size."""

import contextlib
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wiki_tools.config import read_config
from wiki_tools.measure import summarize
from wiki_tools.protocol import Cell, Cells, Job, Pairing, Samples
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.stats import Interval

TRIALS = int(os.environ.get("TRIALS", "100"))
"""Comparisons of each kind of code; `TRIALS=10` for a first look."""
BUDGET = 0.4
"""Seconds of timing in a comparison; a tenth of the trials go to tools that take many more."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Code to time: what is made ready, and one statement that gives `y`."""

    setup: str
    statement: str


SAME = {
    "8 µs operation": Code(setup="import torch\nx = torch.ones(64, 64)", statement="y = x + x"),
    "1 ms matmul": Code(setup="import torch\nx = torch.rand(384, 384)", statement="y = x @ x"),
    "Python loop": Code(setup="n = 3000", statement="y = sum(i * i for i in range(n))"),
}
UNIT = "from itertools import repeat\nnumbers = tuple(range(200))"
WORK = "for _ in repeat(None, {}):\n    y = sum(numbers)"
"""Sums of which each is the same work; one side makes more of them, and both give the same.

A longer loop of single additions is not as much longer as it has more of them: timeit says 10.5
for ten times as many.
"""
STEPS = 100
RATIOS = (1.02, 1.05, 1.5, 2.0, 10.0)


def print_table() -> None:
    """Print how often intervals hold the ratio that is known, beside other tools' ratios."""
    console = Console()
    with executor() as local, neighbour():
        console.print(same_code(local))
        console.print(known_ratios(local))
        console.print(other_tools())


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


def measure(local: LocalExecutor, baseline: Code, candidate: Code, trial: int) -> Interval:
    """Compare two pieces of code as `wiki verify` does."""
    pairing = Pairing(against="baseline", candidate=cells(candidate), baseline=cells(baseline))
    frameworks = ("torch",) if "torch" in baseline.setup else ()
    job = Job(
        snippet=f"trial{trial}",
        cells=cells(candidate),
        pairings=(pairing,),
        frameworks=frameworks,
        budget=BUDGET,
        seed=trial,
    )
    (outcome,) = local.run([job])
    (samples,) = outcome.samples
    return interval_of(samples)


def interval_of(samples: Samples) -> Interval:
    """The ratio of samples; there must be one."""
    seen = summarize(samples)
    assert seen.ratio is not None, seen.invalid or "too few samples"
    return seen.ratio


def cells(code: Code) -> Cells:
    """A program of set-up and timed statement."""
    return (
        Cell(role="setup", code=code.setup, path="page.md"),
        Cell(role="pattern", code=code.statement, path="page.md", line=9, timed=True),
    )


def same_code(local: LocalExecutor) -> Table:
    """A against A: 95% of the intervals should hold 1.0."""
    columns = ("identical code", "trials", "intervals with 1.0", "median half-width", "s each")
    table = Table(*columns, title="measuring: A against A, a neighbour on and off")
    held = []
    for name, code in SAME.items():
        start = time.perf_counter()
        found = [measure(local, code, code, trial) for trial in range(TRIALS)]
        each = (time.perf_counter() - start) / TRIALS
        held += [interval.low <= 1 <= interval.high for interval in found]
        share = statistics.mean(held[-TRIALS:])
        width = statistics.median(interval.half_width for interval in found)
        table.add_row(name, f"{TRIALS}", f"{share:.0%}", f"{width:.2%}", f"{each:.2f}")
    table.add_row("all", f"{len(held)}", f"{statistics.mean(held):.1%}", "", "")
    return table


def known_ratios(local: LocalExecutor) -> Table:
    """A candidate that does a known multiple less work."""
    columns = ("true ratio", "trials", "intervals with it", "told from 1.0", "median half-width")
    table = Table(*columns, title="measuring: known ratios, a neighbour on and off")
    for ratio in RATIOS:
        less = Code(setup=UNIT, statement=WORK.format(STEPS))
        more = Code(setup=UNIT, statement=WORK.format(round(STEPS * ratio)))
        found = [measure(local, more, less, trial) for trial in range(TRIALS)]
        table.add_row(
            f"{ratio}",
            f"{TRIALS}",
            f"{statistics.mean(i.low <= ratio <= i.high for i in found):.0%}",
            f"{statistics.mean(i.low > 1 for i in found):.0%}",
            f"{statistics.median(i.half_width for i in found):.2%}",
        )
    return table


def other_tools() -> Table:
    """The ratio of medians that other tools give for identical code."""
    columns = ("tool", "trials", "off by over 2%", "off by over 10%", "worst", "s each")
    table = Table(*columns, title="measuring: the same code in other tools, ratio of medians")
    few = max(TRIALS // 10, 3)
    order = random.Random(0)
    for name, (module, ratio) in TOOLS.items():
        if importlib.util.find_spec(module) is None:
            table.add_row(name, "0", escape("not installed: pip install '.[bench]'"))
            continue
        start = time.perf_counter()
        found = [ratio(order.choice(list(SAME.values()))) for _ in range(few)]
        each = (time.perf_counter() - start) / few
        change = [max(r, 1 / r) - 1 for r in found]
        shares = [f"{statistics.mean(c > limit for c in change):.0%}" for limit in (0.02, 0.10)]
        table.add_row(name, f"{few}", *shares, f"{max(change):.0%}", f"{each:.1f}")
    return table


def with_torch(code: Code) -> float:
    """`torch.utils.benchmark`, one side after the other."""
    script = (
        "import torch, torch.utils.benchmark as b\n"
        f"t = b.Timer({code.statement!r}, {code.setup!r})\n"
        "print(*(t.blocked_autorange(min_run_time=0.2).median for _ in range(2)))"
    )
    return divided(python("-c", script).split())


def with_pyperf(code: Code) -> float:
    """`pyperf timeit`, one side after the other, in its fast mode."""
    medians = []
    with TemporaryDirectory() as folder:
        for side in ("a", "b"):
            file = f"{folder}/{side}.json"
            options = ("--fast", "-q", "-o", file, "--setup", code.setup, code.statement)
            python("-m", "pyperf", "timeit", *options)
            runs = json.loads(Path(file).read_text(encoding="utf-8"))["benchmarks"][0]["runs"]
            medians.append(statistics.median(v for run in runs for v in run.get("values", ())))
    return divided(medians)


def with_pytest_benchmark(code: Code) -> float:
    """`pytest-benchmark`, both sides as tests of one file."""
    lines = [*code.setup.split("\n"), "def work():", f"    {code.statement}", "    return y"]
    for side in "ab":
        lines += [f"def test_{side}(benchmark):", "    benchmark(work)"]
    with TemporaryDirectory() as folder:
        Path(folder, "test_it.py").write_text("\n".join(lines), encoding="utf-8")
        file = Path(folder, "out.json")
        python("-m", "pytest", "-q", "--rootdir", folder, folder, f"--benchmark-json={file}")
        rows = json.loads(file.read_text(encoding="utf-8"))["benchmarks"]
    return divided([row["stats"]["median"] for row in rows])


TOOLS: dict[str, tuple[str, Callable[[Code], float]]] = {
    "torch.utils.benchmark": ("torch", with_torch),
    "pytest-benchmark": ("pytest_benchmark", with_pytest_benchmark),
    "pyperf": ("pyperf", with_pyperf),
}
"""Tool to the module that it is, and what it says of a piece of code against itself."""


def divided(pair: Sequence[str] | Sequence[float]) -> float:
    """The ratio of two medians."""
    first, second = map(float, pair)
    return first / second


def python(*arguments: str) -> str:
    """Run Python; gives what it prints."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | threads,
    )
    return done.stdout
