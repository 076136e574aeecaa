"""Keeps what a program reads as it was, and restores it."""

import array
import copy
import functools
import itertools
import operator
import random
import sys
import types
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

CLONED = 2 << 30
"""Bytes that copies of inputs may take; what is beyond is watched and cannot be restored."""
NESTED = 4
INSTALLED = (sys.prefix, sys.base_prefix, __file__.partition("wiki_tools")[0] + "wiki_tools")
"""Where modules lie that are no page's own."""
ATOMS = {int, float, complex, bool, str, bytes, type(None)}
"""What holds nothing and cannot be changed."""

Restore = Callable[[], None]


class UnkeptError(Exception):
    """An input of which nobody can tell whether calls change it, or which cannot be restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One input, with its state from before the first call."""

    changed: Callable[[], bool]
    restore: Restore
    each_call: bool
    """Restored before each call; random generators only before each sample."""
    value: Any = None


def keep_inputs(namespace: Mapping[str, Any]) -> tuple[Kept, ...]:
    """Copy every value of a namespace that code could change in place, up to `CLONED` bytes.

    Raises:
        UnkeptError: a value can be changed but not copied, so that calls might begin with
            whatever the call before left.
    """
    return _keep_all(_reach(namespace, namespace))


def keep_again(kept: Iterable[Kept]) -> tuple[Kept, ...]:
    """Copy the same values as they are now."""
    return _keep_all(k.value for k in kept)


def _keep_all(values: Iterable[Any]) -> tuple[Kept, ...]:
    found: list[Kept] = []
    room = CLONED
    for value in values:
        kind = type(value).__name__
        try:
            size = _size(value)
            kept = _watch(value) if size > room else _keep(value)
        except (AttributeError, RuntimeError, TypeError, ValueError) as error:
            told = f"holds a {kind} that cannot be copied, so that its changes would go unseen"
            raise UnkeptError(f"{told}: {' '.join(str(error).split()):.200}") from error
        room -= size if size <= room else 0
        if kept:
            found.append(replace(kept, value=value))
    return tuple(found)


def _watch(value: Any) -> Kept:
    """Notice that a tensor or an array too large for a copy is changed."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):

        def state() -> int:  # which torch counts up with every change in place
            return int(value._version)
    else:

        def state() -> int:
            return zlib.crc32(value.tobytes())

    before = state()

    def restore() -> None:
        told = f"changes a {type(value).__name__} that is too large to be restored"
        raise UnkeptError(f"{told}: copies of inputs may take {CLONED >> 30} GiB")

    return Kept(changed=lambda: state() != before, restore=restore, each_call=True)


def _size(value: Any) -> int:
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        return int(value.numel() * value.element_size())
    return int(getattr(value, "nbytes", 0)) if type(value).__name__ == "ndarray" else 0


def changed_inputs(kept: Iterable[Kept]) -> tuple[Kept, ...]:
    """Choose those that have changed since they were kept, and forget the others."""
    return tuple(k for k in kept if k.changed())


def holds_promise(value: Any, depth: int = 0) -> bool:
    """Say whether a value may still be computed: JAX returns before it is done."""
    if isinstance(value, dict):
        return any(holds_promise(part, depth + 1) for part in value.values())
    if isinstance(value, list | tuple) and depth < NESTED:
        return any(holds_promise(part, depth + 1) for part in value)
    return hasattr(type(value), "block_until_ready")


def _reach(namespace: Mapping[str, Any], home: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """Find every object that could be changed in place, once each.

    Functions and classes of the program whose globals `home` are count with what they hold:
    a cache may lie in a default argument, a closure or an attribute. So do modules beside it.
    """
    seen: set[int] = set()
    todo = [(v, 0) for name, v in namespace.items() if not name.startswith("__")]
    while todo:
        value, depth = todo.pop()
        if type(value) in ATOMS:  # of a list of 300,000 numbers each took 4 µs
            continue
        if id(value) in seen or depth > NESTED or len(seen) > 100_000:
            continue
        seen.add(id(value))
        yield value
        todo += [(part, depth + 1) for part in (*_parts(value), *_held(value, home))]


def _held(value: Any, home: Mapping[str, Any] | None) -> list[Any]:
    """Give what a function, a class or an object of the program at `home` holds."""
    if home is None:
        return []
    if isinstance(value, functools._lru_cache_wrapper):
        return [value.__wrapped__]
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    if isinstance(value, types.SimpleNamespace):
        return list(vars(value).values())
    if isinstance(value, types.ModuleType):  # one that another one imports
        importer = sys.modules.get(str(home.get("__name__")))
        within = _is_beside(value) and getattr(importer, "__dict__", None) is home
        return [v for n, v in vars(value).items() if not n.startswith("__")] if within else []
    if isinstance(value, types.FunctionType):
        if value.__globals__ is not home:
            return [sys.modules.get(str(value.__module__))]
        defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        return [*defaults, *_enclosed(value), *vars(value).values()]
    own = home.get("__name__")
    if isinstance(value, type):
        return list(vars(value).values()) if value.__module__ == own else []
    return list(getattr(value, "__dict__", {}).values()) if type(value).__module__ == own else []


def _is_beside(module: types.ModuleType) -> bool:
    """Whether a module is a file of the page's own, and not one that was installed."""
    file = getattr(module, "__file__", None) or ""
    return file.endswith(".py") and not file.startswith(INSTALLED)


def _enclosed(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def _parts(value: Any) -> list[Any]:
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.nn.Module):
        return [*value.parameters(), *value.buffers()]
    if type(value) in (list, tuple, deque, set):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    return []


def _keep(value: Any) -> Kept | None:
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch and isinstance(value, torch.Tensor):
        return _keep_tensor(torch, value)
    if torch and isinstance(value, torch.optim.Optimizer):
        return _keep_optimizer(value)
    if torch and isinstance(value, torch.Generator):
        return _keep_state(value.get_state, value.set_state, torch.equal)
    if numpy and isinstance(value, numpy.ndarray):
        return _keep_array(numpy, value)
    if numpy and isinstance(value, numpy.random.Generator):
        bits = value.bit_generator
        return _keep_state(lambda: bits.state, lambda state: setattr(bits, "state", state))
    if numpy and isinstance(value, numpy.random.RandomState):
        return _keep_state(
            lambda: value.get_state(legacy=False), value.set_state, lambda a, b: str(a) == str(b)
        )
    if isinstance(value, functools._lru_cache_wrapper):
        return _keep_cache(value)
    if isinstance(value, random.SystemRandom):
        return None  # it has no state
    if isinstance(value, random.Random):
        return _keep_state(value.getstate, value.setstate)
    if isinstance(value, list | dict | set | bytearray | deque):
        return _keep_container(value)
    if isinstance(value, array.array):
        return _keep_numbers(value)
    if isinstance(value, types.ModuleType) and _is_beside(value):
        return _keep_module(value)
    return None


def _keep_tensor(torch: Any, value: Any) -> Kept | None:
    if value.is_meta:
        return None
    before, gradient = value.detach().clone(), value.grad if value.is_leaf else None
    slope = None if gradient is None else gradient.clone()

    def changed() -> bool:
        now = value.grad if value.is_leaf else None
        if now is not gradient or (now is not None and not torch.equal(now, slope)):
            return True
        return not torch.equal(before, value)

    def restore() -> None:
        with torch.no_grad():
            value.copy_(before)
        if value.is_leaf:
            value.grad = None if slope is None else slope.clone()

    return Kept(changed=changed, restore=restore, each_call=True)


def _keep_array(numpy: Any, value: Any) -> Kept | None:
    before = value.copy()
    return Kept(
        changed=lambda: not _same_bits(numpy, value, before),
        restore=lambda: value.__setitem__(..., before),  # with its mask, where it has one
        each_call=True,
    )


def _same_bits(numpy: Any, value: Any, before: Any) -> bool:
    """Compare bit by bit, so that NaN is NaN; of objects, the identities."""
    plain = type(value) is numpy.ndarray  # of a masked array, the mask counts as well
    if not plain or value.dtype.hasobject or value.itemsize not in (1, 2, 4, 8):
        return bool(value.tobytes() == before.tobytes())
    word = f"u{value.itemsize}"  # no copies: on 64 MB they take five times as long
    return bool(numpy.array_equal(value.view(word), before.view(word)))


def _keep_state(
    get: Callable[[], Any],
    put: Callable[[Any], object],
    same: Callable[[Any, Any], bool] = lambda a, b: bool(a == b),
) -> Kept:
    before = get()
    return Kept(
        changed=lambda: not same(before, get()),
        restore=lambda: (put(before), None)[1],
        each_call=False,
    )


def _keep_optimizer(value: Any) -> Kept:
    """Moments are made by the first step; the parameters are kept with their module."""
    before = copy.deepcopy(value.state_dict())
    return Kept(
        changed=lambda: bool(value.state),
        restore=lambda: value.load_state_dict(before),
        each_call=True,
    )


def _keep_cache(value: Any) -> Kept:
    """Empty a cache before each call: it would give what it has given before."""
    before = value.cache_info().currsize
    return Kept(
        changed=lambda: value.cache_info().currsize != before,
        restore=value.cache_clear,
        each_call=True,
    )


def _keep_container(value: Any) -> Kept:
    before = value.copy()

    def changed() -> bool:
        if isinstance(value, set | bytearray):
            return bool(value != before)
        if len(value) != len(before):
            return True
        pairs = zip(_parts_of(value), _parts_of(before), strict=True)
        return not all(itertools.starmap(operator.is_, pairs))

    def restore() -> None:
        value.clear()
        value.update(before) if isinstance(value, dict | set) else value.extend(before)

    return Kept(changed=changed, restore=restore, each_call=True)


def _keep_numbers(value: Any) -> Kept:
    """Keep an `array.array`, by its bytes: NaN is no other number than NaN."""
    before = value.tobytes()

    def restore() -> None:
        del value[:]
        value.frombytes(before)

    return Kept(changed=lambda: value.tobytes() != before, restore=restore, each_call=True)


@functools.cache
def _keep_module(module: types.ModuleType) -> Kept:
    """Keep what a module holds as it was when the first of all sides met it: they share it."""
    held = _reach(vars(module), vars(module))
    kept = _keep_all(value for value in held if not isinstance(value, types.ModuleType))

    def restore() -> None:
        for one in changed_inputs(kept):
            one.restore()

    return Kept(changed=lambda: bool(changed_inputs(kept)), restore=restore, each_call=True)


def _parts_of(container: Any) -> Iterable[Any]:
    """Give what it holds, of a dict each key before its value."""
    if isinstance(container, dict):
        return itertools.chain.from_iterable(container.items())
    return container  # type: ignore[no-any-return]
