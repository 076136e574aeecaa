"""A run as JUnit's XML: a test suite a page, a test case a snippet.

There is no standard. Elements and attributes are those that Jenkins' schema has
(https://github.com/jenkinsci/xunit-plugin, junit-10.xsd), and `file` and `line` on a test case,
which GitLab, pytest and most viewers read or write.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from wiki_tools.errors import printable, shortened
from wiki_tools.protocol import Status
from wiki_tools.report.accounts import PageAccount, totals
from wiki_tools.report.findings import WORST_FIRST, Finding
from wiki_tools.report.types import EnvironmentReport, PageReport, SnippetReport
from wiki_tools.report.words import comparison_words, message_of, spoken, status_of, title_of

BROKEN = (Status.CRASHED.value, Status.TIMED_OUT.value)
"""Findings that are errors to JUnit: the test did not come to its end. Others are failures."""

MOVED = ("regression", "improvement")
"""Findings that fail nothing, and are told with what was measured."""

PRINTED = 10_000
"""Characters of what a snippet printed that are kept."""

_DECLARED = '<?xml version="1.0" encoding="utf-8"?>'

_NO_XML = re.compile("[\ufffe\uffff]")
"""What XML 1.0 cannot hold even escaped, beside what `printable` spells out."""


def junit_text(
    prefix: str,
    pages: Sequence[tuple[PageReport, EnvironmentReport]],
    findings: Sequence[Finding],
    accounts: Iterable[PageAccount] = (),
) -> str:
    """Write a run as JUnit's XML; `prefix` leads from where one stands to the docs folder."""
    root = Element("testsuites", name="wiki verify")
    errors: dict[str, list[Finding]] = {}
    moved: dict[str, list[str]] = {}
    for finding in findings:
        if finding.severity == "error":
            errors.setdefault(finding.snippet or finding.path, []).append(finding)
        elif finding.code in MOVED:
            moved.setdefault(finding.snippet, []).append(finding.message)
    counted = {account.path: account for account in accounts}
    for page, environment in pages:
        path = page.page.path
        cases = [
            _case(f"{prefix}{path}", row, errors, moved.get(row.snippet.id, ()))
            for row in environment.snippets
        ]
        cases += _page_case(f"{prefix}{path}", errors.pop(path, ()))
        facts = {"environment": environment.name, "status": environment.status.value}
        facts |= _counted(counted.pop(path, None))
        root.append(_suite(f"{prefix}{path}", cases, facts, environment.last_verified))
    for path in sorted(counted.keys() & errors.keys()):  # no snippet of theirs has evidence
        cases = list(_page_case(f"{prefix}{path}", errors[path]))
        root.append(_suite(f"{prefix}{path}", cases, _counted(counted[path])))
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")
    ElementTree.indent(root)
    return f"{_DECLARED}\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _suite(
    path: str, cases: Sequence[Element], facts: Mapping[str, str], recorded: str = ""
) -> Element:
    tags = [child.tag for case in cases for child in case]
    suite = Element("testsuite", name=_text(path), file=_text(path))
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(tags.count("failure")))
    suite.set("errors", str(tags.count("error")))
    suite.set("skipped", str(tags.count("skipped")))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    if recorded:
        suite.set("timestamp", recorded.removesuffix("Z"))
    properties = SubElement(suite, "properties")
    for name, value in facts.items():
        SubElement(properties, "property", name=_text(name), value=_text(value))
    suite.extend(cases)
    return suite


def _counted(account: PageAccount | None) -> dict[str, str]:
    """How many fences of a page ran, and how many did not, by reason."""
    if account is None:
        return {}
    ran, reasons = totals([account])
    found = {"fences": str(ran + reasons.total()), "fences run": str(ran)}
    return found | {
        f"fences not run: {shortened(why)}": str(count) for why, count in reasons.items()
    }


def _case(
    path: str, row: SnippetReport, errors: Mapping[str, Sequence[Finding]], moved: Sequence[str]
) -> Element:
    case = _empty_case(path, row.snippet.id.rpartition("#")[2], row.snippet.fence.line)
    case.set("time", f"{_seconds(row):.3f}")
    if found := errors.get(row.snippet.id):
        case.append(_wrong(found, _told(path, row, found)))
    elif (status := status_of(row)) != Status.PASSED.value:
        message = message_of(row.evidence.outcome) if row.evidence else "was not run"
        words = "" if status == Status.SKIPPED.value else f"{spoken(status)}: "
        SubElement(case, "skipped", message=_text(f"{words}{message}"), type=status)
    if shown := _lines((*_shown(row), *moved)):
        SubElement(case, "system-out").text = shown
    return case


def _page_case(path: str, found: Sequence[Finding]) -> Iterator[Element]:
    """A case of what is wrong with a page, and with none of its snippets."""
    if found:
        case = _empty_case(path, "fences", found[0].line)
        case.append(_wrong(found, (f"{path}:{f.line}: {f.message}" for f in found)))
        yield case


def _empty_case(path: str, name: str, line: int) -> Element:
    return Element(
        "testcase", name=_text(name), classname=_text(path), file=_text(path), line=str(line)
    )


def _wrong(found: Sequence[Finding], told: Iterable[str]) -> Element:
    """The worst of some findings, which are all told."""
    worst = min(found, key=lambda finding: WORST_FIRST.index(finding.code))
    tag = "error" if worst.code in BROKEN else "failure"
    element = Element(tag, message=_text(worst.message), type=worst.code)
    element.text = _lines(told)
    return element


def _told(path: str, row: SnippetReport, errors: Iterable[Finding]) -> Iterable[str]:
    """What is wrong, each at its line, and how the snippet came there."""
    yield title_of(row)
    for finding in errors:
        yield f"{path}:{finding.line}: {finding.message}"
    if row.evidence and row.evidence.outcome.traceback:
        yield row.evidence.outcome.traceback


def _shown(row: SnippetReport) -> Iterable[str]:
    """What a snippet printed, and what was measured."""
    outputs = row.evidence.outcome.outputs if row.evidence else ()
    text = "".join(output.text for output in outputs)
    yield text if len(text) <= PRINTED else f"{text[:PRINTED]}\n… {len(text) - PRINTED} more"
    for comparison in row.comparisons:
        yield comparison_words(comparison)
        for verdict in comparison.verdicts:
            yield f"  claim {verdict.claim.text} {verdict.judgement}: {verdict.reason}"


def _seconds(row: SnippetReport) -> float:
    return row.evidence.outcome.seconds if row.evidence else 0.0


def _text(text: str) -> str:
    """A line that XML can hold and a terminal can show."""
    return _NO_XML.sub(lambda match: repr(match[0])[1:-1], printable(text))


def _lines(rows: Iterable[str]) -> str:
    return "\n".join(_text(line) for row in rows if row for line in row.rstrip("\n").split("\n"))
