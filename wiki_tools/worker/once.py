"""Runs one job in a fresh interpreter, where a parent cannot fork: macOS and Windows.

Whoever starts it holds the time limit and kills it; the job comes in on standard input, results
go out on what was standard output, each line behind the nonce that came with the job.
"""

import json
import os
import sys
import traceback

from wiki_tools.protocol import Job, build
from wiki_tools.worker.child import run_job
from wiki_tools.worker.surroundings import enter_environment


def run_once() -> None:
    """Read one job, run it and end the process; never returns."""
    request = json.loads(sys.stdin.readline())
    job, nonce, folder = build(Job, request["job"]), request["nonce"], request["folder"]
    wire = os.dup(1)
    os.set_inheritable(wire, False)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)

    def send(text: str) -> None:
        line = f"\n{nonce} {text}\n".encode("ascii")
        while line:
            line = line[os.write(wire, line) :]

    try:
        if sys.platform == "linux":
            from wiki_tools.worker.limits import limit

            limit(job)
        enter_environment(job, folder)
        run_job(job, folder, send, lambda _cell: None)
    except BaseException:  # said on the wire: it is the worker's fault, not the snippet's
        send(json.dumps({"breakdown": traceback.format_exc()[-4000:]}))
    finally:
        os._exit(0)
