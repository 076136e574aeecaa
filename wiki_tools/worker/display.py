"""What a cell shows beside its text: the value of its last expression, and figures."""

import binascii
import io
import sys
from collections.abc import Iterator
from typing import Any

TEXT_CAP = 16 << 10
"""Characters of a value's text."""
FIGURE_CAP = 256 << 10
"""Bytes of one figure: evidence is committed to git."""
PYPLOT = "matplotlib.pyplot"
MANY = 10_000
"""Items of a container above which writing it out is not worth the time."""


def show_value(value: Any) -> dict[str, str]:
    """Write a value as a notebook would; empty for None.

    Raises:
        BaseException: whatever the value's own `__repr__` raises.
    """
    if value is None:
        return {}
    if isinstance(value, (str, bytes, list, tuple, dict, set)) and len(value) > MANY:
        return {"text/plain": f"<{type(value).__name__} of {len(value):,} items>"}
    text = repr(value)
    if len(text) > TEXT_CAP:
        text = f"{text[:TEXT_CAP]}… {len(text) - TEXT_CAP:,} more characters"
    return {"text/plain": text}


def take_figures() -> Iterator[dict[str, str]]:
    """Write out and close every open matplotlib figure, where pyplot is in use."""
    pyplot: Any = sys.modules[PYPLOT]
    for number in pyplot.get_fignums():
        yield _figure(pyplot.figure(number))
        pyplot.close(number)


def _figure(figure: Any) -> dict[str, str]:
    rc: Any = sys.modules["matplotlib"]
    with rc.rc_context({"svg.hashsalt": "wiki"}):  # the same figure gives the same text
        vector = _render(figure, "svg", {"Date": None})
    if len(vector) <= FIGURE_CAP:
        return {"image/svg+xml": vector.decode("utf-8")}
    raster = _render(figure, "png", {})
    if len(raster) <= FIGURE_CAP:
        return {"image/png": binascii.b2a_base64(raster, newline=False).decode("ascii")}
    return {"text/plain": f"<a figure of {len(raster):,} bytes, more than is kept>"}


def _render(figure: Any, kind: str, metadata: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, bbox_inches="tight", metadata=metadata)
    return stream.getvalue()
