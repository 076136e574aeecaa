"""How `wiki verify` tells people and GitHub what was seen."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import wiki_tools
from tests.reports import (
    CPU,
    fence_snippets,
    load_pages,
    make_claim,
    make_comparison,
    make_environment,
    make_evidence,
    make_report,
    make_seen,
    make_vault,
)
from wiki_tools.cli.results import print_annotations, print_results
from wiki_tools.config import Config
from wiki_tools.errors import counted
from wiki_tools.protocol import Status
from wiki_tools.report import EnvironmentReport, PageReport, SnippetReport, find_findings
from wiki_tools.runner.verify import Run
from wiki_tools.snippets import Snippet
from wiki_tools.verdicts import Judgement

Pages = list[tuple[PageReport, EnvironmentReport]]
FENCE = "### Pattern {number}\n```python\nx{number} = 1\n```\n"


def make_fences(root: Path, count: int) -> tuple[Config, PageReport, tuple[Snippet, ...]]:
    text = "".join(FENCE.format(number=number) for number in range(1, count + 1))
    config = make_vault(root, {"a.md": text})
    (page,) = load_pages(config)
    return config, make_report(page), fence_snippets(page)


def joined(report: PageReport, rows: Sequence[SnippetReport]) -> Pages:
    return [(report, make_environment(rows))]


def make_run() -> Run:
    return Run(environment=CPU, ran=(), measured=0, unchanged=0)


def test_less_memory_is_told_in_words_of_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, report, (snippet,) = make_fences(tmp_path, 1)
    half = make_comparison(snippet, 0.5, 0.45, 0.55, metric="memory")
    faster = make_comparison(snippet, 2, 1.9, 2.1)
    pages = joined(report, [make_seen(snippet, make_evidence(snippet), [half, faster])])
    print_results(config, pages, make_run(), ())
    shown = capsys.readouterr().out
    assert "0.5x (0.45 to 0.55) the memory of the same code without torch.compile" in shown
    assert "2x (1.9 to 2.1) over the same code without torch.compile" in shown


def shown(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    claims: Sequence[tuple[str, Judgement]] = (),
    **fields: object,
) -> str:
    """What is printed of a comparison whose measurement has these fields."""
    config, report, (snippet,) = make_fences(root, 1)
    made = [(make_claim(snippet, 1, 9, text), judgement) for text, judgement in claims]
    seen = make_comparison(snippet, 2, 1.9, 2.1, claims=made)
    assert seen.measurement is not None
    measurement = replace(seen.measurement, **fields)  # type: ignore[arg-type]
    seen = replace(seen, measurement=measurement)
    pages = joined(report, [make_seen(snippet, make_evidence(snippet), [seen])])
    print_results(config, pages, make_run(), ())
    return capsys.readouterr().out


@pytest.mark.parametrize("claims", [(), ((">1", Judgement.INCONCLUSIVE),)])
def test_what_a_busy_machine_measured_is_marked_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], claims: Sequence[tuple[str, Judgement]]
) -> None:
    text = shown(tmp_path, capsys, claims, busy=0.9)
    assert "without torch.compile, busy: other programs used 0.9 cores" in text
    assert text.count("other programs") == 1
    assert "the interval says so" not in text


def test_the_reason_of_what_is_invalid_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = [(">1", Judgement.INVALID)]
    text = shown(tmp_path, capsys, claims, ratio=None, invalid="the interval says so")
    assert "without torch.compile: the interval says so; claim >1 invalid\n" in text


def test_what_is_untested_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(tmp_path, capsys, [(">1", Judgement.UNTESTED)])
    assert "claim >1 untested (the interval says so)" in text


def annotations(
    root: Path, statuses: Sequence[Status], capsys: pytest.CaptureFixture[str], *, strict: bool
) -> list[str]:
    config, report, snippets = make_fences(root, len(statuses))
    rows = [
        make_seen(s, make_evidence(s, status=status, message="m\n::error::%0A"))
        for s, status in zip(snippets, statuses, strict=True)
    ]
    pages = joined(report, rows)
    print_annotations(config, pages, make_run(), find_findings(rows, strict))
    return capsys.readouterr().out.splitlines()


def test_the_worst_is_annotated_first_and_the_rest_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses = [Status.INCOMPLETE] + [Status.FAILED] * 12 + [Status.CRASHED]
    lines = annotations(tmp_path, statuses, capsys, strict=False)
    shown = [line for line in lines if line.startswith(("::error", "::warning"))]
    assert [line[:7] for line in shown] == ["::error"] * 10 + ["::warni"]
    assert shown[0] == (
        "::error file=docs/a.md,line=55,col=1,title=crashed::crashed: m%0A::error::%250A"
    )
    assert "::group::3 errors more: GitHub shows 10 of each kind" in lines
    assert lines[-2] == "14 snippets: 12 failed, 1 incomplete, 1 crashed."


def test_a_strict_run_annotates_what_is_incomplete_as_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line, *_) = annotations(tmp_path, [Status.INCOMPLETE], capsys, strict=True)
    assert line.startswith("::error file=docs/a.md,line=3,col=1,title=incomplete::")


def test_a_claim_is_found_at_its_own_line_of_the_page(tmp_path: Path) -> None:
    _, _, (snippet,) = make_fences(tmp_path, 1)
    claim = make_claim(snippet, 3, 9, ">3")
    seen = make_comparison(snippet, 1, 0.9, 1.1, claims=[(claim, Judgement.REFUTED)])
    (found,) = find_findings([make_seen(snippet, make_evidence(snippet), [seen])], strict=False)
    assert (found.path, found.line, found.severity) == ("a.md", 2, "error")


def test_what_went_wrong_in_a_fixture_is_told_at_the_page(tmp_path: Path) -> None:
    _, _, (snippet,) = make_fences(tmp_path, 1)
    evidence = make_evidence(
        snippet, status=Status.FAILED, message="no", path="snippets/fixtures/wiki.py", line=7
    )
    (found,) = find_findings([make_seen(snippet, evidence)], strict=False)
    assert (found.path, found.line) == ("a.md", 3)
    assert found.message == "failed: no (at snippets/fixtures/wiki.py:7)"


def test_a_number_has_its_noun_and_its_verb() -> None:
    assert [counted(n, "claim", "are") for n in (0, 1, 2400)] == [
        "0 claims are",
        "1 claim is",
        "2,400 claims are",
    ]


def test_no_message_counts_one_of_a_thing_as_several() -> None:
    """`f"{len(rows)} rows"` is wrong for one; behind `of` or `than` there are more."""
    several = re.compile(
        r"(?<!of )(?<!than )(?<!expected )"
        r"\{(?:(?:len|sum)\([^{}]*\)|\w+:,|n|count)\} [a-z]+s\b"
    )
    files = sorted(Path(wiki_tools.__file__).parent.rglob("*.py"))
    found = [
        f"{file.name}: {match[0]}"
        for file in files
        for match in several.finditer(file.read_text(encoding="utf-8"))
    ]
    assert found == []
