"""What a pull request is told: what changed since earlier evidence, and nothing else."""

import dataclasses
import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.reports import (
    CARD,
    CPU,
    fence_snippets,
    make_claim,
    make_comparison,
    make_evidence,
    make_seen,
)
from tests.support import make_page
from wiki_tools.environment import Environment, folder_name
from wiki_tools.ledger import LOCAL, Evidence, Ledger, Measured
from wiki_tools.protocol import Samples, Status
from wiki_tools.report import (
    ComparisonReport,
    FenceAccount,
    Finding,
    PageAccount,
    SnippetReport,
    find_findings,
)
from wiki_tools.report.changes import (
    Base,
    Changes,
    choose_base,
    find_changes,
    moved_findings,
)
from wiki_tools.report.summary import LONG, SHOWN, Told, code_span, summary_text
from wiki_tools.snippets import Snippet
from wiki_tools.verdicts import Judgement

MANY = 30
PAGE = make_page(
    "".join(f"### Pattern {n} — T{n}\n```python\nx = {n}\n```\n" for n in range(MANY)), "a.md"
)
SNIPPETS = tuple(
    dataclasses.replace(snippet, digest=f"d{number}")
    for number, snippet in enumerate(fence_snippets(PAGE))
)
ONE, TWO = SNIPPETS[:2]


def known(*rows: Evidence, same: bool = True) -> Base:
    return Base(name="cpu", evidence={row.snippet: row for row in rows}, same=same)


def timed(
    row: Evidence, ratio: float, metric: str = "time", environment: Environment = CPU
) -> Evidence:
    """Evidence with twenty pairs of samples, all of one ratio."""
    one, other = (1.0, 1 / ratio) if metric == "time" else (1 / ratio, 1.0)
    samples = Samples(
        against="ablation:torch.compile",
        metric=metric,
        baseline=(one,) * 20,
        candidate=(other,) * 20,
    )
    measured = (Measured(digest="c", samples=samples, recorded=row.recorded),)
    return dataclasses.replace(row, measured=measured, environment=environment)


def compare(rows: Sequence[SnippetReport], base: Base, keys: set[str] | None = None) -> Changes:
    return find_changes(rows, find_findings(rows, strict=False), base, keys)


def ended(snippet: Snippet, status: Status | None, *shown: ComparisonReport) -> SnippetReport:
    evidence = make_evidence(snippet, status=status, message="why") if status else None
    return make_seen(snippet, evidence, shown)


def lists(changes: Changes) -> dict[str, list[str]]:
    """Names of the lists that are not empty, with the place and what was before."""
    names = ("failing", "still", "passing", "gone")
    found = {n: [f"{c.row.snippet.id} {c.before}" for c in getattr(changes, n)] for n in names}
    return {name: rows for name, rows in found.items() if rows}


def test_each_change_of_status_is_in_its_list() -> None:
    table = [
        (Status.PASSED, Status.PASSED, {}),
        (Status.PASSED, Status.CRASHED, {"failing": ["a#p01 passed"]}),
        (Status.SKIPPED, Status.FAILED, {"failing": ["a#p01 skipped"]}),
        (Status.FAILED, Status.TIMED_OUT, {"still": ["a#p01 failed"]}),
        (Status.FAILED, Status.PASSED, {"passing": ["a#p01 failed"]}),
        (Status.INCOMPLETE, Status.PASSED, {"passing": ["a#p01 incomplete"]}),
        (Status.PASSED, Status.SKIPPED, {"gone": ["a#p01 passed"]}),
        (Status.FAILED, Status.INCOMPLETE, {"gone": ["a#p01 failed"]}),
        (Status.PASSED, None, {"gone": ["a#p01 passed"]}),
        (Status.SKIPPED, Status.INCOMPLETE, {}),
        (None, Status.PASSED, {}),
        (None, Status.FAILED, {"failing": ["a#p01 new"]}),
    ]
    for before, now, expected in table:
        base = known(*[make_evidence(ONE, status=before)] if before else [])
        assert lists(compare([ended(ONE, now)], base)) == expected, (before, now)


def test_new_and_removed_patterns_are_told() -> None:
    changes = compare([ended(TWO, Status.PASSED)], known(make_evidence(ONE)))
    assert [row.snippet.id for row in changes.new] == ["a#p02"]
    assert changes.removed == ("a#p01",)


def test_a_page_that_was_not_looked_at_misses_nothing() -> None:
    changes = compare([ended(TWO, Status.PASSED)], known(make_evidence(ONE)), keys={"other"})
    assert changes.removed == ()


def test_a_renumbered_pattern_is_neither_new_nor_removed() -> None:
    moved = dataclasses.replace(TWO, digest=ONE.digest)
    changes = compare([ended(moved, Status.FAILED)], known(make_evidence(ONE)))
    assert (changes.new, changes.removed) == ((), ())
    assert lists(changes) == {"failing": ["a#p02 passed"]}


def test_a_claim_that_is_refuted_now_is_newly_failing() -> None:
    claim = make_claim(ONE, 3, 9, ">3")
    slow = make_comparison(ONE, 1, 0.9, 1.1, claims=[(claim, Judgement.REFUTED)])
    row = ended(ONE, Status.PASSED, slow)
    fast = known(timed(make_evidence(ONE), 4))
    assert lists(compare([row], fast)) == {"failing": ["a#p01 passed"]}
    assert lists(compare([row], known(timed(make_evidence(ONE), 1)))) == {
        "still": ["a#p01 refuted"]
    }


def test_only_disjoint_intervals_have_moved() -> None:
    base = known(timed(make_evidence(ONE), 2))
    assert compare([ended(ONE, Status.PASSED, make_comparison(ONE, 3, 2.5, 3.5))], base).moved
    near = ended(ONE, Status.PASSED, make_comparison(ONE, 2.5, 1.9, 3.5))
    assert compare([near], base).moved == ()


def test_a_ratio_on_other_hardware_is_not_compared() -> None:
    base = known(timed(make_evidence(ONE), 2), same=False)
    far = ended(ONE, Status.PASSED, make_comparison(ONE, 9, 8, 10))
    assert compare([far], base).moved == ()


def test_time_is_not_compared_with_memory() -> None:
    base = known(timed(make_evidence(ONE), 2, metric="memory"))
    far = ended(ONE, Status.PASSED, make_comparison(ONE, 9, 8, 10))
    assert compare([far], base).moved == ()
    far = ended(ONE, Status.PASSED, make_comparison(ONE, 9, 8, 10, metric="memory"))
    assert len(compare([far], base).moved) == 1


def test_a_busy_machine_moves_no_ratio() -> None:
    base = known(timed(make_evidence(ONE), 2))
    far = make_comparison(ONE, 9, 8, 10)
    assert far.measurement is not None
    busy = dataclasses.replace(far, measurement=dataclasses.replace(far.measurement, busy=1.0))
    assert compare([ended(ONE, Status.PASSED, busy)], base).moved == ()


def test_the_same_environment_is_compared_with_before_any_other() -> None:
    other = dataclasses.replace(CPU, processor="Intel Xeon", device_name="Intel Xeon")
    at = {"local": CPU, folder_name(CPU): CPU, "intel": other, "h200": CARD}
    evidence = {n: {ONE.id: make_evidence(ONE, environment=e)} for n, e in at.items()}

    def chosen(*names: str, local: bool = False) -> tuple[str, bool] | None:
        ledger = Ledger(evidence={name: evidence[name] for name in names})
        found = choose_base(ledger, CPU, local=local)
        return (found.name, found.same) if found else None

    assert chosen(*at) == (folder_name(CPU), True)
    assert chosen("local", "intel") == ("intel", False)
    assert chosen("local", "intel", local=True) == (LOCAL, True)
    assert chosen("h200") is None
    assert chosen() is None


def test_a_ratio_that_moved_is_a_regression_or_an_improvement() -> None:
    base = known(timed(make_evidence(ONE), 2))
    worse = compare([ended(ONE, Status.PASSED, make_comparison(ONE, 1.2, 1.1, 1.3))], base)
    (finding,) = moved_findings(worse)
    assert (finding.code, finding.severity, finding.line) == ("regression", "warning", 3)
    over = "over the same code without torch.compile"
    assert finding.message == f"regression: 2x (2 to 2) before, 1.2x (1.1 to 1.3) now, {over}"
    better = compare([ended(ONE, Status.PASSED, make_comparison(ONE, 3, 2.5, 3.5))], base)
    (finding,) = moved_findings(better)
    assert (finding.code, finding.severity) == ("improvement", "info")
    base = known(timed(make_evidence(ONE), 2, "memory"))
    more = make_comparison(ONE, 3, 2.5, 3.5, metric="memory")
    (moved,) = compare([ended(ONE, Status.PASSED, more)], base).moved
    assert moved.word == "regression"


def summary(rows: Sequence[SnippetReport], base: Base | None) -> str:
    findings = find_findings(rows, strict=False)
    changes = find_changes(rows, findings, base, None) if base else None
    return summary_text("docs/", Told(rows=rows, findings=findings), CPU, base, changes)


def test_the_summary_says_what_changed_first() -> None:
    base = known(make_evidence(ONE), timed(make_evidence(TWO), 2))
    faster = make_comparison(TWO, 3, 2.5, 3.5)
    text = summary([ended(ONE, Status.FAILED), ended(TWO, Status.PASSED, faster)], base)
    assert text.startswith("### wiki verify: 1 newly failing, 1 improvement\n")
    assert "2 snippets: 1 failed, 1 passed." in text
    assert "- `docs/a.md:3` `Pattern 0 — T0`: `failed: why`; was passed" in text
    over = "over `the same code without torch.compile`"
    assert "- improvement: `docs/a.md:7`" in text
    assert f"`Pattern 1 — T1`: 2x (2 to 2) → 3x (2.5 to 3.5) {over}" in text
    assert "Compared with `cpu` of 2026-11-30." in text


def test_fences_are_counted_and_what_is_wrong_with_a_page_is_told() -> None:
    fewer = Finding(snippet="", code="fewer", severity="error", path="a.md", line=9, message="less")
    fence = FenceAccount(line=9, place="", reason="not Python", message="not Python")
    account = PageAccount(path="a.md", key="a", fences=(fence,))
    base = known(make_evidence(ONE))
    rows = [ended(ONE, Status.PASSED)]
    changes = find_changes(rows, [fewer], base, None)
    told = Told(rows=rows, findings=[fewer], accounts=[account])
    text = summary_text("docs/", told, CPU, base, changes)
    assert text.startswith("### wiki verify: 1 wrong with pages\n")
    assert "1 fence: 0 ran, 1 did not: 1 `not Python`." in text
    assert "- `docs/a.md:9`: `less`" in text


def test_nothing_changed_is_said() -> None:
    text = summary([ended(ONE, Status.PASSED)], known(make_evidence(ONE)))
    assert text.startswith("### wiki verify: nothing changed\n")


def test_without_a_base_all_that_is_wrong_is_told() -> None:
    text = summary([ended(ONE, Status.FAILED)], None)
    assert text.startswith("### wiki verify: 1 wrong\n")
    assert "There is no evidence of such a device to compare with." in text
    assert "- `docs/a.md:3`: `failed: why`" in text


def test_a_summary_stays_short_enough_for_a_comment() -> None:
    rows = [
        make_seen(s, make_evidence(s, status=Status.FAILED, message="m" * 9000)) for s in SNIPPETS
    ]
    text = summary(rows, known(*map(make_evidence, SNIPPETS)))
    assert f"**Newly failing** ({MANY})" in text
    assert f"- and {MANY - SHOWN} more" in text
    assert len(text) < SHOWN * (2 * LONG + 200)


@given(st.text(max_size=60))
def test_a_pages_text_is_shown_and_never_read(text: str) -> None:
    span = code_span(text)
    fence = re.match("`+", span)
    assert fence is not None
    inside = span[len(fence[0]) : -len(fence[0])]
    assert "\n" not in span
    assert span.endswith(fence[0])
    assert fence[0] not in re.findall("`+", inside)  # nothing in it ends it
    assert inside
    assert not inside.startswith("`")
    assert not inside.endswith("`")
