"""How `wiki verify --mutate` tells which changes no check noticed."""

from collections.abc import Iterator, Sequence
from typing import Any

from wiki_tools.checks.output import root_prefix
from wiki_tools.config import Config
from wiki_tools.errors import counted, printable
from wiki_tools.runner.mutate import Mutated


def mutant_lines(config: Config, found: Sequence[Mutated]) -> Iterator[str]:
    """Write a line for each change that went unnoticed, then how many were noticed."""
    prefix = root_prefix(config)
    for mutant in (mutant for one in found for mutant in one.unnoticed):
        changed = f"`{mutant.before}` to `{mutant.after}`"
        yield printable(f"  {prefix}{mutant.path}:{mutant.line}: no check notices {changed}")
    tried = sum(one.tried for one in found)
    missed = sum(len(one.unnoticed) for one in found)
    share = f" ({1 - missed / tried:.0%})" if tried else ""
    where = f"{counted(tried, 'change')} in {counted(len(found), 'pattern')}"
    yield f"{where}: {tried - missed} noticed{share}."


def mutant_rows(found: Sequence[Mutated]) -> list[dict[str, Any]]:
    """The same as JSON: snippet, how many were tried, and each that went unnoticed."""
    return [
        {
            "snippet": one.snippet,
            "tried": one.tried,
            "unnoticed": [
                {"line": m.line, "kind": m.kind, "before": m.before, "after": m.after}
                for m in one.unnoticed
            ],
        }
        for one in found
    ]
