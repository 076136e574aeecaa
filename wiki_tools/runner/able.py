"""Says which snippets can run here, and why others cannot."""

import importlib.util

from wiki_tools.environment import Environment, jax_uses_card
from wiki_tools.protocol import Outcome, Status
from wiki_tools.snippets import Snippet, describe_missing

LONGEST = 86_400.0
"""Seconds that a fence may ask for."""


def seconds_of(text: str) -> float:
    """Read a `timeout=`; 0 where it is no number of seconds, which `wiki check` says."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return min(value, LONGEST) if value > 0 else 0.0


def runnable(snippet: Snippet) -> list[int]:
    """Indices of the programs in which every name is filled."""
    return [i for i, program in enumerate(snippet.programs) if not program.missing]


def not_run(snippet: Snippet, environment: Environment) -> Outcome | None:
    """Say why a snippet cannot be run here; None where it can."""
    status, message, line = Status.SKIPPED, snippet.skip, snippet.fence.line
    if not message:
        message = unmet(snippet.fence.attributes.get("needs", ""), environment)
    if not message and environment.device == "cuda" and _is_jax_alone(snippet):
        message = "needs a CUDA device: the JAX that is installed here takes the CPU"
    if not message and not runnable(snippet):
        missing = snippet.programs[0].missing
        status, line, message = Status.INCOMPLETE, missing[0].line, describe_missing(missing)
    if not message:
        return None
    return Outcome(snippet=snippet.id, status=status, message=message, path=snippet.path, line=line)


def _is_jax_alone(snippet: Snippet) -> bool:
    """Whether a snippet would run on the CPU and count as evidence of a card."""
    return "jax" in snippet.packages and not jax_uses_card()


def unmet(needs: str, environment: Environment) -> str:
    """Name the first thing of a `needs=` list that this machine lacks; empty where none."""
    for need in filter(None, (n.strip() for n in needs.split(","))):
        if need == "cuda":
            if environment.device != "cuda":
                return "needs a CUDA device"
        elif not need.isidentifier() or importlib.util.find_spec(need) is None:
            return f"needs {need}, which is not installed"
    return ""
