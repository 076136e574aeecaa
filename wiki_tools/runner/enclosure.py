"""How a worker is started so that it is confined before its first line."""

# ruff: noqa: PTH120
# Paths of a command are text.

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass

import wiki_tools
from wiki_tools.config import Config
from wiki_tools.errors import UsageError
from wiki_tools.protocol import not_held

REQUIRED = ("filesystem", "network")
"""What `--sandbox=require` refuses to run without."""
REMEDY = "install bubblewrap (bwrap), or use a kernel with Landlock (Linux 6.2 or newer)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """What surrounds one worker; `close` once it is started, `remove` once it has ended."""

    command: tuple[str, ...] = ()
    """What the worker's own command is put behind."""
    options: tuple[str, ...] = ()
    """What the worker is told about it."""
    refused: tuple[str, ...] = ()
    """What could not be had, and why."""
    group: str = ""
    """Folder of a control group in which its children are counted."""
    doors: tuple[int, ...] = ()
    """Descriptors that the worker inherits."""

    def code(self, code: int) -> int:
        """Read how a worker ended: an exit code, or minus the number of a signal."""
        return 128 - code if self.command and code > 128 else code

    def close(self) -> None:
        """Release what was only there to be inherited."""
        for door in self.doors:
            os.close(door)

    def remove(self) -> None:
        """Remove what the worker cannot remove from within."""
        if self.group:
            from wiki_tools.worker.sandbox import cgroups

            cgroups.remove_group(self.group)


def enclose(config: Config, folder: str, *, first: bool) -> Enclosure:
    """Choose what surrounds a worker that works in `folder`: the first that works here.

    Args:
        config: its `sandbox` says whether anything does.
        folder: the only one that it may write to.
        first: the worker is process 1 of its namespace, which its children cannot kill.
    """
    if config.sandbox == "off" or sys.platform != "linux":
        return Enclosure(options=("--sandbox", "off"))
    from wiki_tools.worker.sandbox import bubblewrap, cgroups
    from wiki_tools.worker.sandbox.terms import BUBBLEWRAP

    group = cgroups.make_group()
    doors = (os.open(group, os.O_RDONLY | os.O_DIRECTORY),) if group else ()
    options = ("--group", str(*doors)) if group else ()
    if trouble := bubblewrap.trouble():
        command: tuple[str, ...] = ()
        refused: tuple[str, ...] = (f"bubblewrap: {trouble}",)
    else:
        kept = (str(config.evidence),)  # who holds a lock on it keeps us from writing there
        around = bubblewrap.bubblewrap((folder,), _needed(config), first=first, empty=kept)
        command = tuple(around)
        options, refused = (*options, "--sandbox", BUBBLEWRAP), ()
    return Enclosure(command=command, options=options, refused=refused, group=group, doors=doors)


def _needed(config: Config) -> tuple[str, ...]:
    """Name what a worker reads: this package, the interpreter's packages, and the vault."""
    home = os.path.dirname(os.path.dirname(wiki_tools.__file__))
    # Packages lie where this interpreter finds them: a .pth may name any folder.
    paths = (*os.environ.get("PYTHONPATH", "").split(os.pathsep), *sys.path)
    python = (sys.prefix, sys.base_prefix, os.path.dirname(sys.executable))
    return (home, *python, str(config.root), *filter(os.path.isabs, paths))


def check_held(config: Config, held: Iterable[str], refused: Iterable[str]) -> None:
    """Refuse to go on where a sandbox is required and does not hold.

    Raises:
        UsageError: it names what does not hold, why, and the remedy.
    """
    missing = [name for name in not_held(held) if name in REQUIRED]
    if config.sandbox == "require" and missing:
        reasons = "; ".join(refused) or f"there is none on {sys.platform}"
        raise UsageError(
            f"--sandbox=require: {' and '.join(missing)} would lie open to snippets "
            f"({reasons}); {REMEDY}"
        )
