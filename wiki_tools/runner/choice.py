"""Chooses how jobs are started on this machine."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from wiki_tools.config import Config
from wiki_tools.errors import UsageError
from wiki_tools.runner import Given, tell_nobody
from wiki_tools.runner.compiled import Compiled
from wiki_tools.runner.early import Early
from wiki_tools.runner.local import LocalExecutor

if TYPE_CHECKING:
    from wiki_tools.runner.fresh import FreshExecutor

CAN_FORK = sys.platform == "linux"
STARTS = ("auto", "fork", "fresh")
"""`fork`: in children of preloaded parents; `fresh`: in interpreters of their own, slower."""


SANDBOXES = ("auto", "require", "off")
"""`auto` confines as far as can be, `require` refuses to run where that is not far enough."""


def confine(config: Config, sandbox: str) -> Config:
    """Settings with what a command says of the sandbox; empty leaves it to `mkdocs.yml`.

    Raises:
        UsageError: no such value.
    """
    if sandbox not in ("", *SANDBOXES):
        raise UsageError(f"--sandbox {sandbox}: expected {', '.join(SANDBOXES)}")
    return replace(config, sandbox=sandbox) if sandbox else config


def forks(start: str) -> bool:
    """Whether jobs run in children of preloaded parents."""
    return CAN_FORK and start != "fresh"


def choose_executor(
    config: Config,
    jobs: int,
    start: str,
    given: Given = tell_nobody,
    compiled: Compiled | None = None,
    early: Early | None = None,
) -> "LocalExecutor | FreshExecutor":
    """Make the executor that a start of `STARTS` names; `auto` (or nothing) forks where it can.

    Where it forks, what torch.compile and JAX compile is kept in `compiled`, and the parent `early`
    may be needed.

    Raises:
        UsageError: no such start, or not on this system.
    """
    if start not in ("", *STARTS):
        raise UsageError(f"--start {start}: expected {', '.join(STARTS)}")
    if start == "fork" and not CAN_FORK:
        raise UsageError(f"--start fork: not on {sys.platform}; take fresh")
    if forks(start):
        return LocalExecutor(config, jobs, given, compiled, early)
    from wiki_tools.runner.fresh import FreshExecutor  # threads and their logging, seldom needed

    return FreshExecutor(config, jobs, given)
