"""What a worker and its children are held to: each mechanism is tried, and what holds is said."""

# ruff: noqa: PTH102, PTH106, PTH123, PTH208
# pathlib costs every forked child half a millisecond of page faults.

import errno
import os
import resource
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wiki_tools.worker.sandbox import cgroups, kernel, landlock, namespaces, seccomp
from wiki_tools.worker.sandbox.terms import BUBBLEWRAP, SHARED, devices
from wiki_tools.worker.scratch import remove_path

OFF = "off"
PROCESSES = 128 + 16 * (os.cpu_count() or 1)
"""Processes and threads of one child; XLA starts several threads a core."""
SHARED_MEMORY = "/dev/shm"
PLAIN = ("/dev/null", SHARED_MEMORY)
"""What a program may write to beside its folder and a GPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What holds one child: made by its parent before the fork, entered by the child."""

    spoken: int = 0
    """Landlock's version; 0 where there is none."""
    rules: int = -1
    """Landlock's, as a descriptor."""
    door: int = -1
    """Of a slot among control groups."""
    most: int = 0
    """Processes in a user namespace of the child's own; 0 where something else counts them."""

    deaf: bool = False
    """Its parent ignores interruptions, which it must not."""

    def enter(self) -> None:
        """Hold this process, and all that it will start, to what its parent prepared."""
        if self.deaf:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.door >= 0:
            cgroups.enter(self.door)
        if self.most:
            resource.setrlimit(resource.RLIMIT_NPROC, (self.most, self.most))
            namespaces.enter_user_namespace()
        if self.rules >= 0:
            landlock.restrict(self.spoken, self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What surrounds a worker, and what its children get besides."""

    held: tuple[str, ...] = ()
    """`property:mechanism`, as `wiki_tools.protocol.PROPERTIES` lists them."""
    refused: tuple[str, ...] = ()
    """What could not be had here, and why: `landlock: the kernel has none`."""
    spoken: int = 0
    allowances: landlock.Allowances = ()
    """What a child may write to beside its own folder."""
    slots: cgroups.Slots | None = None
    most: int = 0
    deaf: bool = False
    hidden: bool = False
    """The machine's shared memory is not seen."""

    @property
    def shields(self) -> bool:
        """Whether a child that does nothing yet is safe from one that runs."""
        return bool(self.spoken) and not self.deaf

    def guard(self, folder: str) -> Guard:
        """Prepare what will hold the child that works in `folder`."""
        rules = -1
        if self.spoken:
            rules = landlock.make_rules(self.spoken, folder, self.allowances)
        door = self.slots.take() if self.slots is not None else -1
        return Guard(spoken=self.spoken, rules=rules, door=door, most=self.most, deaf=self.deaf)

    def release(self, guard: Guard) -> None:
        """Take back what a child that has ended was given."""
        if guard.rules >= 0:
            os.close(guard.rules)
        if guard.door >= 0 and self.slots is not None:
            self.slots.give_back(guard.door)

    def trim(self) -> None:
        """Give back most of what is kept for children, when none is left."""
        if self.slots is not None:
            self.slots.trim()

    def close(self) -> None:
        """Give back what was made for children; all of them must have ended."""
        if self.slots is not None:
            self.slots.remove()

    def sweep(self, since: float | None) -> None:
        """Remove what snippets left in shared memory, where that is this sandbox's own.

        Args:
            since: what is newer may be in use; None where nothing is.
        """
        if not self.hidden:
            return
        for name in os.listdir(SHARED_MEMORY):
            path = f"{SHARED_MEMORY}/{name}"
            if since is None or os.lstat(path).st_ctime < since:
                remove_path(path)


def enter_sandbox(how: str, folder: str, group: int = -1, *, watched: bool = True) -> Sandbox:
    """Confine this worker as far as the machine allows, and find out how to confine its children.

    Must come before anything starts a thread.

    Args:
        how: `off`; `bubblewrap` where that surrounds this process already; else nothing.
        folder: below it, and nowhere else, this worker and its children may write.
        group: descriptor of the folder of a control group; -1 where there is none.
        watched: somebody counts the processes of children, where the kernel does not.
    """
    if how == OFF:
        return Sandbox(held=("sandbox:off",))
    refused: list[str] = []
    held = [*_surround(how, folder, refused)]
    spoken = landlock.version()
    if not spoken:
        refused.append("landlock: the kernel has none")
    allowances = landlock.allow(spoken, (*PLAIN, *devices())) if spoken else ()
    ruled = [*_try_rules(Sandbox(spoken=spoken, allowances=allowances), folder)]
    held += ruled
    if "filesystem:landlock" not in held and os.getuid() == 0 and how != BUBBLEWRAP:
        held = [each for each in held if each != "filesystem:namespace"]  # it may write to disks
    deaf = "signals:landlock" not in ruled
    if deaf:  # the first process of a namespace is then as deaf to other signals of its children
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    slots, most = _count_processes(group)
    counted = "cgroup" if slots else "namespace" if most else "watchdog" if watched else ""
    return Sandbox(
        held=tuple(sorted((*held, *([f"processes:{counted}"] if counted else [])))),
        refused=tuple(refused),
        spoken=spoken if ruled else 0,
        allowances=allowances,
        slots=slots,
        most=most,
        deaf=deaf,
        hidden="filesystem:bubblewrap" in held or "filesystem:namespace" in held,
    )


def _surround(how: str, folder: str, refused: list[str]) -> Iterator[str]:
    """Hide the machine from this process, give up privileges, and say what that holds."""
    name = how or "namespace"
    if how == BUBBLEWRAP:
        kernel.set_parent_death_signal(signal.SIGKILL)
        yield from ("signals:bubblewrap", "descendants:bubblewrap")
    else:
        refused += _attempt("namespaces", lambda: _enter_namespaces(folder))
    if os.statvfs("/").f_flag & os.ST_RDONLY:
        yield f"filesystem:{name}"
    if _is_offline():
        yield f"network:{name}"
    elif not (trouble := _attempt("seccomp", seccomp.refuse_sockets)):
        yield "network:seccomp"
    else:
        refused += trouble
    refused += _attempt("seccomp", seccomp.refuse_keys)
    if not (trouble := _attempt("capabilities", kernel.drop_capabilities)):
        yield "privileges:dropped"
    refused += trouble


def _enter_namespaces(folder: str) -> None:
    """Enter them where all of that works: half of it would leave no network, and no way back."""
    pid = os.fork()
    if pid == 0:
        number = errno.EPERM
        try:
            namespaces.enter_namespaces((folder,), SHARED)
            number = 0
        except OSError as error:
            number = error.errno or number
        finally:
            os._exit(number)
    if number := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise OSError(number, os.strerror(number))
    namespaces.enter_namespaces((folder,), SHARED)


def _attempt(name: str, action: Callable[[], None]) -> list[str]:
    """Do something that a kernel may refuse; say so where it does."""
    try:
        action()
    except OSError as error:
        return [f"{name}: {error.strerror or error}"]
    return []


def _is_offline() -> bool:
    """Say whether this process sees no network but its own."""
    with open("/proc/net/dev", encoding="ascii") as file:
        return {line.partition(":")[0].strip() for line in file.readlines()[2:]} <= {"lo"}


def _try_rules(sandbox: Sandbox, folder: str) -> Iterator[str]:
    """Try Landlock in a child, and say what it holds there."""
    if not sandbox.spoken:
        return
    scratch = f"{folder}/try"
    os.mkdir(scratch)

    def is_held(refused: Callable[[], object]) -> bool:
        guard = sandbox.guard(scratch)
        try:
            return _is_refused_in_child(guard.enter, refused)
        finally:
            sandbox.release(guard)

    parent = os.getpid()
    if sandbox.spoken >= landlock.TRUNCATES and is_held(lambda: os.mkdir(f"{folder}/outside")):
        yield "filesystem:landlock"
    if is_held(lambda: os.kill(parent, 0)):
        yield "signals:landlock"
    os.rmdir(scratch)


def _count_processes(group: int) -> tuple[cgroups.Slots | None, int]:
    """Find what can bound the processes of a child: the first that does when it is tried."""
    if group >= 0:
        slots = cgroups.Slots(group, PROCESSES)
        try:
            door = slots.make(1)
            try:
                if _is_refused_in_child(lambda: cgroups.enter(door), _fork):
                    return slots, 0
            finally:
                os.close(door)
        except OSError:
            pass  # a group in which no slot can be made is none
    if _is_refused_in_child(Guard(most=1).enter, _fork):
        return None, PROCESSES
    return None, 0


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _is_refused_in_child(enter: Callable[[], None], action: Callable[[], object]) -> bool:
    """Say whether the kernel refuses `action` to a child that has done `enter`."""
    pid = os.fork()
    if pid == 0:
        refused = False
        try:
            enter()
            try:
                action()
            except (PermissionError, BlockingIOError):
                refused = True
        finally:
            os._exit(0 if refused else 1)
    return os.waitpid(pid, 0)[1] == 0
