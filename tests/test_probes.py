import math
import subprocess
import sys
import textwrap

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
    assert top.at(top.ridge) == pytest.approx(top.compute)
    assert top.at(top.ridge / 2) == pytest.approx(top.compute / 2)


def test_a_roof_is_measured_for_types_that_there_are() -> None:
    from wiki_tools.probes import roof

    with pytest.raises(TypeError, match="'float31' is no dtype of torch"):
        roof("float31")


def test_what_moves_nothing_has_no_intensity() -> None:
    from wiki_tools.probes import intensity

    with pytest.raises(ValueError, match="no operator reads or writes"):
        intensity(lambda: None)
