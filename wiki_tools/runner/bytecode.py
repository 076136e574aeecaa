"""Compiled modules for workers, which see this package read-only and could not keep any."""

import importlib.util
import os
import sys

from wiki_tools import worker

NEWEST = "zygote.py"
"""A module that only a worker imports: where its bytecode is kept, that of the others is."""


def keep_bytecode() -> None:
    """Compile what only workers import, where that has not been done: 40 ms of each one's start.

    pip does so when it installs. uv does not, and nobody does in a checkout.
    """
    folder = os.path.dirname(worker.__file__)  # noqa: PTH120 - text is what `compileall` takes
    if sys.dont_write_bytecode or _is_kept(f"{folder}/{NEWEST}"):
        return
    import compileall

    compileall.compile_dir(folder, quiet=2)  # says nothing where nothing can be written


def _is_kept(file: str) -> bool:
    try:
        kept = os.stat(importlib.util.cache_from_source(file))  # noqa: PTH116 - as above
        return kept.st_mtime >= os.stat(file).st_mtime  # noqa: PTH116
    except (OSError, NotImplementedError):
        return False
