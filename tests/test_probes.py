import math
import subprocess
import sys
import textwrap
from collections.abc import Callable

import pytest

from wiki_tools.probes import max_error

torch = pytest.importorskip("torch")


def run_alone(code: str) -> str:
    """Run code in an interpreter of its own: what is imported decides what a probe counts."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_matrix_product_takes_two_operations_for_each_multiply_add() -> None:
    from wiki_tools.probes import flops

    a, b = torch.randn(3, 5), torch.randn(5, 7)
    assert flops(lambda: a @ b) == 2 * 3 * 5 * 7
    assert flops(torch.matmul, a, b) == 2 * 3 * 5 * 7


def test_a_product_with_a_vector_counts_as_well() -> None:
    from wiki_tools.probes import flops

    a, v, w = torch.randn(3, 5), torch.randn(5), torch.randn(3)
    assert flops(lambda: a @ v) == flops(lambda: w @ a) == 2 * 3 * 5
    assert flops(lambda: torch.addmv(w, a, v)) == flops(lambda: a @ v[:, None])
    assert flops(lambda: v @ v) == flops(lambda: torch.vdot(v, v)) == 2 * 5


def test_the_gradient_of_fused_attention_counts_its_five_products() -> None:
    from wiki_tools.probes import flops

    q = torch.randn(1, 2, 8, 4, requires_grad=True)

    def train() -> None:
        torch.nn.functional.scaled_dot_product_attention(q, q, q).sum().backward()

    assert flops(train) == (2 + 5) * (2 * 2 * 8 * 8 * 4)


def test_operators_are_counted_as_the_dispatcher_sees_them() -> None:
    from wiki_tools.probes import calls

    a = torch.randn(4, 4)
    linear = torch.nn.Linear(4, 4)
    assert calls(lambda: a @ a @ a, "mm") == 2
    assert calls(linear, "addmm", a) == 1
    assert calls(lambda: a + a, "mm") == 0


def test_matmul_counts_products_of_every_kind() -> None:
    from wiki_tools.probes import calls

    q = torch.randn(2, 3, 4)
    linear = torch.nn.Linear(4, 4)

    def attention() -> object:
        x = linear(q[0])
        return (q @ q.transpose(1, 2)).softmax(-1) @ q, x

    assert calls(attention, "matmul") == 3


def test_a_function_that_is_no_operator_is_counted_by_its_name() -> None:
    from wiki_tools.probes import calls

    a = torch.randn(2, 4, 4)
    assert calls(lambda: torch.einsum("bij,bjk->bik", a, a), "einsum") == 1


def test_growth_is_the_exponent_of_a_cost() -> None:
    from wiki_tools.probes import flops, growth

    def product(side: int) -> int:
        a = torch.randn(side, side)
        return flops(lambda: a @ a)

    assert growth(product, 8, 16, 32) == pytest.approx(3)
    assert growth(lambda n: 5 * n, 1, 10) == pytest.approx(1)
    assert growth(lambda _: 7, 1, 10) == pytest.approx(0)


@pytest.mark.parametrize(("cost", "sizes"), [(7, (8,)), (7, (8, 8)), (0, (8, 16)), (7, (0, 8))])
def test_growth_takes_two_sizes_that_cost_something(cost: int, sizes: tuple[int, ...]) -> None:
    from wiki_tools.probes import growth

    with pytest.raises(ValueError, match="growth"):
        growth(lambda _: cost, *sizes)


def test_peak_memory_counts_what_is_held_at_once() -> None:
    from wiki_tools.probes import peak_memory

    size = 4 * 1000 * 1000

    def two_at_once() -> object:
        a = torch.empty(1000, 1000)
        return a + a

    def one_after_the_other() -> None:
        torch.empty(1000, 1000)
        torch.empty(1000, 1000)

    assert 2 * size <= peak_memory(two_at_once) < 2.1 * size
    assert size <= peak_memory(one_after_the_other) < 1.1 * size


def test_numpy_alone_is_traced() -> None:
    code = """
        import numpy as np
        from wiki_tools.probes import peak_memory
        print(peak_memory(lambda: np.ones(1_000_000)))
    """
    assert 8_000_000 <= int(run_alone(code)) < 8_100_000


def test_jax_functions_are_asked_of_the_compiler() -> None:
    pytest.importorskip("jax")
    code = """
        import jax, jax.numpy as jnp
        from wiki_tools.probes import calls, flops, peak_memory
        a = jnp.ones((16, 32)); b = jnp.ones((32, 8))
        f = jax.jit(lambda a, b: jnp.tanh(a @ b))
        print(flops(jnp.matmul, a, b), calls(f, "matmul", a, b), calls(f, "tanh", a, b))
        print(peak_memory(f, a, b) >= 16 * 8 * 4)
    """
    counts, enough = run_alone(code).splitlines()
    assert [int(n) for n in counts.split()] == [2 * 16 * 32 * 8, 1, 1]
    assert enough == "True"


def test_counting_without_a_framework_says_so() -> None:
    code = """
        from wiki_tools.probes import flops
        try:
            flops(lambda: 1)
        except TypeError as error:
            print(error)
    """
    assert "neither" in run_alone(code)


def test_the_error_is_the_largest_difference() -> None:
    assert max_error([1.0, 2.0, 3.0], [1.0, 2.5, 2.75]) == 0.5
    assert max_error(torch.tensor([1, 2]), torch.tensor([1, 4])) == 2.0
    assert max_error(torch.tensor([1 + 1j]), [1 + 0j]) == 1.0


def test_low_precision_is_compared_exactly() -> None:
    a = torch.tensor([1.0], dtype=torch.bfloat16)
    assert max_error(a, torch.tensor([1.0078125])) == 0.0078125


def test_a_nan_equals_only_a_nan() -> None:
    assert max_error([math.nan, 1.0], [math.nan, 1.0]) == 0.0
    assert max_error([math.nan], [1.0]) == math.inf
    assert max_error([math.inf], [math.inf]) == 0.0


def test_different_shapes_are_no_comparison() -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        max_error([1.0, 2.0], [1.0])


def test_nothing_differs_by_nothing() -> None:
    assert max_error([], []) == 0.0


def test_attention_is_counted_on_a_cpu_too() -> None:
    from wiki_tools.probes import flops

    q = torch.randn(1, 2, 8, 4)
    fused = flops(lambda: torch.nn.functional.scaled_dot_product_attention(q, q, q))
    assert fused == flops(lambda: (q @ q.mT).softmax(-1) @ q) == 2 * (2 * 2 * 8 * 8 * 4)


def test_bytes_are_what_operators_read_and_write() -> None:
    from wiki_tools.probes import bytes_moved, operations

    a, b = torch.randn(8, 8), torch.randn(8, 8)
    assert bytes_moved(lambda: a + b) == 3 * 8 * 8 * 4
    assert bytes_moved(lambda: a.T.reshape(-1)[:3]) == 2 * 8 * 8 * 4  # one copy; views are free
    assert bytes_moved(torch.mm, a, b) == 3 * 8 * 8 * 4
    assert bytes_moved(lambda: a + torch.ones(1).expand(8, 8)) == 2 * 8 * 8 * 4 + 4 + 4
    assert operations(lambda: a + b) == 64
    assert operations(lambda: a @ b + a) == 2 * 8**3 + 64
    assert operations(lambda: a.softmax(-1)) == 5 * 64
    assert operations(a.sum) == 64
    assert bytes_moved(lambda: torch.empty(9).add_(1)) == 2 * 9 * 4
    assert bytes_moved(lambda: a[None].squeeze_(0)) == operations(lambda: a[None].squeeze_(0)) == 0


def test_a_lookup_reads_what_it_gives() -> None:
    from wiki_tools.probes import bytes_moved, operations

    table, rows = torch.randn(1000, 16), torch.tensor([3, 3, 7, 9])
    given = 4 * 16 * 4
    for look in (
        lambda: torch.nn.functional.embedding(rows, table),
        lambda: table[rows],
        lambda: table.index_select(0, rows),
        lambda: table.gather(0, rows[:, None].expand(4, 16)),
    ):
        assert 2 * given <= bytes_moved(look) <= 2 * given + 4 * 8
        assert operations(look) == 0
    few = table[:2]
    assert bytes_moved(lambda: few[torch.zeros(9, dtype=torch.long)]) == 2 * 9 * 8 + 9 * 64 + 2 * 64


def test_without_gradients_as_much_is_counted() -> None:
    from wiki_tools.probes import bytes_moved, flops, operations

    a = torch.randn(8, 8)

    def work() -> object:
        return torch.nn.functional.linear(a, a, a[0]).softmax(-1) @ a

    with torch.inference_mode():
        bare = [probe(work) for probe in (flops, operations, bytes_moved)]
    assert bare == [probe(work) for probe in (flops, operations, bytes_moved)]
    assert bare[1] == 4 * 8**3 + 5 * 64


def test_what_is_overwritten_is_not_read() -> None:
    from wiki_tools.probes import bytes_moved, operations

    a, b = torch.randn(8, 8), torch.randn(8, 8)
    assert bytes_moved(lambda: a.fill_(1)) == 8 * 8 * 4
    assert bytes_moved(lambda: a.copy_(b)) == 2 * 8 * 8 * 4
    assert bytes_moved(lambda: a.add_(b)) == 3 * 8 * 8 * 4
    assert bytes_moved(lambda: torch.mm(b, b.T.contiguous(), out=a)) == (2 + 3) * 8 * 8 * 4
    assert operations(lambda: torch.softmax(b, -1, out=a)) == 5 * 64


def test_operators_beyond_the_table_of_torch_are_counted() -> None:
    from wiki_tools.probes import flops, operations

    x, image = torch.randn(4, 8), torch.randn(1, 2, 8, 8)
    ones = torch.ones(32, 32, dtype=torch.int8)
    assert flops(lambda: torch._int_mm(ones, ones)) == 2 * 32**3
    assert operations(lambda: x.cumsum(-1)) == 32
    assert operations(lambda: torch.nn.functional.mse_loss(x, x)) == 3 * 32
    assert operations(lambda: torch.nn.functional.max_pool2d(image, 2)) == 4 * 2 * 4 * 4
    assert operations(lambda: x.topk(2)) == operations(lambda: torch.cat([x, x])) == 0
    assert flops(lambda: torch.conv2d(image, torch.randn(3, 2, 3, 3))) == 2 * 3 * 36 * 2 * 9


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (torch.linalg.svd, "_linalg_svd"),
        (torch.fft.fft, "_fft_r2c"),
        (lambda a: torch.linalg.cholesky(a @ a + a), "linalg_cholesky_ex"),
    ],
)
def test_what_is_not_known_is_never_taken_for_nothing(
    work: Callable[[object], object], name: str
) -> None:
    from wiki_tools.probes import flops, intensity, operations

    for probe in (flops, operations, intensity):
        with pytest.raises(TypeError, match=rf"the operations of {name} are not known"):
            probe(work, torch.eye(4))


def test_what_is_sparse_has_no_bytes_that_are_counted() -> None:
    from wiki_tools.probes import bytes_moved

    sparse = torch.eye(4).to_sparse()
    with pytest.raises(ValueError, match=r"one is torch\.sparse_coo"):
        bytes_moved(lambda: sparse @ torch.eye(4))


def test_the_roof_is_that_of_the_type_that_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    from wiki_tools.probes import roofline

    asked = []

    def roof(dtype: str) -> roofline.Roof:
        asked.append(dtype)
        return roofline.Roof(bandwidth=1.0, compute=1.0)

    monkeypatch.setattr(roofline, "roof", roof)
    half = torch.ones(8, 8, dtype=torch.bfloat16)
    roofline.bound(lambda: half @ half)
    roofline.bound(torch.mm, half, half)
    roofline.bound(lambda: torch.ones(8) + 1)
    assert asked == ["bfloat16", "bfloat16", "float32"]


def test_jax_says_what_it_moves() -> None:
    jax = pytest.importorskip("jax")
    from wiki_tools.probes import bytes_moved, operations

    a = jax.numpy.ones((8, 8))
    assert bytes_moved(jax.jit(lambda x: x + x), a) == 2 * 8 * 8 * 4
    assert operations(jax.jit(lambda x: x + x), a) == 64


def test_an_addition_is_bound_by_memory_and_a_large_product_by_computing() -> None:
    from wiki_tools.probes import bound, intensity, roof

    a = torch.randn(1024, 1024)
    assert intensity(torch.add, a, a) == pytest.approx(1 / 12)
    assert intensity(torch.mm, a, a) == pytest.approx(2 * 1024 / 12)
    assert bound(torch.add, a, a) == "memory"
    assert bound(torch.mm, a, a) == "compute"
    top = roof()
    assert top is roof()
    assert (top.dtype, top.device, top.threads) == ("float32", "cpu", torch.get_num_threads())
    assert top.at(top.ridge) == pytest.approx(top.compute)
    assert top.at(top.ridge / 2) == pytest.approx(top.compute / 2)


def test_seconds_are_those_of_the_fastest_call_and_the_first_one_does_not_count() -> None:
    import time

    from wiki_tools.probes import seconds

    waits = iter([0.2, 0.07, 0.04, 0.05, 0.06, 0.07])
    assert 0.04 <= seconds(lambda: time.sleep(next(waits))) < 0.2
    assert next(waits, None) is None
    assert 0 < seconds(lambda x: x, 1) < 0.01


def test_a_roof_can_be_shown_on_a_page() -> None:
    from wiki_tools.probes import Roof

    top = Roof(bandwidth=12.5e9, compute=100e9, threads=2)
    lines = "12.5 GB/s, 100 GFLOP/s, ridge at 8 operations a byte"
    assert str(top) == f"float32 on cpu, 2 threads: {lines}"


def test_a_roof_is_measured_for_types_that_there_are() -> None:
    from wiki_tools.probes import roof

    with pytest.raises(TypeError, match="'float31' is no dtype of torch"):
        roof("float31")


def test_what_moves_nothing_has_no_intensity() -> None:
    from wiki_tools.probes import intensity

    with pytest.raises(ValueError, match="no operator reads or writes"):
        intensity(lambda: None)


def test_placing_code_under_a_roof_runs_it_once_for_each_table() -> None:
    torch = pytest.importorskip("torch")
    from wiki_tools.probes import bound, intensity

    a, ran = torch.randn(8, 8), []

    def product() -> object:
        ran.append(1)
        return a @ a

    assert intensity(product) == pytest.approx(2 * 8 / 12)
    assert len(ran) == 2  # once for what torch's own table counts, once for the rest
    bound(product)
    assert len(ran) == 4
