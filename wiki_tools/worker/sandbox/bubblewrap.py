"""Bubblewrap: a program that starts another one in namespaces of its own.

It is allowed to where unprivileged namespaces are not, and hides what lies open to any process.
https://github.com/containers/bubblewrap
"""

# ruff: noqa: PTH110, PTH111, PTH112
# Paths of a command are text.

import functools
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence

from wiki_tools.worker.sandbox.terms import SHARED, devices

HIDDEN = ("/tmp", "/run")
"""Seen empty: sockets lie there through which Docker, an agent or a terminal take commands."""
SHOWN = ("/run/current-system", "/run/opengl-driver")
"""Below them, and needed: NixOS keeps its programs and drivers there."""
SECRETS = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".git-credentials", ".pypirc",
    ".npmrc", ".pgpass", ".config/gh", ".config/gcloud", ".cache/huggingface/token",
)  # fmt: skip
"""Below the home folder; seen empty."""
_PATIENCE = 10.0


def bubblewrap(
    writable: Sequence[str], needed: Sequence[str], *, first: bool, empty: Sequence[str] = ()
) -> list[str]:
    """Write the command that another one is put behind.

    Args:
        writable: folders; everything else is read-only.
        needed: folders and files that are seen even below `HIDDEN`.
        empty: folders that are there and seen empty, unless something needed lies in them.
        first: the other one is process 1, which its children cannot kill, and must reap orphans.
    """
    command = [_program(), "--unshare-net", "--unshare-ipc"]
    command += ["--unshare-pid", *(["--as-pid-1"] if first else ["--die-with-parent"])]
    command += ["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    command += ["--size", str(SHARED), "--tmpfs", "/dev/shm"]
    for device in devices():
        command += ["--dev-bind-try", device, device]
    for folder in filter(os.path.isdir, HIDDEN):
        command += ["--tmpfs", folder]
    for path in sorted({*needed, *SHOWN}):
        if path.startswith(tuple(f"{folder}/" for folder in HIDDEN)):
            command += ["--ro-bind-try", path, path]
    for path in _secrets(needed):
        command += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", os.devnull, path]
    for path in empty:
        if os.path.isdir(path) and not any(f"{each}/".startswith(f"{path}/") for each in needed):
            command += ["--tmpfs", path, "--remount-ro", path]
    for path in writable:
        command += ["--bind", path, path]
    return [*command, "--"]


def _secrets(needed: Sequence[str]) -> Iterator[str]:
    home = os.path.expanduser("~")
    places = [f"{home}/{name}" for name in SECRETS]
    places += [f"{path}/.git/config" for path in needed]  # which may hold a token for the remote
    return (os.path.realpath(place) for place in places if os.path.exists(place))


@functools.cache
def _program() -> str:
    return shutil.which("bwrap") or "bwrap"


@functools.cache
def trouble() -> str:
    """Try it once; say why it does not work here, or nothing where it does."""
    command = bubblewrap((), (), first=True)
    try:
        done = subprocess.run(
            [*command, "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        return "not installed"
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    words = " ".join(done.stderr.decode("utf-8", "replace").split())
    return (words or f"exit code {done.returncode}")[:200] if done.returncode else ""
