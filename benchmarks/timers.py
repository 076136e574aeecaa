"""Other tools that time code, each as its documentation shows, on the same code twice.

https://docs.pytorch.org/docs/stable/benchmark_utils.html, https://pyperf.readthedocs.io,
https://pytest-benchmark.readthedocs.io. They time one side after the other, and publish a median
of each; whoever compares divides one by the other.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Code to time: what is made ready, and statements of which the last gives `y`."""

    setup: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A tool, and the ratio that it gives of a piece of code over itself."""

    name: str
    module: str
    """Without which it is not there."""
    ratio: Callable[[Code], float]
    share: int
    """It gets one in so many trials, since it takes so long."""

    @property
    def is_there(self) -> bool:
        """Say whether it is installed."""
        return find_spec(self.module) is not None


def with_torch(code: Code) -> float:
    """`torch.utils.benchmark`, one side after the other."""
    script = (
        "import torch.utils.benchmark as b\n"
        f"t = b.Timer({code.statement!r}, {code.setup!r})\n"
        "print(*(t.blocked_autorange(min_run_time=0.2).median for _ in range(2)))"
    )
    return divided([float(word) for word in python("-c", script).split()])


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


TIMERS = (
    Timer(name="torch.utils.benchmark", module="torch", ratio=with_torch, share=3),
    Timer(name="pytest-benchmark", module="pytest_benchmark", ratio=with_pytest_benchmark, share=6),
    Timer(name="pyperf", module="pyperf", ratio=with_pyperf, share=15),
)


def divided(pair: Sequence[float]) -> float:
    """The ratio of two medians."""
    first, second = pair
    return first / second


def python(*arguments: str) -> str:
    """Run Python with one thread, as our own measurements run; gives what it prints."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | threads,
    )
    return done.stdout
