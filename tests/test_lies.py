"""Lies that a benchmark can tell: none of them comes out as a speedup.

Each is a page's section, run and timed for real in a worker. What is expected does not depend on
how fast the machine is.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec

import pytest

from tests.reports import CPU
from tests.support import make_config, make_page
from wiki_tools.claims import find_claims
from wiki_tools.measure import plan_comparisons, summarize
from wiki_tools.protocol import Job
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.snippets import extract_snippets
from wiki_tools.verdicts import Judgement, Verdict, judge

INVALID, REFUTED, CONFIRMED = Judgement.INVALID, Judgement.REFUTED, Judgement.CONFIRMED

WORK = "import random\nnumbers = [random.random() for _ in range(4000)]"
"""Inputs, and a sum of them that takes some 0.2 ms."""
SUM = "y = sum(n * n for n in numbers)"
JAX = "import jax, jax.numpy as jnp\nx = jnp.ones((700, 700))\nf = jax.jit(lambda x: x @ x)"
TORCH = "import torch\nx = torch.randn(64, 64)\nw = torch.randn(64, 64)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """A claim, and what it rests on."""

    setup: str = WORK
    baseline: str = SUM
    candidate: str
    judgement: Judgement = INVALID
    reason: str
    needs: str = ""
    claim: str = ">50"


LIES = {
    "no synchronisation": Lie(
        setup=JAX,
        baseline="y = f(x).block_until_ready()",
        candidate="y = f(x)",
        judgement=REFUTED,
        reason="less than claimed",
        needs="jax",
        claim=">5",
    ),
    "no synchronisation, in a structure": Lie(
        setup=JAX,
        baseline="y = {'out': [f(x).block_until_ready()]}",
        candidate="y = {'out': [f(x)]}",
        judgement=REFUTED,
        reason="less than claimed",
        needs="jax",
        claim=">5",
    ),
    "a thread that nobody waits for": Lie(
        candidate="import threading\n"
        "y = [0.0]\n"
        "def work(out): out[0] = sum(n * n for _ in range(500) for n in numbers)\n"
        "threading.Thread(target=work, args=(y,)).start()\n"
        "y",
        baseline="y = [sum(n * n for _ in range(500) for n in numbers)]",
        reason="goes on working in a thread after its last statement",
    ),
    "a pool that nobody waits for": Lie(
        setup=WORK + "\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(1)\n"
        "def work(out): out[0] = sum(n * n for _ in range(500) for n in numbers)",
        candidate="y = [0.0]\npool.submit(work, y)\ny",
        baseline="y = [0.0]\nwork(y)\ny",
        reason="goes on working in a thread after its last statement",
    ),
    "another dtype": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="y = x.bfloat16() @ w.bfloat16()",
        reason="the results differ in dtype: float32 against bfloat16",
        needs="torch",
    ),
    "half the digits, widened afterwards": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="y = (x.bfloat16() @ w.bfloat16()).float()",
        reason="the results differ by",
        needs="torch",
    ),
    "a smaller input": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="y = x[:8] @ w",
        reason="the results differ in shape: (64, 64) against (8, 64)",
        needs="torch",
    ),
    "a smaller input behind a mean": Lie(
        baseline="y = sum(n * n for n in numbers) / len(numbers)",
        candidate="part = numbers[:40]\ny = sum(n * n for n in part) / len(part)",
        reason="the results differ by",
    ),
    "an answer in a default argument": Lie(
        candidate="def f(numbers, known={}):\n"
        "    if 'y' not in known:\n"
        "        known['y'] = sum(n * n for n in numbers)\n"
        "    return known['y']\n"
        "y = f(numbers)",
        judgement=REFUTED,
        reason="less than claimed",
    ),
    "an answer in functools.lru_cache": Lie(
        setup="n = 20000",
        baseline="y = sum(i * i for i in range(n))",
        candidate="import functools\n"
        "@functools.lru_cache\n"
        "def f(n): return sum(i * i for i in range(n))\n"
        "y = f(n)",
        judgement=REFUTED,
        reason="less than claimed",
    ),
    "an answer in an attribute of a class": Lie(
        candidate="class Squares:\n"
        "    known = {}\n"
        "    def total(self, numbers):\n"
        "        if 0 not in self.known:\n"
        "            self.known[0] = sum(n * n for n in numbers)\n"
        "        return self.known[0]\n"
        "y = Squares().total(numbers)",
        judgement=REFUTED,
        reason="less than claimed",
    ),
    "an answer known by the identity of its input": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="class Last: pass\n"
        "def f(x, w):\n"
        "    if getattr(Last, 'x', None) is not x:\n"
        "        Last.x, Last.y = x, x @ w\n"
        "    return Last.y\n"
        "y = f(x, w)",
        reason="on other inputs the results differ",
        needs="torch",
    ),
    "an answer known by the value of its input": Lie(
        setup=WORK.replace("numbers =", "a =") + "\nimport numpy\nnumbers = numpy.array(a)",
        candidate="class Last: pass\n"
        "def f(numbers):\n"
        "    key = numbers.tobytes()\n"
        "    if getattr(Last, 'key', None) != key:\n"
        "        Last.key, Last.y = key, sum(n * n for n in numbers)\n"
        "    return Last.y\n"
        "y = f(numbers)",
        reason="the candidate is fast only on inputs that it has seen",
        needs="numpy",
    ),
    "a result that nobody uses, skipped": Lie(
        candidate="for n in numbers:\n    pass",
        reason="the candidate's result cannot be compared: the last statement gives no value",
    ),
    "a result that nobody has asked for yet": Lie(
        baseline="y = [n * n for n in numbers]",
        candidate="y = (n * n for n in numbers)",
        reason="a generator cannot be compared",
    ),
    "a wrong answer": Lie(
        candidate="y = 1300.0",
        reason="the results differ by",
    ),
    "zeros": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="y = torch.zeros(64, 64)",
        reason="the results differ by",
        needs="torch",
    ),
    "zeros on both sides": Lie(
        setup=TORCH,
        baseline="y = (x * 0) @ w",
        candidate="y = torch.zeros(64, 64)",
        reason="all zeros, so that a wrong one would pass as well",
        needs="torch",
    ),
    "not a number": Lie(
        setup=TORCH,
        baseline="y = x @ w",
        candidate="y = torch.full((64, 64), float('nan'))",
        reason="holds values that are not finite",
        needs="torch",
    ),
    "a first call that compiles": Lie(
        candidate=SUM,
        baseline="class Code: ready = False\n"
        "def f(numbers):\n"
        "    if not Code.ready:\n"
        "        sum(i * i for i in range(2_000_000))\n"
        "        Code.ready = True\n"
        "    return sum(n * n for n in numbers)\n"
        "y = f(numbers)",
        judgement=REFUTED,
        reason="less than claimed",
    ),
    "more threads": Lie(
        setup=TORCH,
        baseline="torch.set_num_threads(1)\ny = x @ w",
        candidate="torch.set_num_threads(2)\ny = x @ w",
        reason="different numbers of threads: baseline 1, candidate 2; give both as many",
        needs="torch",
    ),
    "a baseline that sleeps": Lie(
        baseline=f"import time\ntime.sleep(0.02)\n{SUM}",
        candidate=SUM,
        reason="of its time instead of working: only work can be saved",
    ),
    "a baseline that sleeps half of the time": Lie(
        baseline="import time\n"
        "start = time.perf_counter()\n"
        "y = sum(n * n for _ in range(20) for n in numbers)\n"
        "time.sleep(3 * (time.perf_counter() - start))\n"
        "y",
        candidate="y = sum(n * n for _ in range(20) for n in numbers)\ny",
        reason="of its time instead of working: only work can be saved",
    ),
    "a candidate that returns early": Lie(
        candidate="y = 0.0\nfor n in numbers:\n    y += n * n\n    if y > 20: break",
        reason="the results differ by",
    ),
    "a candidate that gives up": Lie(
        baseline=SUM,
        candidate="y = sum(n * n for n in numbers) if len(numbers) > 9**9 else exit()",
        reason="exit",
    ),
    "a timer of its own": Lie(
        candidate=f"import time\ntime.perf_counter = time.process_time = lambda: 0.0\n{SUM}",
        judgement=REFUTED,
        reason="less than claimed",
    ),
    "a baseline that collects garbage": Lie(
        baseline=f"import gc\ngc.enable()\nkept = [[n] for n in numbers[:500]]\n{SUM}",
        candidate=f"kept = [[n] for n in numbers[:500]]\n{SUM}",
        judgement=REFUTED,
        reason="less than claimed",
    ),
}

PAGE = """\
### Pattern 1 — A lie
```python setup
{setup}
```
```python speedup="{claim}"
{candidate}
```
```python baseline
{baseline}
```
"""


@pytest.fixture(scope="module")
def local() -> Iterator[LocalExecutor]:
    with LocalExecutor(make_config(), jobs=1) as executor:
        yield executor


def held(local: LocalExecutor, lie: Lie) -> Verdict:
    """What becomes of a claim, through every stage that a page's goes through.

    Where other programs have the machine it may remain open: then it is measured again, as
    `wiki verify` does, and what they used is left out.
    """
    config = make_config()
    text = PAGE.format(**asdict(lie))
    page = make_page(text, config=config)
    snippets = extract_snippets(config, page, (page,))
    pattern = next(s for s in snippets if not s.role)
    (comparison,) = plan_comparisons(config, pattern, snippets)
    (claim,) = find_claims(page, snippets)
    program = pattern.programs[0]
    job = Job(
        snippet=pattern.id,
        cells=program.cells,
        pairings=(comparison.pairing,),
        frameworks=tuple(f for f in program.frameworks if f in ("torch", "jax")),
        budget=0.2,
    )
    for _ in range(4):
        (outcome,) = local.run([job])
        assert outcome.samples, outcome.message
        seen = summarize(replace(outcome.samples[0], busy=0.0))
        verdict = judge(claim, seen, CPU)
        if verdict.judgement is not Judgement.INCONCLUSIVE:
            break
    return verdict


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_no_speedup(local: LocalExecutor, name: str) -> None:
    lie = LIES[name]
    if lie.needs and find_spec(lie.needs) is None:
        pytest.skip(f"needs {lie.needs}")
    verdict = held(local, lie)
    assert verdict.judgement is lie.judgement, verdict.reason
    assert lie.reason in verdict.reason


HONEST = {
    "less work": Lie(
        baseline="y = sum(n * n for _ in range(40) for n in numbers) / 40",
        candidate="y = sum(n * n for n in numbers)",
        judgement=CONFIRMED,
        claim=">5",
        reason="all of it as claimed",
    ),
    "a pool that is waited for": Lie(
        setup=WORK + "\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(1)\ndef work(k): return sum(n * n for n in numbers)",
        baseline="y = [work(k) for k in range(40)][0]",
        candidate="y = pool.submit(work, 1).result()",
        judgement=CONFIRMED,
        claim=">5",
        reason="all of it as claimed",
    ),
    "answers that one call needs again": Lie(
        setup="n = 17",
        baseline="def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\ny = fib(n)",
        candidate="import functools\n"
        "@functools.lru_cache(None)\n"
        "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
        "y = fib(n)",
        judgement=CONFIRMED,
        claim=">5",
        reason="all of it as claimed",
    ),
    "waiting less, where both wait": Lie(
        setup="import time",
        baseline="for _ in range(12): time.sleep(0.002)\ny = 5",
        candidate="time.sleep(0.002)\ny = 5",
        judgement=CONFIRMED,
        claim=">5",
        reason="all of it as claimed",
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_speedup_is_one(local: LocalExecutor, name: str) -> None:
    verdict = held(local, HONEST[name])
    assert verdict.judgement is HONEST[name].judgement, verdict.reason
