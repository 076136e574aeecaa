"""What one environment saw of a snippet, as lines of Markdown."""

import re
from collections.abc import Iterator

from wiki_tools.environment import Environment
from wiki_tools.errors import printable
from wiki_tools.ledger import Evidence
from wiki_tools.protocol import OFF_CARD, Outcome, Status
from wiki_tools.render.comparison import comparison_lines, curve_lines, sweep_lines
from wiki_tools.render.text import escape, mark
from wiki_tools.render.words import WORDS, day, duration, say
from wiki_tools.report import EnvironmentReport, SnippetReport
from wiki_tools.report.words import message_of
from wiki_tools.snippets import Snippet

_DEVICES = ("retargeted", OFF_CARD)
"""Notes that say that the code ran on another device than it is about."""


def device_label(environment: Environment) -> str:
    """Name a machine by its device: `NVIDIA H200`, `AMD EPYC 9V74 (CPU)`."""
    name = " ".join(re.sub(r"\((?:R|TM)\)", "", environment.device_name).split())
    if environment.device != "cpu":
        return name or environment.device.upper()
    return f"{name} (CPU)" if name and name.casefold() != "cpu" else "CPU"


def environment_anchor(name: str) -> str:
    """The HTML id of an environment on the status page."""
    return "environment-" + "".join(c if c.isalnum() else "-" for c in name.lower())


def outcome_lines(
    language: str,
    where: str,
    environment: EnvironmentReport,
    seen: SnippetReport,
    shift: int,
    *,
    card: bool,
) -> Iterator[str]:
    """Say how a snippet ran in one environment, and how it compares.

    `where` is the environment's name as Markdown; `shift` is added to line numbers, since the
    same fence stands on another line of a translation; `card` says that a GPU has run it.
    """
    evidence = seen.evidence
    if evidence is None:
        return
    yield from paragraph("wiki-ran", _headline(language, where, seen, evidence))
    if seen.outdated:
        status = say(language, evidence.outcome.status)
        date = day(language, evidence.recorded)
        yield from note(say(language, "changed-since", date=date, status=status))
        return
    yield from _notes(language, seen.snippet, evidence.outcome, shift)
    for found in seen.comparisons:
        yield from comparison_lines(language, environment.environment, found, card=card)
    yield from sweep_lines(language, seen.comparisons)
    yield from curve_lines(language, seen.comparisons)


def device_notes(outcome: Outcome) -> tuple[str, ...]:
    """The notes on where the code ran instead; none of code that was skipped and ran nowhere."""
    if outcome.status is Status.SKIPPED:
        return ()
    return tuple(text for text in _DEVICES if text in outcome.notes)


def _said(language: str, message: str) -> str:
    """Say in the page's language why code was skipped; other messages stay what Python said."""
    for key in ("needs-card", "needs-program", "needs-package"):
        pattern = "(.+)".join(map(re.escape, WORDS[key]["en"].split("{name}")))
        if found := re.fullmatch(pattern, message):
            return say(language, key, name="".join(found.groups()))
    return message


def paragraph(kind: str, text: str) -> Iterator[str]:
    """Write a paragraph with a class."""
    yield text
    yield f"{{: .{kind} }}"
    yield ""


def note(text: str) -> Iterator[str]:
    """Write a plain text as a muted paragraph."""
    yield from paragraph("wiki-note", escape(text))


def _headline(language: str, where: str, seen: SnippetReport, evidence: Evidence) -> str:
    outcome = evidence.outcome
    status = "outdated" if seen.outdated else str(outcome.status)
    word = mark(status, say(language, status))
    parts = [say(language, "on-machine", word=word, where=where), day(language, evidence.recorded)]
    if seen.outdated:
        return " · ".join(parts)
    if outcome.status is Status.PASSED:
        parts.append(say(language, "ran-in", time=duration(outcome.seconds)))
    if outcome.checked and outcome.status is Status.PASSED:
        parts.append(say(language, "asserted", n=len(outcome.checked)))
    return " · ".join(parts)


def _notes(language: str, snippet: Snippet, outcome: Outcome, shift: int) -> Iterator[str]:
    if outcome.message:
        place = ""
        if outcome.line:
            own = outcome.path in ("", snippet.path) or outcome.path.endswith("/" + snippet.path)
            place = say(language, "line", line=outcome.line + (shift if own else 0)) + ": "
            place = place if own else f"{outcome.path}, {place}"
        yield from paragraph("wiki-message", escape(place + _said(language, message_of(outcome))))
    devices = device_notes(outcome)
    for text in outcome.notes:
        if text in devices or text not in _DEVICES:
            yield from note(say(language, text) if text in devices else text)
    if outcome.traceback:
        yield f'??? wiki-fold "{say(language, "traceback")}"'
        yield ""
        yield "    ```text"
        lines = outcome.traceback.replace("```", "'''").splitlines()
        yield from (f"    {printable(line)}" for line in lines)
        yield "    ```"
        yield ""
