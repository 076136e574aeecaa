import dataclasses
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reports import CARD, CPU
from wiki_tools.errors import LedgerError
from wiki_tools.ledger import (
    LOCAL,
    VERSION,
    Account,
    Evidence,
    Ledger,
    Measured,
    Recorder,
    evidence_file,
    write_evidence,
)
from wiki_tools.protocol import Outcome, Output, Samples, Status

SAMPLES = Samples(
    against="baseline",
    baseline=tuple(0.002 + 1e-6 * i for i in range(40)),
    candidate=tuple(0.001 + 1e-6 * i for i in range(40)),
    repeats=(3, 5),
    first_call=(0.1, 4.5),
    max_error=1e-7,
    tolerance=2.4e-5,
    stopped="narrow",
)


def make(snippet: str = "page#p01", **fields: object) -> Evidence:
    evidence = Evidence(
        snippet=snippet,
        digest="d1",
        choice=1,
        recorded="2026-11-30T03:31:03Z",
        commit="",
        outcome=Outcome(
            snippet=snippet,
            status=Status.PASSED,
            seconds=0.25,
            outputs=(Output(cell=2, text="(32, 64)\n", data={"text/plain": "행렬"}),),
        ),
        context={"x": "stock: sequence"},
        measured=(Measured(digest="m1", samples=SAMPLES, recorded="2026-11-30T03:31:09Z"),),
        environment=CPU,
    )
    return dataclasses.replace(evidence, **fields)  # type: ignore[arg-type]


def test_what_was_written_is_found_again(tmp_path: Path) -> None:
    rows = (make(), make("page#p02", environment=CARD))
    write_evidence(tmp_path, LOCAL, "page", rows)
    ledger = Ledger.read(tmp_path)
    assert ledger.find(LOCAL, "page#p01") == rows[0]
    assert ledger.find(LOCAL, "page#p02") == rows[1]
    assert ledger.find(LOCAL, "page#p03") is None
    assert ledger.find("elsewhere", "page#p01") is None
    assert set(ledger.evidence) == {LOCAL}
    assert ledger.damaged == ()


def test_a_vault_without_evidence_has_an_empty_ledger(tmp_path: Path) -> None:
    assert Ledger.read(tmp_path / "nowhere") == Ledger(evidence={})


def test_a_folder_that_is_called_like_a_pages_file_stands_beside_it(tmp_path: Path) -> None:
    for page in ("A", "A.json/B", "A.JSON/B", "A%2Ejson/B", "A.json.d/B"):
        write_evidence(tmp_path, LOCAL, page, [make(f"{page}#p01")])
    assert len(Ledger.read(tmp_path).evidence[LOCAL]) == 5


def test_git_leaves_alone_what_this_machine_alone_has_seen(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for folder in (LOCAL, "cpu-linux"):
        write_evidence(tmp_path / "evidence", folder, "page", [make()])
    done = subprocess.run(
        ["git", "-C", tmp_path, "status", "--porcelain", "-uall"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "?? evidence/cpu-linux/page.json\n"
    ignore = tmp_path / "evidence" / LOCAL / ".gitignore"
    ignore.write_text("")
    write_evidence(tmp_path / "evidence", LOCAL, "page", [make()])
    assert ignore.read_text() == "", "somebody wants it otherwise"


def test_writing_replaces_the_page_and_leaves_others(tmp_path: Path) -> None:
    write_evidence(tmp_path, LOCAL, "a", [make("a#p01"), make("a#p02")])
    write_evidence(tmp_path, LOCAL, "b", [make("b#p01")])
    write_evidence(tmp_path, LOCAL, "a", [make("a#p02", digest="d2")])
    ledger = Ledger.read(tmp_path)
    assert set(ledger.evidence[LOCAL]) == {"a#p02", "b#p01"}
    found = ledger.find(LOCAL, "a#p02")
    assert found is not None
    assert found.digest == "d2"


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
samples = st.builds(
    Samples,
    against=texts,
    size=texts,
    baseline=st.lists(numbers, max_size=5).map(tuple),
    candidate=st.lists(numbers, max_size=5).map(tuple),
    first_call=st.tuples(numbers, numbers),
    max_error=st.none() | numbers,
    invalid=texts,
)
outcomes = st.builds(
    Outcome,
    snippet=texts,
    status=st.sampled_from(Status),
    seconds=numbers,
    message=texts,
    notes=st.lists(texts, max_size=2).map(tuple),
    outputs=st.lists(
        st.builds(Output, cell=st.integers(0, 9), text=texts, data=st.dictionaries(texts, texts)),
        max_size=2,
    ).map(tuple),
)
rows = st.builds(
    Evidence,
    snippet=texts,
    digest=texts,
    choice=st.integers(0, 2),
    recorded=texts,
    commit=texts,
    outcome=outcomes,
    context=st.dictionaries(texts, texts, max_size=3),
    measured=st.lists(
        st.builds(Measured, digest=texts, samples=samples, recorded=texts), max_size=2
    ).map(tuple),
    environment=st.sampled_from([CPU, CARD]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rows, max_size=3), texts)
def test_evidence_survives_the_disk(tmp_path: Path, evidence: list[Evidence], page: str) -> None:
    unique = {row.snippet: row for row in evidence}
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    write_evidence(folder, LOCAL, page, tuple(unique.values()))
    assert Ledger.read(folder) == Ledger(evidence={LOCAL: unique})


@given(st.lists(st.text(max_size=12), unique=True, max_size=5))
def test_every_page_has_a_file_of_its_own_inside_its_environment(keys: list[str]) -> None:
    files = [evidence_file(Path("/evidence"), LOCAL, key) for key in keys]
    assert len(set(files)) == len(keys)
    for file in files:
        assert Path(os.path.normpath(file)).is_relative_to(Path("/evidence") / LOCAL)


def test_a_page_without_an_id_gets_folders_like_its_own() -> None:
    file = evidence_file(Path("e"), LOCAL, "10_Wiki/행렬 곱: a*b")
    assert file.parent == Path("e/local/10_Wiki")
    assert "*" not in file.name
    assert evidence_file(Path("e"), LOCAL, "10_Wiki/행렬 곱") == Path(
        "e/local/10_Wiki/행렬 곱.json"
    )


DAMAGE = {
    "empty": "",
    "cut off": '{"version": 1, "page": "p", "evid',
    "not UTF-8": "\udcff",
    "no object": "[1, 2]",
    "no version": '{"snippets": []}',
    "no lists": '{"version": 1, "environments": 3, "snippets": []}',
    "a row of text": '{"version": 1, "environments": [], "snippets": ["x"]}',
    "another machine": '{"version": 1, "environments": [], "snippets": [{"environment": 4}]}',
    "nested": "[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_named_and_the_rest_is_read(tmp_path: Path, damage: str) -> None:
    write_evidence(tmp_path, LOCAL, "good", [make("good#p01")])
    bad = evidence_file(tmp_path, LOCAL, "bad")
    bad.write_bytes(DAMAGE[damage].encode("utf-8", errors="surrogateescape"))
    ledger = Ledger.read(tmp_path)
    (message,) = ledger.damaged
    assert message.startswith(f"{bad}: ")
    assert ": cannot be read: " in message
    assert ledger.find(LOCAL, "good#p01") is not None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("digest", 5),
        ("choice", "1"),
        ("choice", True),
        ("outcome", []),
        ("outcome", {"snippet": "x", "status": "shining"}),
        ("outcome", {"snippet": "x"}),
        ("outcome", {"snippet": "x", "status": "passed", "seconds": 10**400}),
        ("context", ["x"]),
        ("measured", {"a": 1}),
        ("extra", 1),
    ],
)
def test_a_value_of_another_type_is_damage(tmp_path: Path, field: str, value: object) -> None:
    file = write_evidence(tmp_path, LOCAL, "page", [make()])
    document = json.loads(file.read_text(encoding="utf-8"))
    document["snippets"][0][field] = value
    file.write_text(json.dumps(document), encoding="utf-8")
    ledger = Ledger.read(tmp_path)
    assert ledger.evidence == {LOCAL: {}}
    assert str(file) in ledger.damaged[0]


def test_a_newer_version_is_named_left_alone_and_stops_no_other_page(tmp_path: Path) -> None:
    file = write_evidence(tmp_path, LOCAL, "page", [make()])
    write_evidence(tmp_path, LOCAL, "good", [make("good#p01")])
    document = json.loads(file.read_text(encoding="utf-8")) | {"version": VERSION + 1}
    file.write_text(json.dumps(document), encoding="utf-8")
    before = file.read_bytes()
    ledger = Ledger.read(tmp_path)
    assert ledger.newer == {file}
    assert ledger.damaged[0].startswith(f"{file}: written by a newer wiki_tools")
    assert set(ledger.evidence[LOCAL]) == {"good#p01"}
    with pytest.raises(LedgerError, match=r"page\.json: written by a newer"):
        write_evidence(tmp_path, LOCAL, "page", [make()])
    assert file.read_bytes() == before


def test_the_version_before_is_read_and_written_anew_as_this_one(tmp_path: Path) -> None:
    file = write_evidence(tmp_path, LOCAL, "page", [make()])
    document = json.loads(file.read_text(encoding="utf-8")) | {"version": 1}
    del document["account"]
    for name in ("resolved", "timeout", "memory"):
        del document["snippets"][0][name]
    file.write_text(json.dumps(document), encoding="utf-8")
    ledger = Ledger.read(tmp_path)
    assert ledger == Ledger(evidence={LOCAL: {"page#p01": make()}})
    Recorder(tmp_path, LOCAL).add("page", [make("page#p02")], ["page#p01", "page#p02"])
    assert set(Ledger.read(tmp_path).evidence[LOCAL]) == {"page#p01", "page#p02"}
    assert json.loads(file.read_text(encoding="utf-8"))["version"] == VERSION


def test_one_row_that_does_not_fit_costs_no_other(tmp_path: Path) -> None:
    rows = [make("page#p01"), make("page#p02"), make("page#p03")]
    file = write_evidence(tmp_path, LOCAL, "page", rows)
    document = json.loads(file.read_text(encoding="utf-8"))
    document["snippets"][1]["outcome"] = "shining"
    file.write_text(json.dumps(document), encoding="utf-8")
    ledger = Ledger.read(tmp_path)
    assert set(ledger.evidence[LOCAL]) == {"page#p01", "page#p03"}
    assert ledger.damaged[0].startswith(f"{file}: page#p02: cannot be read")


@pytest.mark.parametrize("text", ["", '{"version": 1, "page": "p", "evid'])
def test_what_is_damaged_is_kept_aside_when_its_page_is_recorded(tmp_path: Path, text: str) -> None:
    file = evidence_file(tmp_path, LOCAL, "page")
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    write_evidence(tmp_path, LOCAL, "page", [make()])
    assert file.with_name("page.json.damaged").read_text(encoding="utf-8") == text
    assert Ledger.read(tmp_path).damaged == ()


def test_two_that_record_one_page_keep_what_the_other_saw(tmp_path: Path) -> None:
    names = ["page#p01", "page#p02", "page#p03"]
    one, two = Recorder(tmp_path, LOCAL), Recorder(tmp_path, LOCAL)
    one.add("page", [make("page#p01")], names)
    two.add("page", [make("page#p03")], names)
    one.add("page", [make("page#p02", digest="one")], names)
    two.add("page", [make("page#p02", digest="two")], names)
    found = Ledger.read(tmp_path).evidence[LOCAL]
    assert list(found) == names
    assert found["page#p02"].digest == "two"


def test_what_a_killed_process_left_is_swept_up_after_an_hour(tmp_path: Path) -> None:
    file = write_evidence(tmp_path, LOCAL, "page", [make()])
    old, new = file.with_name(".a.tmp"), file.with_name(".b.tmp")
    for left in (old, new):
        left.write_text("{", encoding="utf-8")
    os.utime(old, (1, 1))
    write_evidence(tmp_path, LOCAL, "page", [make()])
    assert not old.exists()
    assert new.exists()
    assert Ledger.read(tmp_path).damaged == ()


NAMES = ["page#p01", "page#p02", "page#p03"]


def journals(root: Path) -> list[Path]:
    return list(root.glob("*/.*.journal"))


def test_what_is_not_final_is_in_a_journal_until_it_is(tmp_path: Path) -> None:
    file = evidence_file(tmp_path, LOCAL, "page")
    with Recorder(tmp_path, LOCAL) as recorder:
        recorder.add("page", [make("page#p01")], NAMES, final=False)
        recorder.add("page", [make("page#p02")], NAMES, final=False)
        assert not file.exists()
        assert list(Ledger.read(tmp_path).evidence[LOCAL]) == NAMES[:2]
        recorder.add("page", [make("page#p03")], NAMES)
        assert file.exists()
        recorder.add("other", [make("other#p01")], ["other#p01", "other#p02"], final=False)
    assert journals(tmp_path) == []
    assert list(Ledger.read(tmp_path).evidence[LOCAL]) == ["other#p01", *NAMES]


def killed(root: Path, *rows: Evidence) -> Path:
    """What a process leaves that is killed: a journal that nobody holds."""
    with Recorder(root, LOCAL) as recorder:
        for row in rows:
            recorder.add("page", [row], NAMES, final=False)
        (journal,) = journals(root)
        data = journal.read_bytes()
    evidence_file(root, LOCAL, "page").unlink()
    journal.write_bytes(data)
    return journal


def test_what_a_killed_process_left_is_taken_over(tmp_path: Path) -> None:
    killed(tmp_path, make("page#p01"), make("page#p02", recorded="2026-11-30T00:00:00Z"))
    newer = make("page#p02", recorded="2026-12-01T00:00:00Z")
    write_evidence(tmp_path, LOCAL, "page", [newer])
    before = Ledger.read(tmp_path).evidence[LOCAL]
    assert before == {"page#p01": make("page#p01"), "page#p02": newer}
    with Recorder(tmp_path, LOCAL):
        assert journals(tmp_path) == []
    assert Ledger.read(tmp_path).evidence[LOCAL] == before


def test_what_was_measured_meanwhile_is_not_taken_back(tmp_path: Path) -> None:
    killed(tmp_path, make("page#p01", measured=()))
    write_evidence(tmp_path, LOCAL, "page", [make("page#p01")])
    assert Ledger.read(tmp_path).evidence[LOCAL]["page#p01"].measured
    with Recorder(tmp_path, LOCAL):
        pass
    assert Ledger.read(tmp_path).evidence[LOCAL]["page#p01"].measured


def test_a_journal_that_somebody_writes_is_left_to_them(tmp_path: Path) -> None:
    with Recorder(tmp_path, LOCAL) as recorder:
        recorder.add("page", [make("page#p01")], NAMES, final=False)
        with Recorder(tmp_path, LOCAL):
            assert len(journals(tmp_path)) == 1
        assert len(journals(tmp_path)) == 1


def test_a_line_that_was_not_written_to_its_end_is_no_damage(tmp_path: Path) -> None:
    journal = killed(tmp_path, make("page#p01"), make("page#p02"))
    journal.write_bytes(journal.read_bytes()[:-20])
    ledger = Ledger.read(tmp_path)
    assert ledger.damaged == ()
    assert list(ledger.evidence[LOCAL]) == ["page#p01"]


def test_a_journal_that_is_damaged_is_named(tmp_path: Path) -> None:
    journal = killed(tmp_path, make("page#p01"), make("page#p02"))
    journal.write_bytes(b"[]\n" + journal.read_bytes())
    (message,) = Ledger.read(tmp_path).damaged
    assert message.startswith(f"{journal}: cannot be read to its end")


def test_a_journal_of_a_page_that_a_newer_version_wrote_stays(tmp_path: Path) -> None:
    journal = killed(tmp_path, make("page#p01"))
    file = write_evidence(tmp_path, LOCAL, "page", [make()])
    document = json.loads(file.read_text(encoding="utf-8")) | {"version": VERSION + 1}
    file.write_text(json.dumps(document), encoding="utf-8")
    with Recorder(tmp_path, LOCAL):
        assert journals(tmp_path) == [journal]


def test_an_account_stays_until_another_is_given(tmp_path: Path) -> None:
    account = Account(fences=4, ran={"p01": 2})
    recorder = Recorder(tmp_path, LOCAL)
    recorder.add("page", [make()], ["page#p01"], account=account)
    recorder.add("page", [make()], ["page#p01"])
    assert Ledger.read(tmp_path).accounts == {LOCAL: {"page": account}}


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_evidence(tmp_path, "recorded", "page", [make()])
    before = file.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(LedgerError, match=r"page\.json: .* No space left"):
        write_evidence(tmp_path, "recorded", "page", [make(digest="d2")])
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / LOCAL).write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(LedgerError, match="cannot be written"):
        write_evidence(tmp_path, LOCAL, "page", [make()])


def test_a_thousand_snippets_are_read_in_a_third_of_a_second(tmp_path: Path) -> None:
    for page in range(100):
        rows = [make(f"page-{page}#p{i:02}") for i in range(10)]
        write_evidence(tmp_path, LOCAL, f"page-{page}", rows)
    taken = []
    for _ in range(3):
        start = time.process_time()
        assert len(Ledger.read(tmp_path).evidence[LOCAL]) == 1000
        taken.append(time.process_time() - start)
    assert min(taken) < 0.3
