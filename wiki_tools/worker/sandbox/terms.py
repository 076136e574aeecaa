"""What is the same within a sandbox and for whoever makes it."""

import os

BUBBLEWRAP = "bubblewrap"
SHARED = 1 << 30
"""Bytes that `/dev/shm` may hold, for the children of one worker together."""
_CARDS = ("nvidia", "dri", "kfd")


def devices() -> list[str]:
    """Name what programs reach a GPU through."""
    return sorted(f"/dev/{name}" for name in os.listdir("/dev") if name.startswith(_CARDS))  # noqa: PTH208
