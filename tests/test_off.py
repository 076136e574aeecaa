"""What stands in an accelerator's place does the same work."""

from typing import Any
from unittest import mock

import pytest

from wiki_tools.worker.timing import off

torch = pytest.importorskip("torch")
jax = pytest.importorskip("jax")
pytestmark = pytest.mark.torch


def scaled(parameters: dict[str, Any], x: Any, *, shift: Any) -> dict[str, Any]:
    return {"y": parameters["w"] @ x + shift}


def test_a_loop_gives_what_vmap_gives() -> None:
    w, x, shift = torch.randn(3, 4), torch.randn(4, 5), torch.randn(3)
    for options in ({"in_dims": (None, 1)}, {"in_dims": (None, 1), "out_dims": 1}):
        ours = off.torch_loop(torch)(scaled, **options)({"w": w}, x, shift=shift)
        theirs = torch.vmap(scaled, **options)({"w": w}, x, shift=shift)
        torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(off.torch_loop(torch)(torch.sum)(x), torch.vmap(torch.sum)(x))


def test_a_loop_gives_what_jax_vmap_gives() -> None:
    w, x, shift = (jax.numpy.arange(float(n)).reshape(s) for n, s in SHAPES)
    for options in ({"in_axes": (None, 1)}, {"in_axes": (None, 1), "out_axes": 1}):
        ours = off.jax_loop(jax)(scaled, **options)({"w": w}, x, shift=shift)
        theirs = jax.vmap(scaled, **options)({"w": w}, x, shift=shift)
        assert jax.numpy.allclose(ours["y"], theirs["y"])


SHAPES = ((12, (3, 4)), (20, (4, 5)), (5, (5,)))


def test_an_argument_is_overruled_where_it_is_given_and_nowhere_else() -> None:
    weights = [torch.nn.Parameter(torch.ones(2))]
    with off.forced(off.optimizers(torch), "__init__", foreach=False):
        assert torch.optim.SGD(weights, lr=1.0, foreach=True).defaults["foreach"] is False
        assert torch.optim.SGD(weights, lr=1.0).defaults["foreach"] is None
    assert torch.optim.SGD(weights, lr=1.0, foreach=True).defaults["foreach"] is True


def test_gradients_are_recorded_where_a_page_turns_them_off_and_not_where_torch_does() -> None:
    with mock.patch.object(torch, "no_grad", off.recording(torch)):
        layer = torch.nn.Linear(2, 2)  # sets its weights in place, under no_grad
        with torch.no_grad():
            assert layer(torch.ones(1, 2)).requires_grad
        assert torch.no_grad()(layer)(torch.ones(1, 2)).requires_grad
        assert torch.no_grad(layer.forward)(torch.ones(1, 2)).requires_grad
    assert not torch.no_grad(layer.forward)(torch.ones(1, 2)).requires_grad


def test_a_page_cannot_choose_an_attention_backend_while_it_is_turned_off() -> None:
    attention = torch.nn.attention
    with off.math_attention(torch), attention.sdpa_kernel(attention.SDPBackend.FLASH_ATTENTION):
        assert torch.backends.cuda.math_sdp_enabled()
        assert not torch.backends.cuda.flash_sdp_enabled()


def test_a_page_cannot_lower_the_precision_while_it_is_turned_off() -> None:
    before = torch.get_float32_matmul_precision()
    with off.full_precision(torch):
        torch.set_float32_matmul_precision("medium")
        torch.backends.cuda.matmul.allow_tf32 = True
        assert torch.get_float32_matmul_precision() == "highest"
    assert torch.get_float32_matmul_precision() == before


def test_pinning_is_left_out() -> None:
    x = torch.ones(2)
    with off.unpinned(torch):
        assert x.pin_memory() is x
        data: Any = torch.utils.data.DataLoader([x], pin_memory=True)
    assert data.pin_memory is False


def test_activations_are_kept_where_a_checkpoint_would_drop_them() -> None:
    def f(x: Any, *, power: int) -> Any:
        return x**power

    assert off.plainly(f, 3, use_reentrant=False, power=2) == 9
