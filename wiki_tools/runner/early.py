"""Starts the parent that pages seem to need while they are still being read.

Importing torch takes a second, and this package a third of one: both at once on two cores. What is
guessed is only which parent will be needed. Where none is, it ends before anything runs.
"""

import contextlib
import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from wiki_tools.config import Config
from wiki_tools.runner import Closing
from wiki_tools.runner.compiled import Compiled
from wiki_tools.runner.folders import WorkFolder
from wiki_tools.runner.parent import Parent
from wiki_tools.runner.queue import WORTH_IMPORTING, Key
from wiki_tools.tree import find_files

TORCH = re.compile(rb"\btorch\b")
DYNAMO = re.compile("|".join(map(re.escape, WORTH_IMPORTING["torch._dynamo"])).encode())
SIGNS = (
    ((re.compile(rb"torch\.compile"),), ("torch", "torch.compile")),
    ((TORCH, DYNAMO), ("torch", "torch._dynamo")),
    ((TORCH,), ("torch",)),
    ((re.compile(rb"\bjax\b"),), ("jax",)),
    ((re.compile(rb"\b(?:numpy|np)\b"),), ("numpy",)),
)
"""What a page says, all of it, and what its parent imports: what takes longest first."""
CODE = re.compile(rb"^ *(?:```+|~~~+) *\{?\.?(?:py|python|python3)\b", re.MULTILINE)
MANY = 100
"""Pages that are looked at: in a large wiki, a guess is not worth reading all of it."""


class Early(Closing):
    """A parent that waits for somebody to need it, or none."""

    def __init__(self, parent: Parent | None = None, folder: WorkFolder | None = None) -> None:
        self._parent, self._folder = parent, folder

    @classmethod
    def start(cls, key: Key, config: Config, jobs: int, compiled: Compiled | None) -> "Early":
        """Start the parent of a key."""
        folder = WorkFolder()
        with contextlib.suppress(OSError):  # is told when something is to be written
            config.evidence.mkdir(parents=True, exist_ok=True)  # a sandbox hides what is there
        try:
            return cls(Parent.start(key, config, folder.parent(0), jobs, compiled), folder)
        except BaseException:
            folder.remove()
            raise

    def take(self, keys: Iterable[Key]) -> Parent | None:
        """Give the parent to whoever needs it, once; one that is not among `keys` ends."""
        parent, self._parent = self._parent, None
        if parent is not None and parent.key not in keys:
            parent.give_up()
            return None
        return parent

    def close(self) -> None:
        """End it, if nobody has taken it; who has taken it has ended it by now."""
        self.take(())
        if self._folder is not None:
            self._folder.remove()
            self._folder = None


def guess_key(
    config: Config, device: str, folder: str, paths: Sequence[Path], *, every: bool
) -> Key | None:
    """Guess which parent will be needed: by pages that are newer than all evidence in `folder`.

    Args:
        config: says where pages and evidence lie.
        device: where they will run.
        folder: of the evidence.
        paths: files and folders that are asked for; without any, all are.
        every: all of them will run.
    """
    since = 0.0 if every else _newest(config.evidence / folder)
    needed = {_imports(text) for text in _changed(config, paths, since) if CODE.search(text)}
    first = next((imports for _, imports in SIGNS if imports in needed), ())
    return (device, first) if needed else None


def _imports(text: bytes) -> tuple[str, ...]:
    return next((imports for signs, imports in SIGNS if all(s.search(text) for s in signs)), ())


def _newest(evidence: Path) -> float:
    newest = 0.0
    for file in evidence.rglob("*.json"):
        with contextlib.suppress(OSError):  # a link that leads nowhere, or replaced just now
            newest = max(newest, file.stat().st_mtime)
    return newest


def _changed(config: Config, paths: Sequence[Path], since: float) -> Iterator[bytes]:
    """What pages hold that have been changed since then, as far as they can be read."""
    places = {os.path.realpath(path) for path in paths}  # a loop of links is itself
    files = [Path(file) for _, file in find_files(config.docs).pages]
    if places:
        files = [file for file in files if _is_below(os.path.realpath(file), places)]
    for file in files[:MANY]:
        with contextlib.suppress(OSError):
            if file.stat().st_mtime > since:
                yield file.read_bytes()


def _is_below(file: str, places: Container[str]) -> bool:
    """Whether a file, or a folder around it, is one of many places."""
    return file in places or any(str(folder) in places for folder in Path(file).parents)
