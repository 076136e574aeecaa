"""A card that works in the background, has a cache and an allocator, is measured as it is."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cards import CACHE, FakeCard, FakeClock
from wiki_tools.probes.cuda import SWEPT, UNKNOWN, Cuda
from wiki_tools.protocol import OFF_CARD, Cell, Cells, Conditions, Job, Pairing, Samples
from wiki_tools.stats import ratio_interval
from wiki_tools.worker.child import run_program
from wiki_tools.worker.program import Namespace, make_namespace
from wiki_tools.worker.timing import crew, time_pairings
from wiki_tools.worker.timing.conditions import attention_kernels
from wiki_tools.worker.timing.device import Device, Host, find_device
from wiki_tools.worker.timing.settings import put_settings, take_settings

MIB = 1 << 20


class Deaf(Cuda):
    """A device of which somebody forgot that it must be waited for."""

    def synchronise(self) -> None:
        """Come back at once."""


@pytest.fixture
def card() -> FakeCard:
    return FakeCard(clock=FakeClock())


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: FakeCard) -> Callable[..., Samples]:
    """Time two programs on a card that `launch` tells what to do."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setenv("PATH", str(tmp_path))

    def run(
        baseline: str,
        candidate: str,
        setup: str = "",
        metric: str = "time",
        device: type[Cuda] = Cuda,
    ) -> Samples:
        def fresh(cells: Cells) -> Namespace:
            namespace = make_namespace(cells, folder=str(tmp_path), device="cuda")
            namespace.update(launch=card.launch, allocate=card.allocate, work=card.clock.work)
            namespace.update(rest=card.clock.sleep)
            return namespace

        pairing = Pairing(
            against="baseline",
            baseline=cells(baseline, setup),
            candidate=cells(candidate, setup),
            metric=metric,
        )
        job = Job(snippet="s", cells=(), pairings=(pairing,), device="cuda", budget=0.5)
        clock, cuda = card.clock, device(card.modules())
        (samples,) = time_pairings(job, fresh, clock, clock.cpu, lambda: 0, cuda)
        return samples

    return run


def cells(code: str, setup: str) -> Cells:
    return (
        Cell(role="setup", code=setup),
        Cell(role="pattern", code=code, path="page.md", line=7, timed=True),
    )


Duel = Callable[..., Samples]


def ratio(samples: Samples) -> float:
    assert samples.invalid == ""
    interval = ratio_interval(samples.baseline, samples.candidate)
    assert interval is not None
    return interval.estimate


def conditions(samples: Samples) -> Conditions:
    assert samples.conditions is not None
    return samples.conditions


# Waiting


def test_work_that_goes_on_in_the_background_is_waited_for(duel: Duel) -> None:
    assert ratio(duel("launch(1e-3); y = 5", "launch(5e-4); y = 5")) == pytest.approx(2, rel=0.01)


def test_without_waiting_the_same_work_would_read_as_equally_fast(duel: Duel) -> None:
    samples = duel("launch(1e-3); y = 5", "launch(5e-4); y = 5", device=Deaf)
    assert ratio(samples) == pytest.approx(1, rel=0.01)


def test_the_first_call_is_waited_for_as_well(duel: Duel) -> None:
    samples = duel("launch(0.3); y = 5", "launch(0.1); y = 5")
    assert samples.first_call == pytest.approx((0.3, 0.1), rel=0.01)


def test_work_on_another_stream_is_no_way_to_hide_it(duel: Duel) -> None:
    samples = duel("launch(1e-3); y = 5", "launch(1e-3, stream=7); y = 5")
    assert ratio(samples) == pytest.approx(1, rel=0.01)


def test_how_long_a_launch_and_a_wait_take_does_not_decide(duel: Duel) -> None:
    samples = duel("launch(4e-5); y = 5", "launch(1e-5); y = 5")
    assert ratio(samples) == pytest.approx(4, rel=0.01)
    assert samples.repeats[1] > samples.repeats[0] > 1


def test_calls_whose_inputs_are_restored_follow_each_other_too(duel: Duel) -> None:
    samples = duel(
        "launch(1e-4); xs.append(1); y = len(xs)",
        "launch(5e-5); xs.append(1); y = len(xs)",
        setup="xs = [1]",
    )
    assert ratio(samples) == pytest.approx(2, rel=0.03)  # one by one: 1.67


def test_a_baseline_that_sleeps_is_no_match_for_a_card(duel: Duel) -> None:
    samples = duel("rest(5e-3); launch(1e-3); y = 5", "launch(1e-3); y = 5")
    assert "the baseline waits" in samples.invalid


def test_waiting_for_a_card_is_no_sleep_however_it_is_done(duel: Duel, card: FakeCard) -> None:
    assert ratio(duel("launch(0.01); y = 5", "launch(5e-3); y = 5")) == pytest.approx(2, rel=0.01)
    card.spins = False
    samples = duel("launch(0.01); y = 5", "work(2e-3); y = 5")
    assert ratio(samples) == pytest.approx(5, rel=0.02)


# The cache


READ = "a = allocate(40 << 20)"


def test_no_call_finds_its_inputs_in_the_cache(duel: Duel) -> None:
    cold = 40 * MIB / 2e12
    samples = duel("launch(0.0, a); y = 5", f"launch({cold / 2}); y = 5", setup=READ)
    assert ratio(samples) == pytest.approx(2, rel=0.02)
    found = conditions(samples)
    assert (found.cache, found.flushed, found.copies) == (CACHE, SWEPT * CACHE, crew.MOST)
    assert found.held == 2 * crew.MOST * 40 * MIB


def test_a_single_copy_would_be_read_from_the_cache(
    duel: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "MOST", 1)
    cold = 40 * MIB / 2e12
    samples = duel("launch(0.0, a); y = 5", f"launch({cold / 2}); y = 5", setup=READ)
    assert ratio(samples) < 1
    assert conditions(samples).copies == 1
    monkeypatch.setattr(crew, "MOST", 1)
    long = duel("launch(2e-3, a); y = 5", f"launch({2e-3 + cold}); y = 5", setup=READ)
    assert ratio(long) == pytest.approx(1, rel=1e-3)  # a call a sample: cold by the flush


def test_the_cache_is_emptied_before_each_sample_and_outside_of_it(
    duel: Duel, card: FakeCard
) -> None:
    samples = duel("launch(3e-3); y = 5", "launch(3e-3); y = 5", setup=READ)
    assert samples.baseline[-1] == pytest.approx(3e-3, rel=0.02)
    assert card.flushes == 1
    assert card.waits > 2 * 2 * len(samples.baseline)


# Memory


def test_peak_memory_is_what_a_call_adds_at_most(duel: Duel) -> None:
    setup = "big = allocate(900 << 20); del big; a = allocate(64 << 20)"
    samples = duel(
        "t = allocate(8 << 20); u = allocate(8 << 20); y = 5",
        "u = allocate(4 << 20); y = 5",
        setup=setup,
        metric="memory",
    )
    assert samples.invalid == ""
    assert set(samples.baseline) == {16.0 * MIB}
    assert set(samples.candidate) == {4.0 * MIB}


def test_a_side_that_allocates_nothing_has_no_share(duel: Duel) -> None:
    samples = duel("t = allocate(8); del t; y = 5", "y = 5", metric="memory")
    assert "no memory that the candidate allocates" in samples.invalid


def test_copies_leave_half_of_the_memory_to_the_calls(duel: Duel, card: FakeCard) -> None:
    samples = duel(
        "t = allocate(20 << 30); launch(1e-3, a); del t; y = 5",
        "t = allocate(20 << 30); launch(1e-3, a); del t; y = 5",
        setup="a = allocate(10 << 30)",
    )
    assert samples.invalid == ""
    assert conditions(samples).copies == 2
    assert card.highest <= card.total


# What is noted


def test_what_nothing_tells_is_noted_as_absent(duel: Duel) -> None:
    found = conditions(duel("launch(1e-3); y = 5", "launch(5e-4); y = 5"))
    assert found.timer == "clock"
    assert found.clocks == {}
    assert found.attention == ("", "")


def test_clocks_are_noted_as_nvidia_smi_tells_them(duel: Duel, tmp_path: Path) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho '1980 MHz, 3201 MHz, 1980 MHz, 41, [N/A]'\n")
    program.chmod(0o755)
    found = conditions(duel("launch(1e-3); y = 5", "launch(5e-4); y = 5"))
    assert found.clocks == {
        "clocks.sm": "1980 MHz",
        "clocks.mem": "3201 MHz",
        "clocks.max.sm": "1980 MHz",
        "temperature.gpu": "41",
    }


def test_it_is_noted_which_side_used_the_card(duel: Duel) -> None:
    found = conditions(duel("work(1e-3); y = 5", "b = allocate(8); launch(1e-3, b); y = 5"))
    assert found.on_card == (False, True)


def test_a_card_that_nothing_has_used_takes_no_part(duel: Duel, card: FakeCard) -> None:
    card.started = False
    samples = duel("work(4e-3); y = 5", "work(2e-3); y = 5")
    assert ratio(samples) == pytest.approx(2)
    assert samples.conditions == Conditions(timer="clock")
    assert card.waits == card.flushes == 0


@pytest.mark.torch
def test_the_precision_that_each_side_asked_for_is_noted(duel: Duel) -> None:
    torch = pytest.importorskip("torch")
    before = take_settings()
    high = "torch.set_float32_matmul_precision('high')"
    try:
        samples = duel("launch(1e-3); y = 5", f"{high}; launch(5e-4); y = 5", setup="import torch")
        assert torch.get_float32_matmul_precision() == "highest"
    finally:
        put_settings(before)
    ours, theirs = conditions(samples).settings
    assert ours["float32_matmul_precision"] == "highest"
    assert theirs["float32_matmul_precision"] == "high"
    assert theirs["backends.cuda.matmul.fp32_precision"] == "tf32"


@pytest.mark.torch
def test_the_kernels_of_attention_that_ran_are_named() -> None:
    torch = pytest.importorskip("torch")
    attend = torch.nn.functional.scaled_dot_product_attention
    q = torch.ones(1, 2, 64, 16)
    choose, backends = torch.nn.attention.sdpa_kernel, torch.nn.attention.SDPBackend
    assert attention_kernels(lambda: attend(q, q, q)) == ["flash"]
    with choose(backends.MATH):
        assert attention_kernels(lambda: attend(q, q, q)) == ["math"]
    assert attention_kernels(lambda: q + q) == []


# Settings of a whole process


@pytest.mark.torch
@pytest.mark.parametrize(
    ("change", "asked", "usual"),
    [
        (
            "torch.set_float32_matmul_precision('high')",
            "torch.get_float32_matmul_precision()",
            "highest",
        ),
        (
            "torch.backends.cuda.matmul.allow_tf32 = True",
            "torch.backends.cuda.matmul.fp32_precision",
            "none",
        ),
        ("torch.set_grad_enabled(False)", "torch.is_grad_enabled()", True),
        ("torch.set_default_dtype(torch.float64)", "torch.get_default_dtype()", "torch.float32"),
        ("torch.set_default_device('meta')", "torch.get_default_device()", "cpu"),
        (
            "torch.use_deterministic_algorithms(True)",
            "torch.are_deterministic_algorithms_enabled()",
            False,
        ),
        ("torch.backends.cudnn.benchmark = True", "torch.backends.cudnn.benchmark", False),
        (
            "torch.backends.cuda.enable_flash_sdp(False)",
            "torch.backends.cuda.flash_sdp_enabled()",
            True,
        ),
    ],
)
def test_what_one_side_sets_the_other_does_not_compute_by(
    duel: Duel, monkeypatch: pytest.MonkeyPatch, change: str, asked: str, usual: object
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(crew, "MOST", 1)
    before = take_settings()
    torch.backends.cuda.matmul.fp32_precision = "none"  # whatever another test has left
    honest = f"import torch\nwork(4e-3)\ny = 1 if str({asked}) == {str(usual)!r} else 2"
    changed = f"import torch\n{change}\nwork(2e-3)\ny = 2 if str({asked}) == {str(usual)!r} else 1"
    try:
        assert ratio(duel(honest, changed)) == pytest.approx(2, rel=0.01)
        assert ratio(duel(changed, honest)) == pytest.approx(0.5, rel=0.01)
    finally:
        put_settings(before)


@pytest.mark.torch
def test_settings_are_those_of_before_the_page_ran(duel: Duel, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    before = take_settings()
    torch.set_float32_matmul_precision("high")  # as the page's own run has left it
    code = "import torch\nwork(4e-3)\ny = len(torch.get_float32_matmul_precision())"
    pairing = Pairing(against="baseline", baseline=cells(code, ""), candidate=cells(code, ""))
    job = Job(snippet="s", cells=(), pairings=(pairing,))
    clock, seen = FakeClock(), list[Namespace]()

    def fresh(cells: Cells) -> Namespace:
        seen.append(make_namespace(cells, folder=str(tmp_path)))
        seen[-1]["work"] = clock.work
        return seen[-1]

    try:
        list(time_pairings(job, fresh, clock, clock.cpu, lambda: 0, settings=before))
    finally:
        put_settings(before)
    assert {namespace["y"] for namespace in seen if "y" in namespace} == {len("highest")}


# The seam itself


def test_a_job_finds_its_device() -> None:
    assert isinstance(find_device("cpu"), Host)
    assert isinstance(find_device("cuda"), Cuda)
    devices: list[Device] = [Host(), Cuda({})]
    assert not any(device.in_use for device in devices)
    assert [device.flush() for device in devices] == [0, 0]


class FakeArrays:
    """JAX as much as the seam asks of it."""

    def __init__(self) -> None:
        self.waited: list[str] = []
        self.stats: dict[str, int] | None = {"bytes_in_use": 100, "peak_bytes_in_use": 900}
        self.zeros: list[int] = []

    def modules(self, backend: str = "gpu") -> dict[str, Any]:
        def wait(name: str) -> Any:
            return SimpleNamespace(block_until_ready=lambda: self.waited.append(name))

        def zeros(count: int, _dtype: str) -> Any:
            self.zeros.append(count)
            return wait("zeros")

        jax = SimpleNamespace(
            default_backend=lambda: backend,
            live_arrays=lambda: [wait("a"), wait("b")],
            local_devices=lambda: [SimpleNamespace(memory_stats=lambda: self.stats)],
            numpy=SimpleNamespace(zeros=zeros),
        )
        bridge = SimpleNamespace(backends_are_initialized=lambda: True)
        return {"jax": jax, "jax._src.xla_bridge": bridge}


def test_every_array_of_jax_is_waited_for() -> None:
    arrays = FakeArrays()
    Cuda(arrays.modules()).synchronise()
    assert arrays.waited == ["a", "b"]
    assert not Cuda(arrays.modules("cpu")).in_use


def test_a_cache_that_nobody_describes_is_flushed_with_much() -> None:
    arrays = FakeArrays()
    assert Cuda(arrays.modules()).flush() == SWEPT * UNKNOWN
    assert arrays.zeros == [SWEPT * UNKNOWN]


def test_a_peak_below_the_mark_of_jax_is_unknown() -> None:
    arrays = FakeArrays()
    cuda = Cuda(arrays.modules())
    assert cuda.peak(lambda: None) == 0

    def work() -> None:
        arrays.stats = {"bytes_in_use": 100, "peak_bytes_in_use": 1500}

    assert cuda.peak(work) == 1400
    arrays.stats = None
    assert cuda.peak(lambda: None) == 0


# What ran beside a card


def test_a_program_that_leaves_the_card_alone_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.delitem(sys.modules, "cupy", raising=False)

    def notes(device: str) -> tuple[str, ...]:
        job = Job(snippet="s", cells=(Cell(role="pattern", code="x = 1"),), device=device)
        return run_program(job, str(tmp_path), lambda _cell: None).notes

    assert notes("cpu") == ()
    assert notes("cuda") == (OFF_CARD,)
    monkeypatch.setitem(sys.modules, "cupy", sys)  # which is not asked what it did there
    assert notes("cuda") == ()


def test_what_has_used_the_card_is_not_said_to_have_left_it_alone(card: FakeCard) -> None:
    assert Cuda(card.modules()).untouched
    card.allocate(8)
    assert not Cuda(card.modules()).untouched
    assert not Cuda(FakeArrays().modules()).untouched
