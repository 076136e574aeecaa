"""`wiki check --update-baseline`: writes down what is known, and says how that changed."""

from collections.abc import Sequence
from pathlib import Path

import typer

from wiki_tools.checks.baseline import (
    Baseline,
    gone_findings,
    known_findings,
    new_findings,
    read_baseline,
    write_baseline,
)
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.errors import UsageError, counted


def update(file: Path | None, found: Sequence[Diagnostic], *, narrowed: bool, grow: bool) -> None:
    """Write what is known; a file that is there becomes longer only where it may `grow`.

    Raises:
        UsageError: no file is named, or only some pages were looked at.
        ConfigError: the file cannot be read or written.
    """
    if file is None:
        raise UsageError("--update-baseline: name the file with --baseline FILE")
    if narrowed:
        raise UsageError("--update-baseline: speaks of the whole vault; leave out PATH")
    old = read_baseline(file) if file.exists() else None
    new = new_findings(found, old) if old is not None else ()
    kept = found if old is None or grow else known_findings(found, old)
    write_baseline(file, kept)
    change = "" if old is None else _change(len(new) if grow else 0, kept, old)
    typer.echo(
        f"{file}: {counted(len(kept), 'finding', 'are')} known from now on{change}.", err=True
    )
    if new and not grow:
        told = f"{counted(len(new), 'new finding', 'are')} not known"
        typer.echo(f"{told}: mend what you can, and add --grow to take in the rest.", err=True)


def _change(more: int, kept: Sequence[Diagnostic], old: Baseline) -> str:
    fewer = len(gone_findings(kept, old))
    return f" ({more:,} more and {fewer:,} fewer than before)" if more or fewer else ""
