"""Says whether evidence still stands: what decides that a snippet passes, and what a ratio.

Whether it passes is decided by its digest (code, set-up, fixtures, the vault's modules, what must
be raised or printed), the device, the versions of the packages that it imports, and the limits. A
ratio is decided by all that, by both sides of its pairing, and by the hardware, as far as the
environment's folder tells it apart. Prose, titles, tags and claims decide neither.
"""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wiki_tools.environment import Environment, folder_name
from wiki_tools.ledger import Evidence
from wiki_tools.protocol import Status
from wiki_tools.runner.moment import moment_of
from wiki_tools.snippets import Snippet
from wiki_tools.worker.absent import lacked

LIMITED = {Status.FAILED, Status.CRASHED, Status.TIMED_OUT}
"""Outcomes that more memory may change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What this run would give a snippet."""

    environment: Environment
    versions: Mapping[str, str]
    """Of each package that the snippet imports, and of Python."""
    timeout: float
    """Seconds."""
    memory: float
    """GiB."""


def find_change(snippet: Snippet, evidence: Evidence | None, here: Here) -> str:
    """Say what has changed since a snippet ran; empty where its evidence stands."""
    if evidence is None:
        return "it never ran"
    if evidence.digest != snippet.digest:
        return "what runs has changed"
    before, now = evidence.environment.device, here.environment.device
    if before != now:
        return f"it ran on {before}, and this is {now}"
    compilers = evidence.environment.compiler, here.environment.compiler
    if evidence.outcome.status is Status.SKIPPED and compilers[0] != compilers[1]:
        return f"the compiler was {compilers[0] or 'missing'}, and is {compilers[1] or 'missing'}"
    return (
        _other_version(evidence, here.versions)
        or _other_limit(evidence, here)
        or _arrived(evidence)
    )


def waits(evidence: Evidence) -> bool:
    """Whether a snippet was skipped for something that may come without anybody's word."""
    skipped = evidence.outcome.status is Status.SKIPPED
    return skipped and lacked(evidence.outcome.message) != ("", "")


def _arrived(evidence: Evidence) -> str:
    """What a snippet was skipped for and has come since.

    What was there before it ran is kept from it, and would be again: dates tell those apart.
    """
    if not waits(evidence):
        return ""
    kind, name = lacked(evidence.outcome.message)
    place = shutil.which(name) if kind == "program" else name
    try:
        came = Path(place).stat().st_ctime if place else 0.0
    except (OSError, ValueError):  # not there; a name that no file can have
        return ""
    return f"the {kind} {name} is there now" if came > moment_of(evidence.recorded) else ""


def _other_version(evidence: Evidence, versions: Mapping[str, str]) -> str:
    resolved = _resolved(evidence)
    for name, now in versions.items():
        before = resolved.get(name, "" if evidence.resolved is not None else now)
        if before != now:
            return f"{name} was {before or 'missing'}, and is {now or 'missing'}"
    return ""


def _resolved(evidence: Evidence) -> Mapping[str, str]:
    """The versions that evidence names; that of version 1 names those of its environment."""
    if evidence.resolved is not None:
        return evidence.resolved
    seen = evidence.environment
    python = ".".join(seen.python.split(".")[:2])
    return {"python": python, "torch": seen.torch, "jax": seen.jax, "numpy": seen.numpy}


def _other_limit(evidence: Evidence, here: Here) -> str:
    """A limit counts where it may have ended the run; a run that passed did not meet it."""
    status = evidence.outcome.status
    if status is Status.TIMED_OUT and 0 < evidence.timeout < here.timeout:
        return f"it had {evidence.timeout:g} seconds, and now has {here.timeout:g}"
    if status in LIMITED and evidence.memory and evidence.memory != here.memory:
        return f"it had {evidence.memory:g} GiB, and now has {here.memory:g}"
    return ""


def is_measured_here(evidence: Evidence, environment: Environment) -> bool:
    """Whether what was measured holds for this hardware; where nothing was, it does."""
    return not evidence.measured or folder_name(evidence.environment) == folder_name(environment)


def count_aged(rows: Iterable[Evidence], oldest: str) -> int:
    """How many measurements are older than that: they stand, until somebody asks for new ones."""
    return sum(measured.recorded < oldest for row in rows for measured in row.measured)
