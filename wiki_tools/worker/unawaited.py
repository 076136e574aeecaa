"""Notices coroutines that were made and never awaited: what they hold did not run."""

import warnings
from typing import Any

_dropped: list[str] = []
"""Names of those that nothing holds any more."""


async def _nothing() -> None:
    """Only has a type, which `types` may not have any more when a snippet has run."""


_unstarted = _nothing()
_COROUTINE: Any = type(_unstarted)
_unstarted.close()


def listen() -> None:
    """Take note of coroutines that are dropped from now on; Python tells `warnings` of them."""
    _dropped.clear()
    tell = warnings._warn_unawaited_coroutine  # type: ignore[attr-defined]

    def note(coroutine: Any) -> None:
        _dropped.append(str(coroutine.__qualname__))
        tell(coroutine)

    warnings._warn_unawaited_coroutine = note  # type: ignore[attr-defined]


def find_unawaited(namespace: dict[str, Any]) -> str:
    """Name a coroutine that was dropped, or that a namespace still holds; empty where none."""
    for value in namespace.values():
        if type(value) is _COROUTINE and value.cr_frame is not None and value.cr_frame.f_lasti < 0:
            return str(value.__qualname__)
    return _dropped[0] if _dropped else ""
