"""How `wiki verify --mutate` tells which changes no check noticed."""

from collections.abc import Iterator, Sequence
from typing import Any

from wiki_tools.checks.output import docs_prefix, root_prefix
from wiki_tools.config import Config
from wiki_tools.errors import counted, printable
from wiki_tools.runner.mutate import Mutated, Untried


def mutant_lines(
    config: Config, found: Sequence[Mutated], untried: Sequence[Untried]
) -> Iterator[str]:
    """Write a line for each change that went unnoticed, and each pattern not tried; then totals."""
    prefix = root_prefix(config)
    for mutant in (mutant for one in found for mutant in one.unnoticed):
        changed = f"`{mutant.before}` to `{mutant.after}`"
        yield printable(f"  {prefix}{mutant.path}:{mutant.line}: no check notices {changed}")
    for one in untried:
        yield printable(f"  {docs_prefix(config)}{one.path}:{one.line}: not tried: {one.reason}")
    tried = sum(one.tried for one in found)
    missed = sum(len(one.unnoticed) for one in found)
    share = f" ({1 - missed / tried:.0%})" if tried else ""
    where = f"{counted(tried, 'change')} in {counted(len(found), 'pattern')}"
    rest = f" {counted(len(untried), 'pattern')} not tried." if untried else ""
    yield f"{where}: {tried - missed} noticed{share}.{rest}"


def untried_rows(untried: Sequence[Untried]) -> list[dict[str, Any]]:
    """Patterns that were not tried as JSON, each with the reason."""
    return [{"snippet": one.snippet, "line": one.line, "reason": one.reason} for one in untried]


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
