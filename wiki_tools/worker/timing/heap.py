"""Has the C library keep what a process frees, as in one that has worked for a while.

glibc gives an array of over 128 KiB back to the system when it is freed, and the next one meets
its pages anew, until the process has once freed one that is larger: from then on it keeps those
that are smaller (`M_MMAP_THRESHOLD` of mallopt(3)). Whether a page's code, or only an import,
has done so before is luck: of two runs of the same code one would fault all pages in, call after
call, and the other none.
"""

KEPT = (32 << 20) - (1 << 16)
"""Bytes of the largest array that glibc may keep: its `DEFAULT_MMAP_THRESHOLD_MAX` on 64 bits, less
room for what surrounds an array."""


def keep_what_is_freed() -> None:
    """Free once the largest array that may be kept; nothing has touched it, so it costs 0.04 ms."""
    bytes(KEPT)
