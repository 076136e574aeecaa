"""What a run shows, as Markdown for a pull request: what changed first, and short.

Titles, messages and paths are a page's own text: each stands in a code span, where GitHub reads
no mention, link, image or HTML, and no control character is left.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wiki_tools.environment import Environment
from wiki_tools.errors import counted, printable
from wiki_tools.report.accounts import PageAccount
from wiki_tools.report.changes import Base, Change, Changes, Moved
from wiki_tools.report.findings import Finding
from wiki_tools.report.types import SnippetReport
from wiki_tools.report.words import (
    compared_with,
    fence_totals,
    interval,
    message_of,
    snippet_totals,
    spoken,
    title_of,
)

SHOWN = 10
"""Rows of a kind; what more there are is counted. A comment holds 65,536 characters."""

LONG = 240
"""Characters of a page's text that are shown."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a run shows, in the order of the pages."""

    rows: Sequence[SnippetReport]
    findings: Sequence[Finding]
    accounts: Sequence[PageAccount] = ()


def summary_text(
    prefix: str, told: Told, environment: Environment, base: Base | None, changes: Changes | None
) -> str:
    """Write the summary of a run.

    Args:
        prefix: leads from where one stands to the docs folder.
        told: what the run shows.
        environment: where it ran.
        base: what it is compared with; None where there is no evidence of such a device.
        changes: what is otherwise than in the base; None where there is none.
    """
    writer = _Writer(prefix)
    wrong = [finding for finding in told.findings if finding.severity == "error"]
    pages = [finding for finding in wrong if not finding.snippet]
    blocks = [f"### wiki verify: {_headline(wrong, changes)}", _facts(told, environment, base)]
    if changes is None:
        blocks += writer.listed("Wrong", wrong, writer.found)
    else:
        blocks += writer.listed("Newly failing", changes.failing, writer.failing)
        blocks += writer.listed("No longer run", changes.gone, writer.gone)
        blocks += writer.listed("Wrong with pages", pages, writer.found)
        blocks += writer.listed("Ratios that moved", changes.moved, writer.moved)
        blocks += writer.listed("Newly passing", changes.passing, writer.passing)
        blocks += writer.folded("Still failing", changes.still, writer.failing)
        blocks += writer.folded("New", changes.new, writer.placed)
        blocks += writer.folded("Removed", changes.removed, code_span)
    return "\n\n".join(blocks) + "\n"


def code_span(text: str) -> str:
    """Quote any text as Markdown's code, on one line, so that it is shown and never read."""
    text = " ".join(printable(text.replace("\n", " ")).split())
    if len(text) > LONG:
        text = f"{text[: LONG - 1]}…"
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}" if text else "` `"


def _headline(wrong: Sequence[Finding], changes: Changes | None) -> str:
    if changes is None:
        return f"{len(wrong)} wrong" if wrong else "all is well"
    went = Counter(moved.word for moved in changes.moved)
    pages = sum(not finding.snippet for finding in wrong)
    parts = (
        (len(changes.failing), f"{len(changes.failing)} newly failing"),
        (len(changes.gone), f"{len(changes.gone)} no longer run"),
        (len(changes.passing), f"{len(changes.passing)} newly passing"),
        *((went[word], counted(went[word], word)) for word in sorted(went)[::-1]),
        (len(changes.still), f"{len(changes.still)} still failing"),
        (pages, f"{pages} wrong with pages"),
    )
    return ", ".join(words for count, words in parts if count) or "nothing changed"


def _facts(told: Told, environment: Environment, base: Base | None) -> str:
    versions = [f"Python {environment.python}"]
    versions += [f"torch {environment.torch}"] if environment.torch else []
    versions += [f"JAX {environment.jax}"] if environment.jax else []
    where = f"{environment.device_name}, {environment.system}, {', '.join(versions)}"
    lines = [snippet_totals(told.rows)]
    lines += [fence_totals(told.accounts, code_span)] if told.accounts else []
    lines.append(f"Ran on {code_span(where)}.")
    if base is None:
        lines.append("There is no evidence of such a device to compare with.")
    else:
        lines.append(f"Compared with {code_span(base.name)} of {base.recorded[:10]}.")
        if not base.same:
            lines.append("That is other hardware or other versions: ratios are not compared.")
    return "\n".join(lines)


class _Writer:
    """Writes rows, each at its place as seen from where one stands."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def listed(self, name: str, rows: Sequence[T], write: Callable[[T], str]) -> Iterator[str]:
        """A list with its name, or nothing."""
        if rows:
            yield f"**{name}** ({len(rows)})"
            yield "\n".join(_first(rows, write))

    def folded(self, name: str, rows: Sequence[T], write: Callable[[T], str]) -> Iterator[str]:
        """A list that a reader opens, or nothing."""
        if rows:
            yield f"<details><summary>{name} ({len(rows)})</summary>"
            yield "\n".join(_first(rows, write))
            yield "</details>"

    def placed(self, row: SnippetReport, line: int = 0) -> str:
        """Where a snippet stands, and its title."""
        place = f"{self._prefix}{row.snippet.path}:{line or row.snippet.fence.line}"
        return f"{code_span(place)} {code_span(title_of(row))}"

    def found(self, finding: Finding) -> str:
        """What is wrong, at its line."""
        place = code_span(f"{self._prefix}{finding.path}:{finding.line}")
        return f"{place}: {code_span(finding.message)}"

    def failing(self, change: Change) -> str:
        """A snippet that is wrong, with what it was before."""
        if change.finding is None:
            return self.placed(change.row)
        told = f"{self.placed(change.row, change.finding.line)}: "
        return f"{told}{code_span(change.finding.message)}; {_before(change)}"

    def gone(self, change: Change) -> str:
        """A snippet that ran and does not run now, with the reason."""
        outcome = change.row.evidence.outcome if change.row.evidence else None
        now = f"{spoken(outcome.status.value)}: {message_of(outcome)}" if outcome else "was not run"
        return f"{self.placed(change.row)}: {code_span(now)}; {_before(change)}"

    def passing(self, change: Change) -> str:
        """A snippet that passes, with what it was before."""
        return f"{self.placed(change.row)}; {_before(change)}"

    def moved(self, moved: Moved) -> str:
        """A ratio before and now."""
        memory = moved.comparison.comparison.pairing.metric == "memory"
        over = "the memory of" if memory else "over"
        told = f"{interval(moved.before)} → {interval(moved.now)} {over} "
        what = code_span(compared_with(moved.comparison))
        return f"{moved.word}: {self.placed(moved.row)}: {told}{what}"


def _before(change: Change) -> str:
    return change.before if change.before == "new" else f"was {spoken(change.before)}"


def _first(rows: Sequence[T], write: Callable[[T], str]) -> Iterator[str]:
    yield from (f"- {write(row)}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"- and {len(rows) - SHOWN} more"
