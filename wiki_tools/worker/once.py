"""Runs one job in a fresh interpreter, for where a parent cannot fork: macOS and Windows.

Whoever starts it holds the time limit and kills it; the job comes in on standard input, results
go out on what was standard output, each line behind the nonce that came with the job. The first
says what the sandbox holds, before any of the snippet runs.
"""

import json
import os
import sys
import traceback

from wiki_tools.protocol import Job, build, encode
from wiki_tools.worker.child import run_job
from wiki_tools.worker.order import Ready
from wiki_tools.worker.surroundings import enter_environment

_exit, _write = os._exit, os.write
"""As they were before the snippet ran."""


def run_once(how: str, group: int) -> None:
    """Read one job, run it and end the process; never returns.

    Args:
        how: as `enter_sandbox` takes it.
        group: as well.
    """
    request = json.loads(sys.stdin.readline())
    job, nonce, folder = build(Job, request["job"]), request["nonce"], request["folder"]
    wire = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)

    def send(text: str) -> None:
        line = f"\n{nonce} {text}\n".encode("ascii")
        while line:
            line = line[_write(wire, line) :]

    try:
        ready = _confine(job, folder, how, group)
        os.closerange(3, wire)
        os.closerange(wire + 1, 1 << 16)
        send(encode(ready))
        enter_environment(job, folder)
        run_job(job, folder, send, lambda _cell: None)
    except BaseException:  # said on the wire: it is the worker's fault, not the snippet's
        send(json.dumps({"breakdown": traceback.format_exc()[-4000:]}))
    finally:
        _exit(0)


def _confine(job: Job, folder: str, how: str, group: int) -> Ready:
    """Take on the limits and the sandbox that this system has."""
    if sys.platform != "linux":
        return Ready(held=("sandbox:off",), refused=(f"sandbox: there is none on {sys.platform}",))
    from wiki_tools.worker.limits import limit
    from wiki_tools.worker.sandbox.inside import enter_sandbox

    sandbox = enter_sandbox(how, folder, group, watched=False)
    held = limit(job)
    sandbox.guard(folder).enter()
    return Ready(held=(*held, *sandbox.held), refused=sandbox.refused)
