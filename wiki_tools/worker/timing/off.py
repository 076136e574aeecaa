"""Turns accelerators off where that takes more than a patch; the table of ablations names these."""

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from unittest import mock

Function = Callable[..., Any]


OF_CHECKPOINT = frozenset(
    ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug")
)
"""Arguments of `torch.utils.checkpoint.checkpoint` that are not the function's own."""


def plainly(function: Function, *given: Any, **named: Any) -> Any:
    """Call a function that `torch.utils.checkpoint.checkpoint` was to call."""
    return function(*given, **{k: v for k, v in named.items() if k not in OF_CHECKPOINT})


def itself(value: Any, *_: Any, **__: Any) -> Any:
    """Give a tensor or a function as it is, where something was to be made of it."""
    return value


def nothing(*_: Any, **__: Any) -> AbstractContextManager[None]:
    """Enter nothing, where something was to be entered."""
    return contextlib.nullcontext()


def recording(torch: Any) -> Function:
    """Make what stands for `torch.no_grad`, which torch's own code still gets: layers begin so."""
    original, instead = torch.no_grad, torch.enable_grad

    def no_grad(*given: Any) -> Any:
        caller = str(sys._getframe(1).f_globals.get("__name__", ""))
        return (original if caller.partition(".")[0] == "torch" else instead)(*given)

    return no_grad


@contextlib.contextmanager
def setting(holder: Any, name: str, value: object) -> Iterator[None]:
    """Hold a setting at a value; `mock.patch` would delete a property instead of restoring it."""
    before = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, before)


@contextlib.contextmanager
def replaced(holders: Sequence[Any], name: str, value: object) -> Iterator[None]:
    """Put a value in the place of a name that several modules give to the same thing."""
    with contextlib.ExitStack() as stack:
        for holder in holders:
            stack.enter_context(mock.patch.object(holder, name, value))
        yield


@contextlib.contextmanager
def forced(holders: Sequence[Any], name: str, **arguments: object) -> Iterator[None]:
    """Overrule what callers of `name` say of some arguments; what they leave out stays out."""
    with contextlib.ExitStack() as stack:
        for holder in holders:
            stack.enter_context(mock.patch.object(holder, name, _forced(holder, name, arguments)))
        yield


def _forced(holder: Any, name: str, arguments: dict[str, object]) -> Function:
    original: Function = getattr(holder, name)

    @functools.wraps(original)
    def call(*given: Any, **named: Any) -> Any:
        said = {key: value for key, value in arguments.items() if key in named}
        return original(*given, **(named | said))

    return call


def optimizers(torch: Any) -> list[Any]:
    """Every optimizer of torch, as classes."""
    found = (getattr(torch.optim, name) for name in torch.optim.__all__)
    return [kind for kind in found if isinstance(kind, type)]


@contextlib.contextmanager
def full_precision(torch: Any) -> Iterator[None]:
    """Multiply float32 in float32, whatever the code asks for meanwhile."""
    matmul = type(torch.backends.cuda.matmul)
    with (
        _precision(torch, "highest"),
        mock.patch.object(torch, "set_float32_matmul_precision", nothing),
        mock.patch.object(matmul, "__setattr__", nothing),
    ):
        yield


@contextlib.contextmanager
def _precision(torch: Any, precision: str) -> Iterator[None]:
    before, put = torch.get_float32_matmul_precision(), torch.set_float32_matmul_precision
    put(precision)
    try:
        yield
    finally:
        put(before)


@contextlib.contextmanager
def math_attention(torch: Any) -> Iterator[None]:
    """Compute attention on the math backend, also where the code chooses another one."""
    attention = torch.nn.attention
    with (
        attention.sdpa_kernel(attention.SDPBackend.MATH),
        mock.patch.object(attention, "sdpa_kernel", nothing),
        mock.patch.object(torch.backends.cuda, "sdp_kernel", nothing),
    ):
        yield


@contextlib.contextmanager
def unpinned(torch: Any) -> Iterator[None]:
    """Leave tensors in pageable memory, those of a `DataLoader` too."""
    loader = torch.utils.data.DataLoader
    with (
        mock.patch.object(torch.Tensor, "pin_memory", itself),
        forced([loader], "__init__", pin_memory=False),
    ):
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """What a loop needs of a library: nested results, slices and stacks."""

    flatten: Function
    """A nested value into its leaves and its structure."""
    unflatten: Callable[[list[Any], Any], Any]
    take: Callable[[Any, int, int], Any]
    """A leaf, an axis and an index into the slice."""
    stack: Callable[[list[Any], int], Any]
    """Leaves and an axis into one."""
    named: int | None
    """The axis along which arguments given by name are mapped; None where they are not."""


def torch_loop(torch: Any) -> Function:
    """Make what stands for `torch.vmap`: one call an element, in Python."""
    from torch.utils import _pytree

    def unflatten(leaves: list[Any], structure: Any) -> Any:
        return _pytree.tree_unflatten(leaves, structure)

    return _loop(
        Trees(
            flatten=_pytree.tree_flatten,
            unflatten=unflatten,
            take=lambda leaf, axis, index: leaf.select(axis, index),
            stack=lambda leaves, axis: torch.stack(leaves, dim=axis),
            named=None,
        )
    )


def jax_loop(jax: Any) -> Function:
    """Make what stands for `jax.vmap`: one call an element, in Python."""
    return _loop(
        Trees(
            flatten=jax.tree.flatten,
            unflatten=lambda leaves, structure: jax.tree.unflatten(structure, leaves),
            take=lambda leaf, axis, index: jax.numpy.take(leaf, index, axis=axis),
            stack=lambda leaves, axis: jax.numpy.stack(leaves, axis=axis),
            named=0,
        )
    )


def _loop(trees: Trees) -> Function:
    """A `vmap` that loops over the mapped axis.

    An axis may be given for each argument, as one number for all of its leaves.
    """

    def vmap(function: Function, inner: Any = 0, outer: int = 0, **options: Any) -> Function:
        axes = options.get("in_dims", options.get("in_axes", inner))
        out = options.get("out_dims", options.get("out_axes", outer))

        @functools.wraps(function)
        def mapped(*given: Any, **named: Any) -> Any:
            each = list(axes) if isinstance(axes, tuple | list) else [axes] * len(given)
            flat = [trees.flatten(value) for value in (*given, *named.values())]
            results = []
            for values in _slices(trees, flat, [*each, *[trees.named] * len(named)]):
                by_name = dict(zip(named, values[len(given) :], strict=True))
                results.append(trees.flatten(function(*values[: len(given)], **by_name)))
            columns = zip(*(leaves for leaves, _ in results), strict=True)
            return trees.unflatten([trees.stack(list(c), out) for c in columns], results[0][1])

        return mapped

    return vmap


def _slices(trees: Trees, flat: list[Any], along: list[Any]) -> Iterator[list[Any]]:
    """The arguments of each call: leaves along no axis stay as they are."""
    pairs = list(zip(flat, along, strict=True))
    count = next(leaves[0].shape[axis] for (leaves, _), axis in pairs if axis is not None)
    for index in range(count):
        yield [
            trees.unflatten(
                [leaf if axis is None else trees.take(leaf, axis, index) for leaf in leaves], shape
            )
            for (leaves, shape), axis in pairs
        ]
