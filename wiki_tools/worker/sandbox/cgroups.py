"""Control groups that count processes: they bind a superuser too.

A group is made by whoever starts a worker, since a worker may see all of `/sys` read-only. The
worker holds a descriptor of the group's folder and makes a slot in it for each child that runs.
https://docs.kernel.org/admin-guide/cgroup-v2.html
"""

# ruff: noqa: PTH102, PTH106, PTH110, PTH112, PTH118, PTH120, PTH123, PTH208
# pathlib costs every forked child half a millisecond of page faults.

import contextlib
import os
import signal
import time
from collections.abc import Iterator

from wiki_tools.worker.sandbox import kernel

PREFIX = "wiki-"
MOUNTS = "/proc/self/mounts"
MEMBERSHIP = "/proc/self/cgroup"
DOOR, PLAIN_DOOR = "cgroup.procs", "tasks"
"""Of a slot. Through the second, which only version 1 has, a single thread moves, and a forked
child is no more than that. For a whole process all forks have to wait: 8 ms at times."""
_EMPTYING = 1.0
"""Seconds that ended processes may take to leave a group."""


def make_group() -> str:
    """Make a group whose slots can count processes; empty where this process may not."""
    for place in [*_places()] * 2:  # a new group may be taken for one that is left, once
        group = os.path.join(place, f"{PREFIX}{os.urandom(4).hex()}")
        try:
            _remove_empty(place)
            os.mkdir(group)
        except OSError:
            continue
        try:
            _delegate(group)
            os.mkdir(f"{group}/try")
            with open(f"{group}/try/pids.max", "w", encoding="ascii") as file:
                file.write("1")
        except OSError:
            remove_group(group)
            continue
        return group
    return ""


def _remove_empty(place: str) -> None:
    """Remove groups without slots: those of workers that ended after whoever started them."""
    for name in os.listdir(place):
        if name.startswith(PREFIX):
            with contextlib.suppress(OSError):  # it is in use
                os.rmdir(f"{place}/{name}")


def _places() -> Iterator[str]:
    """Where a group may be made: below this process's own and beside it, version 2 first."""
    try:
        mounts = [line.split(" ") for line in _lines(MOUNTS)]
        groups = [line.rstrip("\n").split(":", 2) for line in _lines(MEMBERSHIP)]
    except OSError:
        return
    for kind, wanted in (("cgroup2", ""), ("cgroup", "pids")):
        roots = [m[1] for m in mounts if m[2] == kind and wanted in ("", *m[3].split(","))]
        paths = [path for _, named, path in groups if wanted in named.split(",")]
        for root, path in zip(roots, paths, strict=False):
            yield root + path.rstrip("/")
            if path != "/":
                yield root + os.path.dirname(path).rstrip("/")


def _lines(file: str) -> list[str]:
    with open(file, encoding="utf-8", errors="surrogateescape") as stream:
        return stream.readlines()


def _delegate(group: str) -> None:
    """Let the slots of a group count; version 1 needs nothing for that."""
    control = f"{group}/cgroup.subtree_control"
    if not os.path.exists(control):
        return
    if not os.path.exists(f"{group}/pids.max"):
        parent = f"{os.path.dirname(group)}/cgroup.subtree_control"
        with open(parent, "w", encoding="ascii") as file:
            file.write("+pids")
    with open(control, "w", encoding="ascii") as file:
        file.write("+pids")


def remove_group(group: str) -> None:
    """Remove a group and its slots, and kill what still runs in them."""
    end = time.monotonic() + _EMPTYING
    while True:
        try:
            for name in os.listdir(group):
                if os.path.isdir(f"{group}/{name}"):
                    os.rmdir(f"{group}/{name}")
            os.rmdir(group)
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > end:
                return
            _kill_members(group)
            time.sleep(0.02)
        else:
            return


def _kill_members(group: str) -> None:
    """Kill what a worker that has ended has left in its slots: no other process is in them."""
    for name in os.listdir(group):
        with contextlib.suppress(OSError):  # no slot, or it has just ended
            for number in map(int, _lines(f"{group}/{name}/cgroup.procs")):
                if number > 1:  # 0 is a process that this namespace does not see
                    os.kill(number, signal.SIGKILL)


class Slots:
    """The slots of one group, each with room for the processes of one child."""

    def __init__(self, group: int, most: int) -> None:
        self._group = kernel.set_aside(group)
        self._door = PLAIN_DOOR if PLAIN_DOOR in os.listdir(group) else DOOR
        self._most = most
        self._free: list[int] = []
        self._made = 0
        self._names: dict[int, str] = {}
        """Door to the slot behind it."""

    def take(self) -> int:
        """Give a slot's door: a process of one thread that writes `0` to this descriptor is in it.

        Raises:
            OSError: no more slots can be made.
        """
        return self._free.pop() if self._free else self.make(self._most)

    def give_back(self, door: int) -> None:
        """Let another child use a slot."""
        self._free.append(door)

    def make(self, most: int) -> int:
        """Make a slot with room for `most` processes."""
        self._made += 1
        name = str(self._made)
        os.mkdir(name, dir_fd=self._group)
        file = os.open(f"{name}/pids.max", os.O_WRONLY, dir_fd=self._group)
        try:
            os.write(file, str(most).encode("ascii"))
        finally:
            os.close(file)
        door = os.open(f"{name}/{self._door}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self._group)
        self._names[door] = name
        return door

    def trim(self) -> None:
        """Remove all slots that are free but one."""
        while len(self._free) > 1:
            door = self._free.pop()
            os.close(door)
            with contextlib.suppress(OSError):  # processes are still ending in it
                os.rmdir(self._names[door], dir_fd=self._group)

    def remove(self) -> None:
        """Remove the slots, since whoever made the group may have been killed."""
        for name in ("try", *map(str, range(1, self._made + 1))):
            try:
                os.rmdir(name, dir_fd=self._group)
            except OSError:
                continue  # it is gone, or processes are still ending in it


def enter(door: int) -> None:
    """Move this process, which has one thread, and with it all that it starts, into a slot."""
    os.write(door, b"0")
