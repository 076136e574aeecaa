"""On a real card: identical code is equal, known ratios come out, and no lie does."""

import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.conftest import Measure, Run, conditions, interval, program
from tests.support import make_config
from wiki_tools.environment import Environment, folder_name, jax_uses_card
from wiki_tools.probes.cuda import SWEPT, Cuda
from wiki_tools.protocol import OFF_CARD, Job, Pairing, Status
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.noise import noise_floor, noise_job

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.usefixtures("torch"),
    pytest.mark.filterwarnings("default"),  # what a driver's libraries warn of is not ours
]

IMPORT = "import torch\nimport torch.nn.functional as F\n"
SQUARE = IMPORT + "a = torch.randn(2048, 2048, device='cuda', dtype=torch.float16)"
SMALL = IMPORT + "a = torch.randn(256, 256, device='cuda')"
QUERY = IMPORT + "q = torch.randn(4, 16, 1024, 64, device='cuda', dtype=torch.float16)"
MIB = 1 << 20


# It is the card that runs


def test_the_card_of_the_environment_is_the_one_that_computes(
    run: Run, environment: Environment
) -> None:
    code = (
        "import torch\n"
        f"assert torch.cuda.get_device_name() == {environment.device_name!r}\n"
        "found = torch.cuda.get_device_capability()\n"
        f"assert '.'.join(map(str, found)) == {environment.capability!r}\n"
        "assert torch.cuda.device_count() == 1"
    )
    outcome = run(code)
    print(f"\n  {folder_name(environment)}; held: {', '.join(outcome.held)}")
    assert (outcome.status, outcome.message) == (Status.PASSED, "")


def test_a_run_that_leaves_the_card_alone_says_so(run: Run) -> None:
    beside = run("import torch\nx = torch.ones(3) + 1")
    on_it = run("import torch\nx = torch.ones(3, device='cuda') + 1")
    assert beside.status is on_it.status is Status.PASSED
    assert OFF_CARD in beside.notes
    assert OFF_CARD not in on_it.notes


def test_a_fresh_interpreter_reaches_the_card_too(environment: Environment) -> None:
    job = Job(
        snippet="page#p01",
        cells=program("import torch\nassert float(torch.ones(3, device='cuda').sum()) == 3"),
        device="cuda",
        frameworks=("torch",),
        timeout=120.0,
    )
    with FreshExecutor(make_config(), jobs=1) as made:
        (outcome,) = made.run([job])
    assert (outcome.status, outcome.message) == (Status.PASSED, "")


def test_a_compiled_function_runs_on_the_card_or_says_what_is_missing(run: Run) -> None:
    code = (
        "import torch\nf = torch.compile(lambda x: torch.relu(x) * 2 + 1)\n"
        "x = torch.randn(1024, 1024, device='cuda')\ny = f(x)\nassert y.is_cuda"
    )
    outcome = run(code, frameworks=("torch", "torch.compile"), timeout=300.0)
    print(f"\n  {outcome.status} {outcome.message}")
    assert outcome.status in (Status.PASSED, Status.SKIPPED), outcome.message


# Identical code


@pytest.mark.parametrize(
    ("code", "setup"),
    [
        pytest.param("y = a + 1", SMALL, id="launch"),
        pytest.param("y = a @ a", SMALL, id="small product"),
        pytest.param("y = a @ a", SQUARE, id="product"),
        pytest.param("y = a * 2 + 1\ny = F.relu(y)\nz = y.sum()", SQUARE, id="memory"),
    ],
)
def test_identical_code_is_equally_fast(measure: Measure, code: str, setup: str) -> None:
    found = [interval(measure(code, code, setup, seed=seed)) for seed in range(8)]
    held = sum(one.low <= 1 <= one.high for one in found)
    width = statistics.median(one.half_width for one in found)
    print(f"\n  {held} of {len(found)} intervals hold 1.0; median half-width {width:.2%}")
    assert held >= 6  # of 8 at 95% each: fewer come by chance in one run of 200
    assert width <= 0.02


def test_the_noise_floor_of_a_run_is_small(executor: LocalExecutor) -> None:
    pairing = Pairing(against="baseline", baseline=(), candidate=())
    like = Job(snippet="s", cells=(), pairings=(pairing,), device="cuda", frameworks=("torch",))
    job = noise_job([like])
    assert job is not None
    (outcome,) = executor.run([job])
    floor = noise_floor([outcome])
    print(f"\n  {floor:.2%}")
    assert floor < 0.05


# Known ratios


@pytest.mark.parametrize(("more", "less"), [(21, 20), (3, 2), (2, 1), (10, 1)])
def test_a_known_ratio_comes_out(measure: Measure, more: int, less: int) -> None:
    work = "for _ in range({}): y = a @ a"
    found = interval(measure(work.format(more), work.format(less), SQUARE))
    assert found.estimate == pytest.approx(more / less, rel=0.03)


def test_more_bytes_take_longer_in_proportion(measure: Measure) -> None:
    setup = IMPORT + "a = torch.randn(256 << 20, device='cuda')"
    half = "y = a[: 128 << 20].sum(); y = a.sum()"
    found = interval(measure(half, "y = a.sum()", setup))
    assert found.estimate == pytest.approx(1.5, rel=0.05)


# Lies


def test_leaving_out_the_wait_is_no_speedup(measure: Measure) -> None:
    waits = "y = a @ a\ntorch.cuda.synchronize()"
    leaves = "y = a @ a"
    setup = SQUARE.replace("2048", "8192")
    assert interval(measure(waits, leaves, setup)).estimate == pytest.approx(1, abs=0.03)


def test_without_a_wait_the_same_code_would_seem_much_faster(torch: Any) -> None:
    import time

    a = torch.randn(8192, 8192, device="cuda", dtype=torch.float16)
    seconds = {}
    for wait in (True, False, True, False):
        torch.cuda.synchronize()
        start = time.perf_counter()
        a @ a
        if wait:
            torch.cuda.synchronize()
        seconds[wait] = time.perf_counter() - start
    print(f"\n  {seconds[True] / seconds[False]:.0f}x, and nothing is faster")
    assert seconds[True] > 3 * seconds[False]


def test_work_on_another_stream_is_counted(measure: Measure) -> None:
    setup = SQUARE.replace("2048", "8192") + "\nside = torch.cuda.Stream()"
    aside = "with torch.cuda.stream(side):\n    y = a @ a"
    assert interval(measure("y = a @ a", aside, setup)).estimate == pytest.approx(1, abs=0.05)


def test_another_dtype_is_no_speedup(measure: Measure) -> None:
    samples = measure("y = a.float() @ a.float()", "y = a @ a", SQUARE)
    assert "dtype" in samples.invalid


def test_a_wrong_answer_is_no_speedup(measure: Measure) -> None:
    assert "differ" in measure("y = a @ a", "y = a + a", SQUARE).invalid


# The cache


def test_a_cache_that_was_flushed_is_read_from_memory(torch: Any) -> None:
    cuda = Cuda()
    torch.ones(1, device="cuda")  # starts it
    assert cuda.cache > MIB
    x = torch.randn(cuda.cache // 8, device="cuda")  # half of it
    times: dict[str, list[float]] = {"cold": [], "warm": []}
    for _ in range(50):
        cuda.flush()
        for name in ("cold", "warm"):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda.synchronize()
            torch.cuda._sleep(200_000)  # so that the launch waits for nothing
            begin.record()
            x.sum()
            end.record()
            torch.cuda.synchronize()
            times[name].append(begin.elapsed_time(end) * 1e3)
    cold, warm = (statistics.median(times[name]) for name in ("cold", "warm"))
    print(f"\n  {cuda.cache >> 20} MiB of cache: {cold:.1f} µs cold, {warm:.1f} µs warm")
    assert cold > warm


def test_no_call_finds_its_inputs_in_the_cache(measure: Measure, torch: Any) -> None:
    size = torch.cuda.get_device_properties(0).L2_cache_size // 8
    setup = IMPORT + f"a = torch.randn({size}, device='cuda')"
    samples = measure("y = a * 2", "y = a + a", setup)
    interval(samples)
    found = conditions(samples)
    assert found.flushed == SWEPT * found.cache
    assert found.copies > 1
    assert found.held / 2 > found.cache


# Memory


def test_peak_memory_is_what_the_allocator_says(measure: Measure) -> None:
    setup = (
        IMPORT + "a = torch.ones(16 << 20, device='cuda')\nspare = torch.ones_like(a); del spare"
    )
    samples = measure("t = a * 2; y = t + 1", "y = a * 3", setup, metric="memory")
    assert samples.invalid == ""
    assert set(samples.candidate) == {64.0 * MIB}
    assert set(samples.baseline) == {128.0 * MIB}


def test_attention_that_is_written_out_takes_the_memory_of_its_scores(measure: Measure) -> None:
    written = "s = torch.softmax(q @ q.transpose(-1, -2) / 8, -1)\ny = s @ q"
    fused = "y = F.scaled_dot_product_attention(q, q, q)"
    samples = measure(written, fused, QUERY, metric="memory")
    assert samples.invalid == ""
    assert min(samples.baseline) >= 4 * 16 * 1024 * 1024 * 2
    assert max(samples.candidate) < min(samples.baseline) / 4


# What is noted


def test_tf32_is_noted_and_asked_for_by_one_side_only(
    measure: Measure, environment: Environment
) -> None:
    setup = IMPORT + "a = torch.randn(4096, 4096, device='cuda')"
    samples = measure(
        "y = a @ a",
        "torch.set_float32_matmul_precision('high')\ny = a @ a",
        setup,
        coarser=True,
    )
    found = interval(samples)
    ours, theirs = conditions(samples).settings
    assert ours["float32_matmul_precision"] == "highest"
    assert theirs["float32_matmul_precision"] == "high"
    if int(environment.capability.partition(".")[0]) >= 8:
        assert found.low > 1.1


def test_the_kernel_of_attention_is_noted(measure: Measure) -> None:
    setup = QUERY + "\nfrom torch.nn.attention import SDPBackend, sdpa_kernel"
    plain = "with sdpa_kernel(SDPBackend.MATH):\n    y = F.scaled_dot_product_attention(q, q, q)"
    samples = measure(plain, "y = F.scaled_dot_product_attention(q, q, q)", setup)
    interval(samples)
    ours, theirs = conditions(samples).attention
    assert ours == "math"
    assert theirs in ("flash", "cudnn", "efficient")


def test_clocks_are_noted_as_the_driver_tells_them(measure: Measure) -> None:
    found = conditions(measure("y = a @ a", "y = a @ a", SQUARE))
    print(f"\n  {found.clocks or 'nvidia-smi tells a sandboxed process nothing'}")
    assert all(value.endswith("MHz") for name, value in found.clocks.items() if "clocks" in name)


def test_the_roof_of_the_card_is_not_that_of_a_processor(run: Run) -> None:
    code = (
        "import torch\nfrom wiki_tools.probes import bound, roof\n"
        "x = torch.randn(4096, 4096, device='cuda', dtype=torch.float16)\n"
        "found = roof('float16')\nprint(found)\n"
        "assert found.bandwidth > 1e11 and found.compute > 1e12\n"
        "assert bound(torch.relu, x) == 'memory'\nassert bound(torch.mm, x, x) == 'compute'"
    )
    outcome = run(code)
    print("\n ", *(output.text for output in outcome.outputs))
    assert (outcome.status, outcome.message) == (Status.PASSED, "")


# JAX


@pytest.mark.skipif(not jax_uses_card(), reason="JAX's plugin for cards is not installed")
def test_jax_computes_on_the_card_and_is_waited_for(measure: Measure) -> None:
    setup = (
        "import jax, jax.numpy as jnp\nassert jax.default_backend() == 'gpu'\n"
        "a = jax.random.normal(jax.random.key(0), (4096, 4096))\n"
        "f = jax.jit(lambda a: a @ a)\n"
    )
    twice = "y = f(f(a)) * 0 + f(a)"
    samples = measure(twice, "y = f(a) * 0 + f(a)", setup, frameworks=("jax",), timeout=240.0)
    assert interval(samples).estimate == pytest.approx(1.5, rel=0.1)
    assert conditions(samples).on_card == (True, True)


# From end to end


PAGE = """# Page

### Pattern 1 — Twice the work {#twice}

```python setup
import torch
a = torch.randn(2048, 2048, device="cuda")
```

```python baseline
y = a @ a
y = a @ a
```

```python speedup=1.8..2.2 on=cuda
y = a @ a
```
"""


def test_verify_records_the_card_and_confirms_its_claim(
    tmp_path: Path, environment: Environment
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-m", "wiki_tools", "verify", "--device", "cuda", "--record"]
    done = subprocess.run(
        [*command, "--docs", str(tmp_path / "docs")],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "confirmed" in done.stdout
    assert (tmp_path / "evidence" / folder_name(environment) / "page.json").is_file()
