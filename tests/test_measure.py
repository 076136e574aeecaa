import ast
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports import make_vault
from tests.support import make_config, make_snippets, seed_config, seed_snippets
from wiki_tools.measure import ABLATIONS, Comparison, find_ablations, plan_comparisons, summarize
from wiki_tools.pages import read_page
from wiki_tools.protocol import Cells, Samples
from wiki_tools.snippets import extract_snippets
from wiki_tools.worker.timing import off


def plan(text: str) -> dict[str, tuple[Comparison, ...]]:
    """The comparisons of each snippet, by the place of its id."""
    snippets = make_snippets(text)
    return {s.id.partition("#")[2]: plan_comparisons(make_config(), s, snippets) for s in snippets}


def fence(code: str, info: str = "python") -> str:
    return f"```{info}\n{code}\n```\n"


def timed(cells: Cells) -> str:
    return "\n".join(cell.code.strip("\n") for cell in cells if cell.timed)


def untimed(cells: Cells) -> str:
    return "\n".join(cell.code.strip("\n") for cell in cells if not cell.timed)


# Accelerators

WATCHED = (
    *("compile", "no_grad", "inference_mode", "channels_last", "vmap"),
    "set_float32_matmul_precision",
)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import torch\nf = torch.compile(g)", "torch.compile"),
        ("f = torch.compile(g, dynamic=True, mode=None)", "torch.compile"),
        ("from torch import compile as fast\nf = fast(g)", "torch.compile"),
        ("import torch as t\nf = t.compile(g)", "torch.compile"),
        ("with torch.autocast('cuda'): y = f(x)", "autocast"),
        ("from torch.cuda.amp import autocast\nwith autocast(): y = f(x)", "autocast"),
        ("y = F.scaled_dot_product_attention(q, k, v)", "scaled_dot_product_attention"),
        ("y = nn.functional.scaled_dot_product_attention(q)", "scaled_dot_product_attention"),
        ("import torch.nn.functional as G\nG.scaled_dot_product_attention(q)",
         "scaled_dot_product_attention"),
        ("@jax.jit\ndef f(x): return x", "jax.jit"),
        ("from functools import partial\n@partial(jax.jit, static_argnums=0)\ndef f(x): pass",
         "jax.jit"),
        ("from jax import jit\nf = jit(g)", "jax.jit"),
        ("x = x.to(memory_format=torch.channels_last)", "channels_last"),
        ("@torch.no_grad()\ndef f(x): return x", "no_grad"),
        ("with torch.inference_mode(): y = f(x)", "inference_mode"),
        ("f = torch.jit.script(g)", "torch.jit"),
        ("torch.set_float32_matmul_precision('high')", "float32 matmul precision"),
        ("torch.backends.cuda.matmul.allow_tf32 = True", "float32 matmul precision"),
        ("with jax.default_matmul_precision('bfloat16'): y = f(x)", "JAX matmul precision"),
        ("from torch.func import vmap\ng = vmap(f)", "vmap"),
        ("g = jax.vmap(f)", "jax.vmap"),
        ("c, ys = lax.scan(f, 0.0, xs)", "jax.lax loops"),
        ("o = optim.AdamW(m.parameters(), fused=True)", "fused optimizer"),
        ("o = torch.optim.SGD(m.parameters(), lr=1, foreach=on)", "foreach optimizer"),
        ("y = torch.einsum('ij,jk,kl->il', a, b, c)", "einsum path"),
        ("y = np.einsum('ij,jk,kl->il', a, b, c, optimize='greedy')", "numpy.einsum path"),
        ("from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)", "checkpoint"),
        ("x = x.pin_memory()", "pinned memory"),
        ("d = DataLoader(s, pin_memory=True)", "pinned memory"),
        ("g = torch.cuda.make_graphed_callables(f, (x,))", "CUDA graphs"),
        ("y = x.mT.contiguous() @ w", "contiguous"),
    ],
)  # fmt: skip
def test_an_accelerator_is_found_however_it_is_imported(code: str, name: str) -> None:
    assert [row.name for row in find_ablations([code])] == [name]


@pytest.mark.parametrize(
    "code",
    [
        "s = 'torch.compile'",
        "# torch.compile",
        "import re\nre.compile('a')",
        "compile('a', 'b', 'exec')",
        "from numba import jit\nf = jit(g)",
        "x.compile(",
        "o = torch.optim.AdamW(m.parameters(), fused=False)",
        "y = torch.einsum('ij,jk->ik', a, b)",
        "y = np.einsum('ij,jk->ik', a, b, optimize=False)",
        "checkpoint = torch.load('a.pt')\nm.load_state_dict(checkpoint)",
    ],
)
def test_what_only_looks_like_an_accelerator_is_none(code: str) -> None:
    assert find_ablations([code]) == ()


def test_several_accelerators_come_in_the_order_in_which_claims_are_held_against_them() -> None:
    code = "with torch.inference_mode(), torch.autocast('cuda'): y = torch.compile(f)(x)"
    names = [row.name for row in find_ablations([code])]
    assert names == ["torch.compile", "autocast", "inference_mode"]


def test_a_compile_mode_is_held_against_the_default_one_as_well() -> None:
    code = "@torch.compile(mode='max-autotune')\ndef f(x): return x"
    assert [r.name for r in find_ablations([code])] == ["torch.compile", "torch.compile mode"]


def test_two_accelerators_that_are_turned_off_alike_are_measured_once() -> None:
    code = "@jax.jit\ndef f(xs): return jax.lax.scan(step, 0.0, xs)"
    assert [row.name for row in find_ablations([code])] == ["jax.jit"]


@pytest.mark.parametrize("row", ABLATIONS, ids=lambda row: row.name)
def test_every_row_says_what_it_means_in_an_expression(row: object) -> None:
    assert isinstance(row, type(ABLATIONS[0]))
    assert row.meaning
    tree = ast.parse(row.off, mode="eval")
    roots = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    bound = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    known = {"torch", "jax", "numpy", "mock", "contextlib", "callable", "off"}
    assert roots - bound <= known
    assert isinstance(tree.body, ast.Call)


@pytest.mark.torch
@pytest.mark.parametrize("row", ABLATIONS, ids=lambda row: row.name)
def test_every_row_can_be_entered_and_leaves_no_trace(row: object) -> None:
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    import contextlib
    from unittest import mock

    import numpy

    assert isinstance(row, type(ABLATIONS[0]))
    modules = {"torch": torch, "jax": jax, "numpy": numpy}
    known = modules | {"mock": mock, "contextlib": contextlib, "off": off}

    def state() -> list[object]:
        holders = {torch: WATCHED, torch.func: ("vmap",), jax: ("vmap", "default_matmul_precision")}
        attributes = [getattr(h, name) for h, names in holders.items() for name in names]
        backends = torch.backends
        return [
            *attributes,
            jax.config.jax_disable_jit,
            numpy.einsum,
            (torch.autocast.__enter__, torch.jit.script, torch.nn.attention.sdpa_kernel),
            (torch.Tensor.contiguous, torch.Tensor.pin_memory, torch.optim.SGD.__init__),
            (torch.utils.checkpoint.checkpoint, torch.cuda.make_graphed_callables),
            (backends.opt_einsum.enabled, backends.cuda.math_sdp_enabled()),
            (backends.cuda.flash_sdp_enabled(), torch.get_float32_matmul_precision()),
        ]

    before = state()
    with eval(row.off, known):
        assert state() != before
    assert state() == before


# What is compared


def test_the_seed_gets_an_ablation_for_each_of_its_accelerators() -> None:
    found = {
        s.id.partition("#")[2]: [
            c.pairing.against for c in plan_comparisons(seed_config(), s, seed_snippets())
        ]
        for s in seed_snippets()
    }
    assert {place: rows for place, rows in found.items() if rows} == {
        "p04": ["ablation:autocast"],
        "p05": ["ablation:scaled_dot_product_attention"],
        "p07": ["ablation:torch.compile"],
        "p08": ["ablation:jax.jit"],
    }


def test_a_pattern_is_measured_against_its_baseline_and_not_its_ablations() -> None:
    text = (
        "### Pattern 1\n" + fence("y = torch.compile(f)(1)") + fence("y = f(1)", "python baseline")
    )
    (row,) = plan("```python setup\ndef f(x): return x\n```\n" + text)["p01"]
    assert row.pairing.against == "baseline"
    assert timed(row.pairing.candidate) == "y = torch.compile(f)(1)"
    assert timed(row.pairing.baseline) == "y = f(1)"
    assert plan(text)["p01-baseline"] == ()


def test_each_of_several_baselines_is_told_apart() -> None:
    text = "### Pattern 1\n" + fence("y = 1") + 2 * fence("y = 0 + 1", "python baseline")
    assert [c.pairing.against for c in plan(text)["p01"]] == ["baseline", "baseline-2"]


def test_an_antipattern_is_the_baseline_of_its_pattern() -> None:
    text = "### Pattern 1\n" + fence("y = 1") + fence("y = 3 - 2", "python antipattern slowdown=2")
    rows = plan(text)
    (row,) = rows["p01-antipattern"]
    assert row.pairing.against == "pattern"
    assert timed(row.pairing.baseline) == "y = 3 - 2"
    assert timed(row.pairing.candidate) == "y = 1"
    assert rows["p01"] == ()


def test_memory_is_measured_besides_time_where_it_is_claimed() -> None:
    text = (
        "### Pattern 1\n"
        + fence("y = 1", "python memory=..0.5")
        + fence("y = 1", "python baseline")
    )
    assert [c.pairing.metric for c in plan(text)["p01"]] == ["time", "memory"]


def test_inputs_that_a_baseline_takes_from_its_pattern_are_set_up_on_both_sides() -> None:
    pattern = "A = torch.ones(2, 3)\nB = torch.ones(3, 2)  # (3, 2)\nC = A @ B  # (2, 2)"
    text = "### Pattern 1\n" + fence(pattern) + fence("C = A.matmul(B)", "python baseline")
    (row,) = plan(text)["p01"]
    for cells in (row.pairing.candidate, row.pairing.baseline):
        assert "A = torch.ones(2, 3)" in untimed(cells)
        assert "B = torch.ones(3, 2)" in untimed(cells)
    assert timed(row.pairing.candidate).startswith("C = A @ B")
    assert timed(row.pairing.baseline) == "C = A.matmul(B)"


def test_what_cannot_be_timed_is_not_planned() -> None:
    assert (
        plan("### Pattern 1\n" + fence("torch.compile(1 / 0)", "python raises=ZeroDivisionError"))[
            "p01"
        ]
        == ()
    )
    assert plan("### Pattern 1\n" + fence("y = torch.compile(f)(x)", "python no-run"))["p01"] == ()
    assert plan("### Pattern 1\n" + fence("y = torch.compile(nowhere_defined_at_all)"))["p01"] == ()
    assert plan("### Pattern 1\n" + fence(">>> torch.compile(abs)(1)\n1", "pycon"))["p01"] == ()


def test_each_size_of_a_sweep_is_a_comparison(tmp_path: Path) -> None:
    code = "N = 4\nx = torch.ones(N)\nwith torch.no_grad():\n    y = x + 1"
    text = "### Pattern 1\n" + fence(code, "python sweep=N:16,64")
    config = make_vault(tmp_path, {"page.md": text})
    page = read_page(config, "page.md", text)
    (snippet,) = extract_snippets(config, page, (page,))
    rows = plan_comparisons(config, snippet, (snippet,))
    assert [row.pairing.size for row in rows] == ["N=16", "N=64"]
    assert "N = 16" in untimed(rows[0].pairing.candidate)
    assert rows[0].digest != rows[1].digest


# What an ablation times


def one(text: str) -> Comparison:
    (row,) = plan("### Pattern 1\n" + fence(text))["p01"]
    return row


def test_what_stands_before_the_accelerator_is_set_up() -> None:
    row = one("x = torch.ones(2)\ny = x + 1\nwith torch.no_grad():\n    z = y * 2\nz += 1")
    assert untimed(row.pairing.candidate).endswith("x = torch.ones(2)\ny = x + 1")
    assert timed(row.pairing.candidate) == "with torch.no_grad():\n    z = y * 2\nz += 1"
    (cell,) = [c for c in row.pairing.candidate if c.timed]
    assert cell.line == 5


def test_wrapping_a_function_is_set_up_and_calling_it_is_timed() -> None:
    row = one("def f(x): return x + 1\nfast = torch.compile(f)\nx = torch.ones(2)\ny = fast(x)")
    assert timed(row.pairing.candidate) == "y = fast(x)"
    assert "fast = torch.compile(f)" in untimed(row.pairing.baseline)


def test_converting_an_input_is_set_up() -> None:
    row = one("x = torch.ones(1, 2, 3, 4)\nx = x.to(memory_format=torch.channels_last)\ny = x * 2")
    assert timed(row.pairing.candidate) == "y = x * 2"


def test_a_copy_that_nothing_uses_is_held_against_nothing() -> None:
    (row,) = plan("### Pattern 1\n" + fence("x = torch.ones(4, 4).T.contiguous()\ny = x @ x"))[
        "p01"
    ]
    assert row.pairing.against == "ablation:contiguous"
    assert timed(row.pairing.candidate) == "y = x @ x"
    (row,) = plan("### Pattern 1\n" + fence("y = torch.ones(4, 4).T.contiguous() @ w"))["p01"]
    assert timed(row.pairing.candidate) == "y = torch.ones(4, 4).T.contiguous() @ w"
    assert plan("### Pattern 1\n" + fence("x = torch.ones(4, 4).T.contiguous()"))["p01"] == ()


def test_a_statement_that_wraps_and_calls_at_once_is_timed() -> None:
    row = one("x = torch.ones(2)\ny = torch.compile(torch.exp)(x)")
    assert timed(row.pairing.candidate) == "y = torch.compile(torch.exp)(x)"


def test_statements_on_one_line_are_not_torn_apart() -> None:
    code = "x = torch.ones(2); y = torch.compile(torch.exp)(x)"
    assert timed(one(code).pairing.candidate) == code


def test_a_driven_pattern_times_its_call() -> None:
    row = one("@torch.compile\ndef f(x): return x + 1")
    assert timed(row.pairing.candidate) == "result = f(x)"


def test_code_that_times_itself_is_compared_with_no_ablation() -> None:
    lab = """from wiki_tools.probes import seconds
with torch.no_grad():
    y = seconds(torch.ones, 2)"""
    assert plan("### Pattern 1\n" + fence(lab))["p01"] == ()


# Digests


def digest(text: str) -> str:
    return one(text).digest


def test_a_digest_follows_what_is_timed_and_not_how_it_looks() -> None:
    code = "with torch.no_grad():\n    y = torch.ones(2)"
    assert digest(code) == digest(code.replace("(2)", "(2)  # a comment"))
    assert digest(code) == digest("\n\n" + code.replace("    y", "        y"))
    assert digest(code) != digest(code.replace("2", "3"))
    assert digest(code) != digest(code.replace("no_grad", "inference_mode"))


def test_a_digest_does_not_follow_a_claim() -> None:
    body = "with torch.no_grad():\n    y = torch.ones(2)"
    (plain,) = plan("### Pattern 1\n" + fence(body))["p01"]
    (claimed,) = plan("### Pattern 1\n" + fence(body, "python speedup=2"))["p01"]
    assert plain.digest == claimed.digest


# Summaries


SAMPLES = Samples(
    against="baseline",
    baseline=(0.004,) * 12,
    candidate=(0.002,) * 12,
    first_call=(0.1, 7.0),
    threads=2,
    stopped="narrow",
    max_error=1e-7,
)


def test_time_is_baseline_over_candidate() -> None:
    seen = summarize(SAMPLES)
    assert seen.ratio is not None
    assert seen.ratio.estimate == pytest.approx(2.0)
    assert (seen.samples, seen.first_call, seen.threads) == (12, 7.0, 2)
    assert (seen.baseline, seen.candidate) == (0.004, 0.002)


@pytest.mark.parametrize(
    ("first", "candidate", "calls"),
    [
        ((0.004, 8.004), 0.002, 4000),
        ((0.004, 0.204), 0.002, 100),
        ((0.004, 0.0145), 0.002, None),  # a cold cache
        ((0.004, 0.002), 0.002, None),
        ((0.004, 8.0), 0.004, None),
        ((0.004, 8.0), 0.008, None),
    ],
)
def test_a_long_first_call_pays_off_after_so_many_calls(
    first: tuple[float, float], candidate: float, calls: int | None
) -> None:
    seen = summarize(replace(SAMPLES, first_call=first, candidate=(candidate,) * 12))
    assert seen.pays_off == calls


def test_memory_is_candidate_over_baseline() -> None:
    seen = summarize(
        Samples(against="baseline", metric="memory", baseline=(8e6,) * 6, candidate=(2e6,) * 6)
    )
    assert seen.ratio is not None
    assert seen.ratio.estimate == pytest.approx(0.25)


def test_what_is_not_fair_or_too_little_has_no_ratio() -> None:
    unfair = summarize(Samples(against="baseline", invalid="the results differ"))
    assert unfair.ratio is None
    assert unfair.invalid == "the results differ"
    few = summarize(Samples(against="baseline", baseline=(1.0,) * 3, candidate=(1.0,) * 3))
    assert few.ratio is None
    assert (few.samples, few.invalid) == (3, "")


@pytest.mark.parametrize("sizes", ["Q:1,2", "c:" + "9" * 5000], ids=["nothing", "no-size"])
def test_a_sweep_over_a_size_that_nothing_has_draws_no_curve(tmp_path: Path, sizes: str) -> None:
    text = "### Pattern 1\n" + fence("c = sum(range(9))", f"python sweep={sizes}")
    text += fence("c = 36", "python baseline")
    config = make_vault(tmp_path, {"page.md": text})
    snippets = make_snippets(text, config=config)
    assert [c.pairing.size for c in plan_comparisons(config, snippets[0], snippets)] == [""]
