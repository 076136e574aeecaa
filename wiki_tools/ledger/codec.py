"""Turns JSON values into dataclasses fast, refusing what does not fit.

`protocol.build` does the same with a place in every message; reading the evidence of a thousand
snippets with it takes 0.27 s, with readers that are made once for each type 0.07 s.
"""

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Reader = Callable[[Any], Any]


def read_value(kind: type[T], value: Any) -> T:
    """Make a `kind` of plain JSON values.

    Raises:
        ValueError: a field is unknown, missing or of another type.
    """
    reader: Reader = _reader(typing.cast(Any, kind))
    return typing.cast(T, reader(value))


@functools.cache
def _reader(kind: Any) -> Reader:
    """Make the reader of a type, once."""
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):  # here always: something or None
        inner = _reader(arguments[0])
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is dict:
        return _mapping_reader(_reader(arguments[1]))
    if issubclass(kind, enum.Enum):
        return typing.cast(Reader, kind)
    return functools.partial(_plain, kind)


def _plain(kind: type, value: Any) -> Any:
    if type(value) is kind:  # a bool is an int to isinstance, and no number of samples
        return value
    if kind is float and type(value) is int:
        try:
            return float(value)
        except OverflowError as error:
            raise ValueError(str(error)) from None
    raise ValueError(f"expected {kind.__name__}, not {value!r:.60}")


def _record_reader(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {f.name: _reader(hints[f.name]) for f in dataclasses.fields(kind)}

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise ValueError(f"expected a {kind.__name__}, not {value!r:.60}")
        try:
            return kind(**{name: readers[name](part) for name, part in value.items()})
        except KeyError as error:
            raise ValueError(f"a {kind.__name__} has no field {error}") from None
        except TypeError as error:  # a field without a default is missing
            raise ValueError(str(error)) from None

    return read


def _tuple_reader(kinds: tuple[Any, ...]) -> Reader:
    readers = [_reader(kind) for kind in kinds if kind is not ...]

    def read(value: Any) -> Any:
        if type(value) is not list:
            raise ValueError(f"expected a list, not {value!r:.60}")
        if kinds[-1] is not ...:
            if len(value) != len(readers):
                raise ValueError(f"expected {len(readers)} items, not {len(value)}")
            return tuple(reader(part) for reader, part in zip(readers, value, strict=True))
        if kinds[0] is float and set(map(type, value)) <= {float}:
            return tuple(value)
        return tuple(map(readers[0], value))

    return read


def _mapping_reader(reader: Reader) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise ValueError(f"expected an object, not {value!r:.60}")
        return {name: reader(part) for name, part in value.items()}

    return read
