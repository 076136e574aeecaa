"""Snippets as plain tuples, as a cache keeps them, and back.

How a type is packed is made of its fields, once: what is added to a snippet is kept as well.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any

from wiki_tools.snippets.types import Snippet

Turn = Callable[[Any], Any]


def pack_snippets(snippets: tuple[Snippet, ...]) -> tuple[Any, ...]:
    """Make tuples, texts and numbers of snippets."""
    packed: tuple[Any, ...] = _packer(tuple[Snippet, ...])(snippets)
    return packed


def unpack_snippets(packed: tuple[Any, ...]) -> tuple[Snippet, ...]:
    """Make snippets of what `pack_snippets` gave."""
    snippets: tuple[Snippet, ...] = _unpacker(tuple[Snippet, ...])(packed)
    return snippets


@functools.cache
def _packer(kind: Any) -> Turn:
    return _turn(kind, _packer, _record_packer)


@functools.cache
def _unpacker(kind: Any) -> Turn:
    return _turn(kind, _unpacker, _record_unpacker)


def _turn(kind: Any, inner: Callable[[Any], Turn], record: Callable[[Any], Turn]) -> Turn:
    """What turns a value of a type into its other form."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        return record(kind)
    if origin in (typing.Union, types.UnionType):  # here always: something or None
        turn = inner(arguments[0])
        return lambda value: None if value is None else turn(value)
    if origin is tuple and arguments[-1] is ... and not _is_plain(arguments[0]):
        turn = inner(arguments[0])
        return lambda values: tuple([turn(value) for value in values])
    if not _is_plain(kind):
        raise TypeError(f"nothing packs a {kind}")
    return _same


def _is_plain(kind: Any) -> bool:
    """Whether values of a type can be kept as they are."""
    if kind in (str, int, float, bool, bytes):
        return True
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    inner = [argument for argument in arguments if argument is not ...]
    return origin in (tuple, dict, frozenset) and all(map(_is_plain, inner))


def _same(value: Any) -> Any:
    return value


def _fields(kind: Any) -> dict[str, Any]:
    """A type's fields that its constructor takes, with their types."""
    hints = typing.get_type_hints(kind)
    if dataclasses.is_dataclass(kind):
        return {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return {name: hints[name] for name in kind._fields}


def _record_packer(kind: Any) -> Turn:
    turns = [(name, _packer(hint)) for name, hint in _fields(kind).items()]

    def pack(value: Any) -> tuple[Any, ...]:
        return tuple([turn(getattr(value, name)) for name, turn in turns])

    return pack


def _record_unpacker(kind: Any) -> Turn:
    fields = _fields(kind)
    names, turns = list(fields), [_unpacker(hint) for hint in fields.values()]
    told = [(index, turn) for index, turn in enumerate(turns) if turn is not _same]

    def unpack(packed: tuple[Any, ...]) -> Any:
        values = list(packed)
        for index, turn in told:
            values[index] = turn(values[index])
        return kind(**dict(zip(names, values, strict=True)))

    return unpack
