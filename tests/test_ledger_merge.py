"""Evidence of several shards becomes one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.reports import CARD
from tests.test_ledger import SAMPLES, make
from wiki_tools.cli import app
from wiki_tools.errors import UsageError
from wiki_tools.ledger import LOCAL, Account, Evidence, Ledger, Measured, Recorder, write_evidence
from wiki_tools.ledger.files import VERSION
from wiki_tools.ledger.merge import merge_evidence
from wiki_tools.protocol import Status

OLD, NEW = "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z"


def failed(row: Evidence) -> Evidence:
    return replace(row, outcome=replace(row.outcome, status=Status.FAILED))


def folders(root: Path, *pages: dict[str, list[Evidence]]) -> list[Path]:
    made = []
    for number, rows in enumerate(pages):
        folder = root / f"shard-{number}"
        for page, listed in rows.items():
            write_evidence(folder, LOCAL, page, listed)
        made.append(folder)
    return made


def test_shards_with_different_pages_are_joined(tmp_path: Path) -> None:
    given = folders(tmp_path, {"a": [make("a#p01")]}, {"b": [make("b#p01")]})
    write_evidence(tmp_path / "evidence", LOCAL, "c", [make("c#p01")])
    merged = merge_evidence(given, tmp_path / "evidence")
    assert merged.conflicts == ()
    assert set(Ledger.read(tmp_path / "evidence").evidence[LOCAL]) == {"a#p01", "b#p01", "c#p01"}
    assert merged.snippets == {LOCAL: {"a#p01", "b#p01", "c#p01"}}


def test_rows_of_one_page_are_joined_in_its_order(tmp_path: Path) -> None:
    long = [make(f"a#p0{n}", recorded=OLD) for n in (1, 2, 3)]
    given = folders(tmp_path, {"a": [make("a#p02", recorded=NEW)]}, {"a": long})
    merge_evidence(given, tmp_path / "evidence")
    found = Ledger.read(tmp_path / "evidence").evidence[LOCAL]
    assert [(row.snippet, row.recorded) for row in found.values()] == [
        ("a#p01", OLD),
        ("a#p02", NEW),
        ("a#p03", OLD),
    ]


def test_what_speaks_of_the_page_as_it_is_stays_before_what_is_newer(tmp_path: Path) -> None:
    rows = [make("a#p01", digest="now", recorded=OLD)], [make("a#p01", digest="gone", recorded=NEW)]
    given = folders(tmp_path, {"a": rows[0]}, {"a": rows[1]})
    merged = merge_evidence(given, tmp_path / "evidence", {"a#p01": "now"})
    assert merged.conflicts == ()
    found = Ledger.read(tmp_path / "evidence").find(LOCAL, "a#p01")
    assert found
    assert found.digest == "now"


def test_another_text_is_told_where_nobody_knows_which_is_right(tmp_path: Path) -> None:
    rows = [make("a#p01", digest="x", recorded=OLD)], [make("a#p01", digest="y", recorded=NEW)]
    given = folders(tmp_path, {"a": rows[0]}, {"a": rows[1]})
    (message,) = merge_evidence(given, tmp_path / "evidence").conflicts
    assert message.startswith("a#p01: ")
    assert "speaks of another text" in message


def test_another_outcome_is_told_and_the_newest_taken(tmp_path: Path) -> None:
    rows = [failed(make("a#p01", recorded=NEW))], [make("a#p01", recorded=OLD)]
    given = folders(tmp_path, {"a": rows[0]}, {"a": rows[1]})
    (message,) = merge_evidence(given, tmp_path / "evidence").conflicts
    assert message.startswith("a#p01: passed in ")
    assert "failed in " in message
    found = Ledger.read(tmp_path / "evidence").find(LOCAL, "a#p01")
    assert found
    assert found.outcome.status is Status.FAILED


def test_what_was_measured_of_one_digest_is_joined(tmp_path: Path) -> None:
    one = make("a#p01", measured=(Measured(digest="m1", samples=SAMPLES, recorded=OLD),))
    two = make("a#p01", measured=(Measured(digest="m2", samples=SAMPLES, recorded=NEW),))
    given = folders(tmp_path, {"a": [one]}, {"a": [replace(two, recorded=NEW)]})
    merge_evidence(given, tmp_path / "evidence")
    found = Ledger.read(tmp_path / "evidence").find(LOCAL, "a#p01")
    assert found
    assert {m.digest for m in found.measured} == {"m1", "m2"}


def test_different_environments_in_one_folder_are_told(tmp_path: Path) -> None:
    given = folders(tmp_path, {"a": [make("a#p01")]}, {"a": [make("a#p02", environment=CARD)]})
    (message,) = merge_evidence(given, tmp_path / "evidence").conflicts
    assert message.startswith("a: of different environments: ")


def test_what_cannot_be_read_is_told_and_the_rest_joined(tmp_path: Path) -> None:
    given = folders(tmp_path, {"a": [make("a#p01")], "b": [make("b#p01")]}, {"c": [make("c#p01")]})
    (given[0] / LOCAL / "a.json").write_text("{", encoding="utf-8")
    file = given[0] / LOCAL / "b.json"
    document = json.loads(file.read_text(encoding="utf-8")) | {"version": VERSION + 1}
    file.write_text(json.dumps(document), encoding="utf-8")
    merged = merge_evidence(given, tmp_path / "evidence")
    assert len(merged.conflicts) == 2
    assert set(Ledger.read(tmp_path / "evidence").evidence[LOCAL]) == {"c#p01"}


def test_the_account_of_the_newest_stays(tmp_path: Path) -> None:
    for name, ran, day in (("one", 3, OLD), ("two", 2, NEW)):
        account = Account(fences=4, ran={"p01": ran})
        row = make("a#p01", recorded=day)
        Recorder(tmp_path / name, LOCAL).add("a", [row], ["a#p01"], account=account)
    merge_evidence([tmp_path / "one", tmp_path / "two"], tmp_path / "evidence")
    found = Ledger.read(tmp_path / "evidence").accounts[LOCAL]["a"]
    assert found.ran == {"p01": 2}


def test_a_folder_without_evidence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no evidence lies there"):
        merge_evidence([tmp_path], tmp_path / "evidence")


def test_a_page_that_no_shard_has_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in "ab":
        text = f"---\nid: {name}\n---\n```python\nx = 1\n```\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    (given,) = folders(tmp_path, {"a": [make("a#s00")]})
    command = ["merge", str(given), "--docs", str(tmp_path / "docs")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1
    assert "b.md: no shard has run it" in done.output
    assert CliRunner().invoke(app, [*command, "--partial"]).exit_code == 0


@pytest.mark.parametrize("turn", [1, -1])
def test_what_is_finished_stays_before_what_is_not(tmp_path: Path, turn: int) -> None:
    begun = replace(SAMPLES, rounds=(len(SAMPLES.baseline),), planned=3)
    whole = replace(
        begun,
        baseline=SAMPLES.baseline * 3,
        candidate=SAMPLES.candidate * 3,
        rounds=begun.rounds * 3,
    )
    rows = [
        replace(make("a#p01"), measured=(Measured(digest="m", samples=each, recorded=OLD),))
        for each in (begun, whole)
    ]
    given = folders(tmp_path, *[{"a": [row]} for row in rows[::turn]])
    merge_evidence(given, tmp_path / "evidence")
    found = Ledger.read(tmp_path / "evidence").find(LOCAL, "a#p01")
    assert found
    assert [m.samples.rounds for m in found.measured] == [whole.rounds]
    assert found.past == ()
