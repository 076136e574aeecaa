"""What was measured before is kept in a line each, and told as it went."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.reports import CARD, CPU, make_vault
from tests.support import make_snippet
from wiki_tools.cli import app
from wiki_tools.cli.history import WIDTH, draw
from wiki_tools.ledger import (
    Evidence,
    Ledger,
    Measured,
    Past,
    Recorder,
    past_of,
    write_evidence,
)
from wiki_tools.ledger.past import MOST
from wiki_tools.protocol import Outcome, Samples, Status
from wiki_tools.report.history import Beside, Series, change
from wiki_tools.report.words import number

PAGE = (
    "---\nid: a\ntitle: Adding\n---\n# Adding\n\n### Pattern 1 — Sum\n```python\ny = 1 + 1\n```\n"
)


def measured(ratio: float, day: int, digest: str = "m", **fields: str) -> Measured:
    samples = Samples(against="baseline", baseline=(ratio,) * 12, candidate=(1.0,) * 12)
    return Measured(
        digest=digest,
        samples=replace(samples, **fields),  # type: ignore[arg-type]
        recorded=f"2026-11-{day:02}T03:31:03Z",
    )


def row(*rows: Measured, torch: str = "2.13.0", digest: str = "d") -> Evidence:
    return Evidence(
        snippet="a#p01",
        digest=digest,
        choice=0,
        recorded=rows[-1].recorded if rows else "2026-11-30T03:31:03Z",
        commit="0123456789ab",
        outcome=Outcome(snippet="a#p01", status=Status.PASSED),
        context={},
        measured=rows,
        environment=replace(CPU, torch=torch),
    )


def record(folder: Path, *rows: Evidence, environment: str = "here") -> Evidence:
    recorder = Recorder(folder, environment)
    for each in rows:
        recorder.add("a", [each], ["a#p01"])
    found = Ledger.read(folder).find(environment, "a#p01")
    assert found is not None
    return found


# What is kept


def test_what_is_measured_anew_leaves_a_line(tmp_path: Path) -> None:
    found = record(tmp_path, row(measured(2, 1), torch="2.12.0"), row(), row(measured(3, 2)))
    (past,) = found.past
    assert past.ratio == (2.0, 2.0, 2.0)
    assert past.recorded == "2026-11-01T03:31:03Z"
    assert past.versions == {"python": "3.11.9", "torch": "2.12.0", "jax": "0.10.2"}
    assert past.commit == "0123456789ab"
    assert [m.samples.baseline[0] for m in found.measured] == [3]


def test_what_is_kept_as_it_is_leaves_none(tmp_path: Path) -> None:
    same = measured(2, 1)
    assert record(tmp_path, row(same), row(same, measured(3, 2, "n", size="S=2"))).past == ()


def test_what_gave_no_ratio_leaves_none(tmp_path: Path) -> None:
    unfair = measured(2, 1, invalid="the results differ")
    assert record(tmp_path, row(unfair), row(measured(3, 2))).past == ()


def test_the_oldest_lines_go_first(tmp_path: Path) -> None:
    many = tuple(
        Past(digest="m", against="baseline", ratio=(1, 1, 1), recorded=f"{1000 + year}")
        for year in range(MOST)
    )
    found = record(tmp_path, replace(row(measured(2, 1)), past=many), row(measured(3, 2)))
    assert len(found.past) == MOST
    assert (found.past[0].recorded, found.past[-1].recorded) == ("1001", "2026-11-01T03:31:03Z")


# What is told


def point(low: float, high: float, metric: str = "time") -> Past:
    return Past(
        digest="m", against="baseline", metric=metric, ratio=(low, low, high), recorded="2026"
    )


@pytest.mark.parametrize(
    ("before", "after", "metric", "word"),
    [
        ((1, 2), (2, 3), "time", ""),
        ((1, 2), (2.1, 3), "time", "improvement"),
        ((1, 2), (0.5, 0.9), "time", "regression"),
        ((1, 2), (2.1, 3), "memory", "regression"),
        ((1, 2), (0.5, 0.9), "memory", "improvement"),
    ],
)
def test_a_change_is_one_where_both_intervals_lie_apart(
    before: tuple[float, float], after: tuple[float, float], metric: str, word: str
) -> None:
    assert change(point(*before, metric), point(*after, metric)) == word


def test_a_busy_machine_decides_nothing() -> None:
    quiet, busy = point(1, 2), replace(point(5, 6), busy=0.9)
    assert change(quiet, busy) == change(busy, quiet) == ""
    snippet = make_snippet("y = 1")
    series = Series(
        snippet=snippet, environment="here", against="baseline", size="S=512", metric="time",
        points=(quiet, busy, point(1, 2), busy, point(3, 4)),
    )  # fmt: skip
    assert series.changes == ("", "", "", "", "improvement")
    assert Beside(snippet=snippet, first=quiet, second=busy).apart is None
    assert Beside(snippet=snippet, first=quiet, second=point(3, 4)).apart is True
    assert Beside(snippet=snippet, first=quiet, second=point(1, 3)).apart is False


def test_what_a_busy_machine_measured_is_drawn_hollow() -> None:
    assert draw((1, 1, 4), 1, 4, blurred=True) == "○" + "┈" * (WIDTH - 1)


def test_what_a_busy_machine_measured_says_so(vault: Path) -> None:
    samples = replace(measured(9, 4).samples, busy=0.9, size="S=512")
    quiet = replace(measured(2, 4).samples, size="S=512")
    for day, found in ((4, quiet), (5, samples)):
        again = replace(measured(9, day), samples=found)
        record(vault / "evidence", row(again), environment="swept")
    text = wiki(vault, "history", "adding")
    assert "Sum: time against baseline at S=512, in swept" in text
    assert "9x (9 to 9), busy: other programs used 0.9 cores" in text
    assert "1 got worse at last." in text  # that of the other environment
    card = replace(row(replace(measured(9, 6), samples=quiet)), environment=CARD)
    write_evidence(vault / "evidence", "card", "a", [card])
    assert "undecided: a busy machine" in wiki(vault, "compare", "swept", "card")
    document = json.loads(wiki(vault, "compare", "swept", "card", "--format", "json"))
    (found_row,) = document["comparisons"]
    assert (found_row["apart"], found_row["first"]["busy"]) == (None, 0.9)
    points = json.loads(wiki(vault, "history", "--format", "json"))["history"]
    assert [p["busy"] for one in points for p in one["points"] if one["size"]] == [0.0, 0.0, 0.9]


def test_an_interval_is_drawn_on_a_logarithmic_scale() -> None:
    assert draw((1, 1, 4), 1, 4) == "●" + "─" * (WIDTH - 1)
    assert draw((4, 4, 4), 1, 4) == " " * (WIDTH - 1) + "●"
    assert draw((2, 2, 2), 2, 2).strip() == "●"
    assert draw((10, 1, 100), 1, 100).index("●") == round((WIDTH - 1) / 2)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    make_vault(tmp_path, {"adding.md": PAGE})
    record(tmp_path / "evidence", row(measured(3, 1), torch="2.12.0"), row(measured(2, 2)))
    card = replace(row(measured(5, 3)), environment=CARD)
    write_evidence(tmp_path / "evidence", "there", "a", [card])
    return tmp_path


def wiki(vault: Path, *arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*arguments, "--docs", str(vault / "docs")])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


def test_a_history_shows_versions_and_what_got_worse(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(vault)
    text = wiki(vault, "history", "adding")
    assert "docs/adding.md:9 Pattern 1 — Sum: time against baseline, in here" in text
    old, new = [line for line in text.splitlines() if line.startswith("  2026-11-0")][:2]
    assert "0123456" in old
    assert "3x (3 to 3)  torch 2.12.0 jax 0.10.2" in old
    assert new.endswith("torch 2.13.0 jax 0.10.2  regression")
    assert "2 comparisons, 1 got worse at last." in text
    wiki(vault, "history", "adding", "--strict", code=1)


def test_a_history_is_data_too(vault: Path) -> None:
    here, there = json.loads(wiki(vault, "history", "--format", "json"))["history"]
    assert (here["snippet"], here["environment"], here["metric"]) == ("a#p01", "here", "time")
    assert [p["change"] for p in here["points"]] == ["", "regression"]
    assert [p["ratio"] for p in here["points"]] == [3, 2]
    assert len(there["points"]) == 1


def test_a_regression_is_annotated_at_the_patterns_line(vault: Path) -> None:
    text = wiki(vault, "history", "--format", "github")
    assert "::warning" in text
    assert "line=9" in text
    assert "3x (3 to 3) on 2026-11-01, 2x (2 to 2) now" in text


def test_two_environments_stand_side_by_side(vault: Path) -> None:
    text = wiki(vault, "compare", "here", "there")
    assert "  here: 2x (2 to 2)" in text
    assert "  there: 5x (5 to 5)" in text
    assert "  apart" in text
    (found,) = json.loads(wiki(vault, "compare", "here", "there", "--format", "json"))[
        "comparisons"
    ]
    assert found["apart"] is True
    assert found["second"]["ratio"] == pytest.approx(5)


def test_other_code_is_not_compared(vault: Path) -> None:
    other = replace(row(measured(5, 3, "another")), environment=CARD)
    write_evidence(vault / "evidence", "there", "a", [other])
    assert "0 comparisons were measured in both." in wiki(vault, "compare", "here", "there")


def test_an_environment_that_is_not_there_is_said_with_those_that_are(vault: Path) -> None:
    done = CliRunner().invoke(
        app, ["compare", "here", "thre", "--docs", str(vault / "docs")], catch_exceptions=True
    )
    assert "thre: no such environment in the evidence; did you mean there?" in str(done.exception)


def test_a_line_has_few_digits(tmp_path: Path) -> None:
    (odd,) = record(tmp_path, row(measured(1.234567891, 1)), row(measured(2, 2))).past
    assert odd.ratio == (1.2346, 1.2346, 1.2346)


def test_a_ratio_is_rounded_as_verify_rounds_it() -> None:
    edge = past_of(row(), measured(1.2349996, 1))
    assert edge is not None
    assert [number(value) for value in edge.ratio] == ["1.23"] * 3


def test_a_page_of_which_nothing_is_measured_says_what_to_do(tmp_path: Path) -> None:
    make_vault(tmp_path, {"adding.md": PAGE})
    assert "Nothing has been measured: run `wiki verify`" in wiki(tmp_path, "history", "adding")
