"""JUnit's XML of a run is one that readers of such files understand."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from hypothesis import given
from hypothesis import strategies as st

from tests.reports import (
    CPU,
    fence_snippets,
    make_claim,
    make_comparison,
    make_environment,
    make_evidence,
    make_report,
    make_seen,
)
from tests.support import make_page
from wiki_tools.protocol import Output, Status
from wiki_tools.report import FenceAccount, Finding, PageAccount, SnippetReport, find_findings
from wiki_tools.report.junit import PRINTED, junit_text
from wiki_tools.snippets import Snippet
from wiki_tools.verdicts import Judgement

PAGE = make_page(
    "".join(f"### Pattern {n} — T{n}\n```python\nx = {n}\n```\n" for n in range(6)), "sub/a.md"
)
SNIPPETS = fence_snippets(PAGE)

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
    "properties": {"property"},
}
"""Element to what it may hold, by Jenkins' junit-10.xsd; the others hold text."""
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "skipped"},
    "testsuite": {
        "name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id",
        "package", "file",
    },
    "testcase": {"name", "classname", "time", "file", "line"},
    "property": {"name", "value"},
    "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message", "type"},
}  # fmt: skip
REQUIRED = {
    "testsuite": {"name", "tests", "failures", "errors"},
    "testcase": {"name", "classname"},
    "property": {"name", "value"},
}


def write(rows: Sequence[SnippetReport], *, strict: bool = False) -> str:
    pages = [(make_report(PAGE, SNIPPETS), make_environment(rows))]
    return junit_text("docs/", pages, find_findings(rows, strict))


def parse(rows: Sequence[SnippetReport], *, strict: bool = False) -> Element:
    root = ElementTree.fromstring(write(rows, strict=strict).encode())
    check(root)
    return root


def check(element: Element) -> None:
    """Hold an element and all below it against the schema."""
    assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    assert set(element.keys()) <= ATTRIBUTES.get(element.tag, set())
    assert REQUIRED.get(element.tag, set()) <= set(element.keys())
    for name in {"tests", "failures", "errors", "skipped", "line"} & set(element.keys()):
        assert element.get(name, "").isdecimal()
    if "time" in element.keys():  # noqa: SIM118 - an element is no mapping
        assert float(element.get("time", "")) >= 0
    for child in element:
        check(child)


def seen(snippet: Snippet, status: Status, **fields: object) -> SnippetReport:
    return make_seen(snippet, make_evidence(snippet, CPU, status, **fields))


def test_each_outcome_is_what_junit_calls_it() -> None:
    rows = [
        seen(snippet, status, message="why")
        for snippet, status in zip(SNIPPETS, Status, strict=True)
    ]
    (suite,) = parse(rows)
    cases = suite.findall("testcase")
    tags = [[e.tag for e in case if e.tag != "system-out"] for case in cases]
    assert dict(zip(Status, tags, strict=True)) == {
        Status.PASSED: [],
        Status.FAILED: ["failure"],
        Status.INCOMPLETE: ["skipped"],
        Status.SKIPPED: ["skipped"],
        Status.TIMED_OUT: ["error"],
        Status.CRASHED: ["error"],
    }
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "1", "errors": "2", "skipped": "2"}
    assert (suite.get("name"), cases[1].get("classname")) == ("docs/sub/a.md", "docs/sub/a.md")
    assert (cases[1].get("name"), cases[1].get("file"), cases[1].get("line")) == (
        "p02",
        "docs/sub/a.md",
        "7",
    )
    assert [e.get("message") for e in suite.iter("skipped")] == ["incomplete: why", "why"]


def test_a_strict_run_fails_what_is_incomplete() -> None:
    (suite,) = parse([seen(SNIPPETS[0], Status.INCOMPLETE, message="why")], strict=True)
    assert [e.get("message") for e in suite.iter("failure")] == ["incomplete: why"]


def test_a_refuted_claim_fails_with_its_line_and_what_was_measured() -> None:
    claim = make_claim(SNIPPETS[0], 3, 9, ">3")
    slow = make_comparison(SNIPPETS[0], 1, 0.9, 1.1, claims=[(claim, Judgement.REFUTED)])
    (suite,) = parse([make_seen(SNIPPETS[0], make_evidence(SNIPPETS[0]), [slow])])
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "claim >3 refuted: the interval says so"
    assert "docs/sub/a.md:2: claim >3 refuted" in str(failure.text)
    (out,) = suite.iter("system-out")
    assert "1x (0.9 to 1.1) over the same code without torch.compile" in str(out.text)


def test_what_did_not_run_is_skipped_and_says_so() -> None:
    (suite,) = parse([make_seen(SNIPPETS[0], None)])
    assert [e.get("message") for e in suite.iter("skipped")] == ["unverified: was not run"]


def make_account(path: str) -> PageAccount:
    fences = (
        FenceAccount(line=3, place="p01"),
        FenceAccount(line=9, place="", reason="not Python", message="not Python"),
    )
    return PageAccount(path=path, key=path, fences=fences)


def test_every_fence_of_a_page_is_counted() -> None:
    rows = [seen(SNIPPETS[0], Status.PASSED)]
    pages = [(make_report(PAGE, SNIPPETS), make_environment(rows))]
    text = junit_text("", pages, (), [make_account(PAGE.path)])
    given = {e.get("name"): e.get("value") for e in ElementTree.fromstring(text).iter("property")}
    assert given["fences"] == "2"
    assert given["fences run"] == "1"
    assert given["fences not run: not Python"] == "1"


def test_what_is_wrong_with_a_page_is_a_case_of_its_own() -> None:
    rows = [seen(SNIPPETS[0], Status.PASSED)]
    pages = [(make_report(PAGE, SNIPPETS), make_environment(rows))]
    findings = [
        Finding(snippet="", code="fewer", severity="error", path=path, line=9, message="less")
        for path in (PAGE.path, "other.md")
    ]
    accounts = [make_account(path) for path in (PAGE.path, "other.md")]
    root = ElementTree.fromstring(junit_text("docs/", pages, findings, accounts))
    check(root)
    found = [(e.get("classname"), e.get("name"), e.get("line")) for e in root.iter("testcase")]
    assert found[1:] == [("docs/sub/a.md", "fences", "9"), ("docs/other.md", "fences", "9")]
    assert root.get("failures") == "2"


def test_a_flood_of_output_is_cut() -> None:
    flood = Output(cell=0, text="x" * (PRINTED + 5))
    (suite,) = parse([seen(SNIPPETS[0], Status.PASSED, outputs=(flood,))])
    (out,) = suite.iter("system-out")
    assert str(out.text).endswith("x\n… 5 more")


def test_no_pages_are_no_suites() -> None:
    assert junit_text("", [], []).count("<testsuite ") == 0


@given(st.text(st.characters(codec=None), max_size=30))
def test_any_text_is_well_formed_and_steers_no_terminal(text: str) -> None:
    rows = [
        seen(
            SNIPPETS[0],
            Status.FAILED,
            message=text,
            traceback=text,
            outputs=(Output(cell=0, text=text),),
        )
    ]
    parse(rows)
    written = write(rows)
    assert not set(written) & {"\x1b", "\x9b", "\x00", "\ufffe", "\ud800", "\u202e"}


def test_a_file_of_it_can_be_written_anywhere(tmp_path: Path) -> None:
    text = write([seen(SNIPPETS[0], Status.FAILED, message="\ud800 \x00 매 ]]> <![CDATA[")])
    (tmp_path / "j.xml").write_text(text, encoding="utf-8")
    root = ElementTree.parse(tmp_path / "j.xml").getroot()
    (failure,) = root.iter("failure")
    assert failure.get("message") == "failed: \\ud800 \\x00 매 ]]> <![CDATA["
