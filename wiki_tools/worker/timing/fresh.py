"""Gives a program other inputs: an answer that it only remembers is then a wrong or a slow one."""

import array
import itertools
import os
import sys
import types
from collections import deque
from collections.abc import Iterable, Mapping, MutableMapping
from numbers import Number
from typing import Any

from wiki_tools.worker.timing.inputs import ATOMS, holds_promise

NUMBERS = ATOMS - {str, bytes}
DEEPEST = 50
"""Levels of nested values; of what is deeper, such as a long linked list, nothing is said."""


def refresh(namespace: MutableMapping[str, Any], fresh: Mapping[str, Any]) -> bool:
    """Write the values of a second, differently seeded set-up into the first, in place.

    Objects stay the same ones, so that an answer cached by identity is found out. Only what
    cannot be changed (a number, a text, a tuple) is replaced.

    Returns:
        False where both do not match, so that nothing can be said.
    """
    shared = [name for name in fresh if name in namespace and not name.startswith("__")]
    if any(holds_promise(namespace[name]) for name in shared):
        return False  # a traced function may have taken it for a constant
    renewal = Renewal(namespace, fresh)
    try:
        for name in shared:
            old, new = namespace[name], fresh[name]
            if isinstance(new, Number) and type(old) is not type(new):
                return False
            namespace[name] = renewal.renew(old, new)
    except (RuntimeError, TypeError, ValueError):  # read-only, inference mode, other shapes
        return False
    return True


class Renewal:
    """Takes values of a set-up over into those of another one, each once."""

    def __init__(self, home: Mapping[str, Any], away: Mapping[str, Any]) -> None:
        self._home, self._away = home, away
        self._done: dict[int, tuple[Any, Any]] = {}
        """By the identity of an old value: itself, which keeps that its own, and what it became."""

    def renew(self, old: Any, new: Any, depth: int = 0) -> Any:
        """Give what takes the place of `old`: itself, changed in place, wherever that can be.

        Raises:
            ValueError: they do not match, or are nested too deeply.
        """
        if old is new:
            return old
        if isinstance(new, Number):
            return new if isinstance(old, Number) else old
        if isinstance(new, str | bytes):
            # What it names may be gone with the second set-up. Of a long text pathlib raises.
            known = type(old) is not type(new) or os.path.exists(new)  # noqa: PTH110
            return old if known else new
        if id(old) not in self._done:
            if depth > DEEPEST:
                raise ValueError("nested too deeply")
            self._done[id(old)] = old, old
            self._done[id(old)] = old, self._renew_parts(old, new, depth + 1)
        return self._done[id(old)][1]

    def _renew_parts(self, old: Any, new: Any, depth: int) -> Any:
        if arrays := _arrays(old):
            for one, other in zip(arrays, _arrays(new), strict=True):
                _copy_into(one, other)
            return old
        if isinstance(old, types.FunctionType) and isinstance(new, types.FunctionType):
            self._renew_enclosed(old, new, depth)
        elif self._are_own(old, new):
            self._renew_mapping(vars(old), vars(new), depth)
        if type(old) is not type(new):
            return old
        if isinstance(old, tuple):
            return self._renew_tuple(old, new, depth)
        if isinstance(old, list | deque):
            parts = self._renew_sequence(old, new, depth)
            old.clear()
            old.extend(parts)
        elif isinstance(old, dict):
            if old.keys() != new.keys():
                old.clear()
            self._renew_mapping(old, new, depth)
        elif isinstance(old, set):
            old.clear()
            old.update(new)
        elif isinstance(old, bytearray | array.array):
            old[:] = new
        return new if isinstance(old, frozenset) else old

    def _renew_sequence(self, old: Any, new: Any, depth: int) -> list[Any]:
        if len(old) != len(new) or NUMBERS.issuperset(map(type, itertools.chain(old, new))):
            return list(new)
        return [self.renew(*pair, depth) for pair in zip(old, new, strict=True)]

    def _renew_tuple(self, old: Any, new: Any, depth: int) -> Any:
        parts = self._renew_sequence(old, new, depth)
        if len(old) == len(parts) and all(a is b for a, b in zip(old, parts, strict=True)):
            return old
        return tuple(parts) if type(old) is tuple else type(old)._make(parts)

    def _renew_mapping(self, old: Any, new: Mapping[Any, Any], depth: int) -> None:
        for key, value in new.items():
            old[key] = self.renew(old[key], value, depth) if key in old else value

    def _renew_enclosed(self, old: Any, new: Any, depth: int) -> None:
        """Take over what a function of the program holds of its set-up in a closure."""
        if old.__globals__ is not self._home or new.__globals__ is not self._away:
            return
        for one, other in zip(old.__closure__ or (), new.__closure__ or (), strict=True):
            one.cell_contents = self.renew(one.cell_contents, other.cell_contents, depth)

    def _are_own(self, old: Any, new: Any) -> bool:
        """Whether both are objects of one class of the program, or bare namespaces."""
        if isinstance(old, type) or not (hasattr(old, "__dict__") and hasattr(new, "__dict__")):
            return False
        one, other = type(old), type(new)
        if one is other is types.SimpleNamespace:
            return True
        own = self._home.get("__name__")
        return one.__module__ == other.__module__ == own and one.__name__ == other.__name__


def _arrays(value: Any) -> list[Any]:
    """Give a tensor or an array, or those that a module of torch has learned or counts in."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch and isinstance(value, torch.nn.Module):
        return [*value.parameters(), *value.buffers()]
    kinds: Iterable[Any] = (torch and torch.Tensor, numpy and numpy.ndarray)
    return [value] if isinstance(value, tuple(k for k in kinds if isinstance(k, type))) else []


def _copy_into(old: Any, new: Any) -> None:
    if type(old) is not type(new) or old.shape != new.shape:
        raise ValueError("arrays of another kind or shape")
    torch = sys.modules.get("torch")
    if torch and isinstance(old, torch.Tensor):
        with torch.no_grad():
            old.copy_(new)
    else:
        sys.modules["numpy"].copyto(old, new)
