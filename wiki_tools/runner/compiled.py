"""Keeps what torch.compile and JAX have compiled between runs, one folder a snippet.

Both run what they find in such a folder: whoever can write there decides what that is. So a
child works on a copy in its own scratch folder, and only what a child has left there comes back
under the digest of the very code that ran in it. All of it can be deleted at any time.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from wiki_tools.cache import user_folder
from wiki_tools.protocol import Job
from wiki_tools.worker.scratch import remove_scratch

VERSION = 2
"""Of the folders. 2: `inductor` and `triton`, as torch 2.13 writes them, and `jax`."""
LARGEST = 256 << 20
"""Bytes that are kept of one snippet."""
MOST = 10_000
"""Files that are kept of one snippet."""
DEEPEST = 32
"""Folders inside one another; torch makes four, and a thousand are more than Python can walk."""
LEFT = 3600.0
"""Seconds after which a folder that was being written belongs to nobody."""
CAPACITY = 2 << 30
"""Bytes that are kept of all; what was used least recently goes first."""


CLOCKS = ("perf_counter", "process_time", "monotonic", "time.time", "seconds(")
"""What tells a snippet how long something took."""


def is_kept(job: Job) -> bool:
    """Say whether what a job compiles may serve it again.

    The vault's own modules are no part of the job, so that its digest would not tell two versions
    of them apart.
    """
    if job.folders:
        return False
    return "jax" in job.frameworks or any("torch.compile" in c.code for c in job.every_cell)


def is_lent(job: Job) -> bool:
    """Say whether what it compiled the last time serves a job now.

    The first round of a measurement times the compilation itself, and so may a snippet that
    looks at a clock: it would pass or fail by whether it has run before.
    """
    if job.pairings:
        return is_kept(job) and job.again
    return is_kept(job) and not any(clock in cell.code for cell in job.cells for clock in CLOCKS)


class Compiled:
    """The folder of all that was compiled; it takes folders in and gives copies of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_user(cls) -> "Compiled | None":
        """Keep it in the user's cache folder; None where there is no such thing."""
        base = user_folder()
        return cls(base / "compiled") if base else None

    def lend(self, job: Job, to: Path) -> None:
        """Copy what a job compiled the last time into a new folder, if anything was kept."""
        kept = self._folder / digest_of(job)
        try:
            os.utime(kept)
            copy_files(kept, to)
        except OSError:  # nothing was kept, or no room is left: half a kernel is worse than none
            remove_scratch(str(to))

    def take(self, job: Job, source: Path) -> None:
        """Keep what a job has compiled, in the place of what was kept of it before.

        Written aside and moved into place. Where that cannot be done, nothing is kept.
        """
        kept = self._folder / digest_of(job)
        with contextlib.suppress(OSError):
            if list_files(source) == list_files(kept):
                return
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=self._folder, prefix=".") as aside:
                copy_files(source, Path(aside, "new"))
                if kept.exists():
                    kept.rename(Path(aside, "old"))
                Path(aside, "new").rename(kept)
            self._trim()

    def forget(self, job: Job) -> None:
        """Keep nothing of a job: it has failed on what was kept, which may be damaged."""
        shutil.rmtree(self._folder / digest_of(job), ignore_errors=True)

    def _trim(self) -> None:
        """Remove what was used least recently, until the rest is no more than may be kept.

        What a process was writing that was killed goes as well.
        """
        every = list(self._folder.iterdir())
        for entry in every:
            if entry.name.startswith(".") and time.time() - entry.stat().st_mtime > LEFT:
                shutil.rmtree(entry, ignore_errors=True)
        folders = [entry for entry in every if not entry.name.startswith(".")]
        room = CAPACITY
        for folder in sorted(folders, key=lambda f: f.stat().st_mtime, reverse=True):
            room -= sum(list_files(folder).values())
            if room < 0:
                shutil.rmtree(folder, ignore_errors=True)


def digest_of(job: Job) -> str:
    """Digest exactly what runs: two jobs of one digest are the same code on the same software."""
    shown = [VERSION, sys.version, _software(), job.device, job.frameworks, job.threads, job.raises]
    shown += [(p.metric, p.off, len(p.candidate)) for p in job.pairings]
    cells = [repr((c.role, c.code, c.timed)) for c in job.every_cell]
    text = "\n".join([*map(repr, shown), *cells])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _software() -> tuple[str, ...]:
    # 20 ms, seldom needed
    from wiki_tools.environment import compiler_name, processor_name, resolve_versions

    return *resolve_versions(("jax", "torch")).values(), compiler_name(), processor_name()


def list_files(folder: Path) -> dict[str, int]:
    """Give the size of each regular file below a folder; empty where there is none.

    Raises:
        OSError: there are too many to keep, or they lie too deep.
    """
    found: dict[str, int] = {}
    if folder.is_symlink():
        return found
    for base, _, names in os.walk(folder):
        if len(Path(base).relative_to(folder).parts) > DEEPEST:
            raise OSError(f"{folder}: more than {DEEPEST} folders in one another")
        for name in names:
            file = Path(base, name)
            seen = file.lstat()
            if stat.S_ISREG(seen.st_mode):
                found[str(file.relative_to(folder))] = seen.st_size
        if len(found) > MOST:
            raise OSError(f"{folder}: more than {MOST:,} files")
    return found


def copy_files(source: Path, to: Path) -> None:
    """Copy the regular files of a folder that a snippet has written, links and pipes left out.

    Raises:
        OSError: they are too large to keep, or cannot be copied.
    """
    files = list_files(source)
    if sum(files.values()) > LARGEST:
        raise OSError(f"{source}: more than {LARGEST:,} bytes")
    to.mkdir(mode=0o700)
    for name in files:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(source / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as read, target.open("wb") as write:  # noqa: PTH123 - a descriptor
            shutil.copyfileobj(read, write)
