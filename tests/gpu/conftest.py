"""Fixtures of the tests on a real card; where there is none, each is skipped and says why."""

import os
import statistics
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support import make_config
from wiki_tools.environment import Environment, describe_environment
from wiki_tools.errors import UsageError
from wiki_tools.protocol import Cell, Cells, Conditions, Job, Outcome, Pairing, Samples
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.stats import Interval, ratio_interval


@pytest.fixture(scope="session")
def environment() -> Environment:
    """The machine with its card."""
    try:
        return describe_environment("cuda")
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def torch(environment: Environment) -> Any:
    """Torch, which must compute on the card that nvidia-smi names; it is asked in a process."""
    if not environment.torch:
        pytest.skip("torch is not installed")
    import torch

    assert torch.cuda.is_available(), f"torch cannot use the {environment.device_name}"
    return torch


@pytest.fixture(scope="module")
def executor(environment: Environment) -> Iterator[LocalExecutor]:
    """What `wiki verify --device cuda` runs jobs with, the sandbox included."""
    with LocalExecutor(make_config(), jobs=1) as made:
        yield made


Run = Callable[..., Outcome]


@pytest.fixture
def run(executor: LocalExecutor) -> Run:
    """Run one program on the card."""

    def one(code: str, **fields: Any) -> Outcome:
        values = {"device": "cuda", "frameworks": ("torch",), "timeout": 120.0, **fields}
        job = Job(snippet="page#p01", cells=program(code), **values)
        (outcome,) = executor.run([job])
        return outcome

    return one


Measure = Callable[..., Samples]


@pytest.fixture
def measure(run: Run) -> Measure:
    """Measure two programs on the card as `wiki verify` does."""

    def one(
        baseline: str,
        candidate: str,
        setup: str = "",
        *,
        metric: str = "time",
        coarser: bool = False,
        **fields: Any,
    ) -> Samples:
        pairing = Pairing(
            against="baseline",
            baseline=program(baseline, setup),
            candidate=program(candidate, setup),
            metric=metric,
            coarser=coarser,
        )
        threads = len(os.sched_getaffinity(0))
        outcome = run("pass", pairings=(pairing,), threads=threads, **fields)
        (samples,) = outcome.samples
        return samples

    return one


def program(code: str, setup: str = "") -> Cells:
    """A program whose last cell is timed."""
    return (
        Cell(role="setup", code=setup or "pass"),
        Cell(role="pattern", code=code, path="docs/page.md", line=10, timed=True),
    )


def interval(samples: Samples) -> Interval:
    """The ratio that samples give; printed, so that a report of the tests holds the figures."""
    assert samples.invalid == ""
    found = ratio_interval(samples.baseline, samples.candidate)
    assert found is not None
    print(
        f"\n  {found.estimate:.4f}x ({found.low:.4f} to {found.high:.4f}), "
        f"{len(samples.baseline)} pairs of {samples.repeats} calls of "
        f"{statistics.median(samples.baseline) * 1e6:.1f} and "
        f"{statistics.median(samples.candidate) * 1e6:.1f} µs; {samples.conditions}"
    )
    return found


def conditions(samples: Samples) -> Conditions:
    """What was noted of the card."""
    assert samples.invalid == ""
    assert samples.conditions is not None
    return samples.conditions
