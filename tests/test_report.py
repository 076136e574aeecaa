import dataclasses
import datetime
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.reports import CARD, CPU, make_evidence, make_vault
from tests.support import TESTS
from wiki_tools.claims import Claim
from wiki_tools.cli import app
from wiki_tools.config import Config, read_config
from wiki_tools.environment import Environment, describe_environment, folder_name
from wiki_tools.ledger import LOCAL, Evidence, Ledger, Measured, write_evidence
from wiki_tools.measure import plan_comparisons
from wiki_tools.pages import Page, read_pages
from wiki_tools.protocol import Outcome, Samples, Status
from wiki_tools.report import (
    EnvironmentReport,
    PageReport,
    PageStatus,
    choices,
    find_findings,
    report_claims,
    report_wiki,
    unbacked_claims,
    verify_document,
)
from wiki_tools.report.words import snippet_totals
from wiki_tools.snippets import Snippet, extract_all
from wiki_tools.verdicts import Judgement

RECORDED = "2026-11-30T03:31:03Z"


class Vault:
    """A copy of a tiny wiki whose evidence is written by hand."""

    def __init__(self, folder: Path) -> None:
        self.config: Config = read_config(folder)

    @property
    def pages(self) -> tuple[Page, ...]:
        return read_pages(self.config)

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        return extract_all(self.config, self.pages)

    def record(
        self,
        ratio: float = 1.0,
        environment: Environment = CPU,
        folder: str = "",
        status: Status = Status.PASSED,
        only: str = "",
        **fields: object,
    ) -> None:
        """Write evidence that every snippet ended so, and every comparison gave `ratio`."""
        snippets = self.snippets
        for page in {s.page for s in snippets}:
            rows = [
                self._row(s, snippets, ratio, environment, status, fields)
                for s in snippets
                if s.page == page and only in s.id
            ]
            name = folder or folder_name(environment)
            write_evidence(self.config.evidence, name, page, rows)

    def _row(
        self,
        snippet: Snippet,
        snippets: tuple[Snippet, ...],
        ratio: float,
        environment: Environment,
        status: Status,
        fields: dict[str, object],
    ) -> Evidence:
        measured = [
            Measured(
                digest=c.digest,
                recorded=RECORDED,
                samples=Samples(
                    against=c.pairing.against,
                    baseline=tuple(0.002 * ratio * (1 + 1e-4 * i) for i in range(12)),
                    candidate=(0.002,) * 12,
                ),
            )
            for c in plan_comparisons(self.config, snippet, snippets)
        ]
        evidence = Evidence(
            snippet=snippet.id,
            digest=snippet.digest,
            choice=0,
            recorded=RECORDED,
            commit="",
            outcome=Outcome(snippet=snippet.id, status=status, seconds=0.1),
            context={},
            measured=tuple(measured),
            environment=environment,
        )
        return dataclasses.replace(evidence, **fields)  # type: ignore[arg-type]

    def edit(self, old: str, new: str) -> None:
        """Change the text of the wiki's one page."""
        (file,) = self.config.docs.glob("*.md")
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def report(self) -> PageReport:
        """The report of the wiki's one page, in its default language."""
        ledger = Ledger.read(self.config.evidence)
        return report_wiki(self.config, self.pages, self.snippets, ledger)[0]

    def unbacked(self) -> list[tuple[str, str]]:
        ledger = Ledger.read(self.config.evidence)
        reports = report_wiki(self.config, self.pages, self.snippets, ledger)
        return [(claim.source, claim.text) for claim in unbacked_claims(reports)]


@pytest.fixture
def stale(tmp_path: Path) -> Vault:
    return Vault(shutil.copytree(TESTS / "wikis" / "stale", tmp_path / "vault"))


@pytest.fixture
def false_claim(tmp_path: Path) -> Vault:
    return Vault(shutil.copytree(TESTS / "wikis" / "false-claim", tmp_path / "vault"))


def only(report: PageReport) -> EnvironmentReport:
    (environment,) = report.environments
    return environment


def verdicts(report: EnvironmentReport) -> dict[str, str]:
    return {
        row.snippet.id.partition("#")[2]: verdict.judgement.value
        for row in report.snippets
        for comparison in row.comparisons
        for verdict in comparison.verdicts
    }


# Status


def test_a_page_without_evidence_has_no_environment(stale: Vault) -> None:
    assert stale.report().environments == ()


def test_a_page_whose_snippets_all_passed_is_verified(stale: Vault) -> None:
    stale.record(ratio=2.0)
    row = only(stale.report())
    assert row.status is PageStatus.VERIFIED
    assert row.last_verified == RECORDED
    assert row.name == folder_name(CPU)
    assert verdicts(row) == {"p01": "confirmed"}


def test_an_edited_snippet_is_outdated(stale: Vault) -> None:
    stale.record(ratio=2.0)
    stale.edit("product = 6 * 7", "product = 6 * 8")
    row = only(stale.report())
    assert row.status is PageStatus.OUTDATED
    assert row.reasons == ("p02 changed since",)
    assert [r.outdated for r in row.snippets] == [False, False, True]


def test_an_edited_baseline_takes_its_measurement_with_it(stale: Vault) -> None:
    stale.record(ratio=2.0)
    stale.edit("total += number", "total = total + number")
    row = only(stale.report())
    assert row.status is PageStatus.OUTDATED
    assert verdicts(row) == {"p01": "untested"}
    assert row.snippets[0].outdated is False
    assert row.snippets[0].comparisons[0].measurement is None


def test_layout_comments_titles_and_claims_outdate_nothing(stale: Vault) -> None:
    stale.record(ratio=2.0)
    stale.edit("product = 6 * 7", "product = 6*7  # forty-two")
    stale.edit("A product", "The product")
    stale.edit('speedup=">1"', "speedup=5..6")
    row = only(stale.report())
    assert verdicts(row) == {"p01": "refuted"}
    assert not any(r.outdated for r in row.snippets)


def test_a_failure_before_the_edit_says_nothing_about_the_page_now(stale: Vault) -> None:
    stale.record(status=Status.FAILED, only="#p02")
    assert only(stale.report()).status is PageStatus.FAILING
    stale.edit("product = 6 * 7", "product = 6 * 8")
    assert only(stale.report()).status is PageStatus.OUTDATED


@pytest.mark.parametrize("status", [Status.FAILED, Status.TIMED_OUT, Status.CRASHED])
def test_a_snippet_that_did_not_end_well_fails_its_page(stale: Vault, status: Status) -> None:
    stale.record(status=status)
    row = only(stale.report())
    assert row.status is PageStatus.FAILING
    assert row.reasons[0] == f"p01 {status.value.replace('_', ' ')}"


@pytest.mark.parametrize("status", [Status.SKIPPED, Status.INCOMPLETE])
def test_a_skip_is_never_green(stale: Vault, status: Status) -> None:
    stale.record(status=status)
    assert only(stale.report()).status is PageStatus.PARTIAL


def test_a_snippet_without_evidence_makes_its_page_partial(stale: Vault) -> None:
    stale.record(ratio=2.0, only="#p01")
    row = only(stale.report())
    assert row.status is PageStatus.PARTIAL
    assert row.reasons == ("p02 has no evidence",)


def test_retargeted_snippets_are_named(stale: Vault) -> None:
    outcome = Outcome(snippet="s", status=Status.PASSED, notes=("retargeted",))
    stale.record(ratio=2.0, outcome=outcome)
    row = only(stale.report())
    assert row.status is PageStatus.VERIFIED
    assert "p02 retargeted" in row.reasons


def test_a_verified_page_counts_the_claims_that_are_open(stale: Vault) -> None:
    stale.edit('speedup=">1"', 'speedup=">2.001"')
    stale.record(ratio=2.0)
    row = only(stale.report())
    assert (row.status, row.reasons) == (PageStatus.VERIFIED, ("1 claim inconclusive",))


def test_the_strongest_device_comes_first(stale: Vault) -> None:
    stale.record(ratio=2.0)
    stale.record(ratio=3.0, environment=CARD)
    older = dataclasses.replace(CARD, device_name="NVIDIA V100", capability="7.0")
    stale.record(ratio=3.0, environment=older)
    names = [row.environment.device_name for row in stale.report().environments]
    assert names == [CARD.device_name, "NVIDIA V100", CPU.device_name]


def test_what_this_machine_saw_stands_in_for_what_was_committed(stale: Vault) -> None:
    stale.record(ratio=2.0)
    stale.record(ratio=1.5, folder=LOCAL)
    row = only(stale.report())
    assert row.name == LOCAL


def test_what_was_committed_since_counts_more_than_what_this_machine_saw_before(
    stale: Vault,
) -> None:
    stale.record(ratio=1.5, folder=LOCAL)
    stale.record(ratio=2.0, recorded="2026-12-01T00:00:00Z")
    row = only(stale.report())
    assert row.name == folder_name(CPU)


def test_a_page_is_aged_when_nobody_has_reinforced_it_for_long(stale: Vault) -> None:
    assert not stale.report().aged
    today = datetime.datetime.now(datetime.UTC).date()
    stale.edit("status: verified", f"status: verified\nlast_reinforced: {today}")
    assert not stale.report().aged
    stale.edit(f"last_reinforced: {today}", "last_reinforced: 2001-01-01")
    assert stale.report().aged


def test_damaged_evidence_counts_as_none(stale: Vault) -> None:
    stale.record()
    for file in stale.config.evidence.rglob("*.json"):
        file.write_text("{", encoding="utf-8")
    assert stale.report().environments == ()


def test_a_recorded_choice_beyond_the_programs_is_survived(stale: Vault) -> None:
    stale.record(choice=7)
    assert only(stale.report()).snippets[0].comparisons == ()
    ledger = Ledger.read(stale.config.evidence)
    assert set(choices(stale.snippets, ledger).values()) == {0}


# Claims


def test_a_false_claim_comes_out_refuted_and_fails_its_page(false_claim: Vault) -> None:
    false_claim.record(ratio=1.0)
    row = only(false_claim.report())
    assert verdicts(row) == {
        "p01": "refuted",
        "p02": "refuted",
        "p03": "untested",
        "p05": "refuted",
    }
    assert row.status is PageStatus.FAILING
    assert row.reasons == ("p01 claims >3: refuted", "p05 claims 1.4: refuted")


def test_a_claim_that_its_page_owns_does_not_fail_it(false_claim: Vault) -> None:
    false_claim.edit('speedup=">3"', 'speedup=">3" expect=refuted')
    false_claim.edit("speedup=1.4", "speedup=1.4 expect=refuted")
    false_claim.record(ratio=1.0)
    assert only(false_claim.report()).status is PageStatus.VERIFIED


def test_a_changed_claim_needs_no_new_run(false_claim: Vault) -> None:
    false_claim.record(ratio=4.0)
    assert verdicts(only(false_claim.report()))["p01"] == "confirmed"
    false_claim.edit('speedup=">3"', 'speedup=">5"')
    assert verdicts(only(false_claim.report()))["p01"] == "refuted"


@pytest.mark.parametrize(("ratio", "found"), [(4.0, ["unexpected"]), (1.0, [])])
def test_a_claim_that_holds_must_not_be_owned_as_refuted(
    false_claim: Vault, ratio: float, found: list[str]
) -> None:
    false_claim.edit('speedup=">3"', 'speedup=">3" expect=refuted')
    false_claim.record(ratio=ratio)
    rows = [row for row in only(false_claim.report()).snippets if row.snippet.id.endswith("#p01")]
    findings = find_findings(rows, strict=True)
    assert [(finding.code, finding.severity) for finding in findings] == [
        (f, "error") for f in found
    ]


def test_a_claim_about_a_card_is_judged_where_there_is_one(false_claim: Vault) -> None:
    false_claim.record(ratio=4.0, environment=CARD)
    assert verdicts(only(false_claim.report()))["p03"] == "confirmed"


def test_claims_are_unbacked_until_something_measures_them(false_claim: Vault) -> None:
    assert false_claim.unbacked() == [
        ("attribute", ">3"),
        ("prose", "5-10x"),
        ("attribute", "5..10"),
        ("attribute", "2"),
        ("prose", "40%"),
        ("prose", "7x"),
        ("attribute", "1.4"),
    ]
    false_claim.record(ratio=1.0)
    assert false_claim.unbacked() == [("attribute", "2"), ("prose", "7x")]


COUNTING = """---
id: counting
---
# Counting

### Attention's memory {#scores}
The scores are O(S²), with 4x fewer parameters.
See [below](#linear), it is linear in S.

```python
scores = [[0] * 4] * 4
```

```python check
%s
```

### Fused {#linear}
It is linear in S.

```python
row = [0] * 4
```

```python check
from wiki_tools.probes import growth
assert round(growth(len, *map(list, ([0], [0])))) == 1
```
"""


def counted(tmp_path: Path, check: str, status: Status = Status.PASSED) -> list[str]:
    """The claims of a page that nothing stands behind, its checks being recorded so."""
    config = make_vault(tmp_path, {"counting.md": COUNTING % check})
    pages = read_pages(config)
    snippets = extract_all(config, pages)
    write_evidence(
        config.evidence, "here", "counting", [make_evidence(s, status=status) for s in snippets]
    )
    reports = report_wiki(config, pages, snippets, Ledger.read(config.evidence))
    return [claim.text for claim in unbacked_claims(reports)]


@pytest.mark.parametrize(
    ("check", "open_"),
    [
        ("assert flops(f) == 2 * flops(g)", []),
        ("assert flops(f) == 8", ["O(S²)"]),
        ("assert [flops(f, n) for n in (1, 2)] == [1, 4]", []),
        ("assert 1.9 < growth(cost, 8, 16) < 2.1", ["4x"]),
        ("flops(f), flops(g)", ["O(S²)", "4x"]),
        ("assert True", ["O(S²)", "4x"]),
        ("flops(f), flops(g)\nassert True", ["O(S²)", "4x"]),
        ("found = flops(f), flops(g)\nother = 1\nassert other", ["O(S²)", "4x"]),
        ("found = flops(f)\nassert found == 8", ["O(S²)"]),
        ("def cost(n): return flops(f, n)\nassert cost(2) == 4 * cost(1)", []),
        ("costs = []\nfor n in (1, 2):\n    costs.append(flops(f, n))\nassert costs == [1, 4]", []),
        ("assert sum(p.numel() for p in m.parameters()) == 4", []),
    ],
)
def test_a_count_is_backed_by_a_check_that_asserts_it(
    tmp_path: Path, check: str, open_: list[str]
) -> None:
    assert counted(tmp_path, check) == open_


def test_a_growth_may_be_proved_elsewhere_and_a_ratio_may_not(tmp_path: Path) -> None:
    text = "It is O(S²), [Theorem 1](https://example.org/p), and 2x faster.\n\nThat is O(S).\n"
    config = make_vault(tmp_path, {"cited.md": text})
    pages = read_pages(config)
    reports = report_wiki(config, pages, (), Ledger.read(config.evidence))
    told = [(one.claim.text, one.cited) for one in report_claims(reports)]
    assert told == [("O(S²)", "https://example.org/p"), ("2x", ""), ("O(S)", "")]


def test_claims_in_prose_are_not_held_against_each_other(tmp_path: Path) -> None:
    passes = []

    class Watched(tuple[Claim, ...]):
        """Notes each time that somebody looks through it."""

        def __iter__(self) -> Iterator[Claim]:
            passes.append(len(self))
            return super().__iter__()

    config = make_vault(tmp_path, {"many.md": "# Many\n\n" + "It is 2x faster.\n\n" * 50})
    (report,) = report_wiki(config, read_pages(config), (), Ledger.read(config.evidence))
    watched = dataclasses.replace(report, claims=Watched(report.claims))
    assert len(report_claims([watched])) == 50
    assert 0 < len(passes) < 5  # each claim looked through all of them


def test_a_check_that_did_not_pass_backs_nothing(tmp_path: Path) -> None:
    said = ["O(S²)", "4x", "linear in S", "linear in S"]
    assert counted(tmp_path, "assert flops(f) == flops(g)", Status.FAILED) == said


def test_every_claim_is_told_with_what_stands_behind_it(false_claim: Vault) -> None:
    false_claim.record(ratio=4.0)
    ledger = Ledger.read(false_claim.config.evidence)
    reports = report_wiki(false_claim.config, false_claim.pages, false_claim.snippets, ledger)
    told = {
        (one.claim.source, one.claim.text): [held.verdict.judgement.value for held in one.held]
        for one in report_claims(reports)
    }
    assert told["attribute", ">3"] == ["confirmed"]
    assert told["prose", "5-10x"] == ["refuted"]
    assert told["attribute", "2..8"] == ["untested"]
    assert told["prose", "7x"] == []


def test_a_claim_in_a_changelog_was_said_then(false_claim: Vault) -> None:
    false_claim.edit(
        "### Pattern 5", "## Changelog\n- it was 9x faster\n\n## Rest\n\n### Pattern 5"
    )
    assert ("prose", "9x") not in false_claim.unbacked()


def test_a_translation_has_claims_of_its_own_and_shares_the_evidence(false_claim: Vault) -> None:
    (file,) = false_claim.config.docs.glob("*.md")
    text = file.read_text(encoding="utf-8").replace("# False claim", "# False claim\n\n한국어판")
    text = text.replace("It is said to be 5-10x faster.", "5-10배 빠르다고 한다. 9배 빠름.")
    file.with_name("false-claim.ko.md").write_text(text, encoding="utf-8")
    false_claim.record(ratio=1.0)
    ledger = Ledger.read(false_claim.config.evidence)
    reports = report_wiki(false_claim.config, false_claim.pages, false_claim.snippets, ledger)
    english, korean = sorted(reports, key=lambda r: r.page.path.endswith(".ko.md"))
    assert {c.path for c in korean.claims} == {"false-claim.ko.md"}
    assert only(korean).status is only(english).status is PageStatus.FAILING
    assert ("prose", "9배") in false_claim.unbacked()
    assert ("prose", "5-10배") not in false_claim.unbacked()
    shifted: dict[str, Claim] = {c.snippet: c for c in korean.claims if c.source == "attribute"}
    for claim in (c for c in english.claims if c.source == "attribute"):
        assert shifted[claim.snippet].line == claim.line + 2


# Beside earlier evidence


def test_what_got_worse_is_told_wherever_ci_looks(false_claim: Vault, tmp_path: Path) -> None:
    here = describe_environment("cpu")
    false_claim.record(ratio=4.0, environment=here)
    old = shutil.copytree(false_claim.config.evidence, tmp_path / "old")
    false_claim.record(ratio=2.0, environment=here)
    summary, junit = tmp_path / "s.md", tmp_path / "j.xml"
    docs = [
        "--docs",
        str(false_claim.config.docs),
        "--no-measure",
        "--record",
        "--format",
        "github",
    ]
    files = ["--summary", str(summary), "--against", str(old), "--junit", str(junit)]
    files += ["--format", "github"]
    done = CliRunner().invoke(app, ["verify", *docs, *files])
    said = "regression: 4x (4 to 4) before, 2x (2 to 2) now, over the page's baseline"
    assert f"title=regression::{said}" in done.stdout, done.output
    assert "regressions" in summary.read_text(encoding="utf-8").partition("\n")[0]
    assert said in junit.read_text(encoding="utf-8")


# JSON


def test_the_document_has_the_shape_that_the_design_promises(false_claim: Vault) -> None:
    false_claim.record(ratio=4.0)
    document = verify_document(CPU, [only(false_claim.report())])
    assert set(document) == {"environment", "results", "totals"}
    assert document["environment"]["device_name"] == CPU.device_name
    first, *_ = document["results"]
    assert set(first) >= {
        "page", "snippet", "line", "status", "seconds", "message", "notes", "context",
        "comparisons",
    }  # fmt: skip
    (comparison,) = first["comparisons"]
    assert set(comparison) >= {
        "against", "metric", "ratio", "low", "high", "samples", "size", "claim", "verdict",
        "reason",
    }  # fmt: skip
    assert (first["snippet"], first["status"]) == ("false-claim#p01", "passed")
    assert first["page"] == "false-claim.md"
    assert (comparison["against"], comparison["claim"]) == ("baseline", ">3")
    assert comparison["verdict"] == "confirmed"
    assert comparison["low"] <= comparison["ratio"] <= comparison["high"]
    assert document["totals"]["passed"] == len(document["results"]) == 9


def test_a_comparison_without_a_claim_has_no_verdict(stale: Vault) -> None:
    stale.edit('speedup=">1"', "")
    stale.record(ratio=2.0)
    document = verify_document(CPU, [only(stale.report())])
    (comparison,) = document["results"][0]["comparisons"]
    assert (comparison["claim"], comparison["verdict"]) == (None, None)
    assert comparison["ratio"] == pytest.approx(2.0, rel=0.01)


def test_the_document_says_how_busy_a_machine_was(false_claim: Vault) -> None:
    false_claim.record(ratio=4.0)
    row = only(false_claim.report())
    (seen,) = row.snippets[0].comparisons
    assert seen.measurement is not None
    busy = dataclasses.replace(seen, measurement=dataclasses.replace(seen.measurement, busy=0.9))
    snippet = dataclasses.replace(row.snippets[0], comparisons=(busy,))
    blurred = dataclasses.replace(row, snippets=(snippet,))
    documents = [verify_document(CPU, [one]) for one in (row, blurred)]
    assert [d["results"][0]["comparisons"][0]["busy"] for d in documents] == [0.0, 0.9]


@pytest.mark.parametrize(
    ("fences", "reason"),
    [
        ("```python speedup=2\ny = 1 + 1\n```\n", "add a baseline fence to its section"),
        (
            "```python\ny = 1 + 1\n```\n```python baseline speedup=2\ny = sum([1, 1])\n```\n",
            "claim it on the pattern's fence",
        ),
    ],
)
def test_a_claim_that_nothing_is_compared_for_is_untested_and_says_why(
    tmp_path: Path, fences: str, reason: str
) -> None:
    config = make_vault(tmp_path, {"a.md": f"### Pattern 1\n{fences}"})
    pages = read_pages(config)
    snippets = extract_all(config, pages)
    rows = [make_evidence(snippet) for snippet in snippets]
    write_evidence(config.evidence, "here", snippets[0].page, rows)
    (report,) = report_wiki(config, pages, snippets, Ledger.read(config.evidence))
    (verdict,) = [v for row in report.environments[0].snippets for v in row.verdicts]
    assert verdict.judgement is Judgement.UNTESTED
    assert reason in verdict.reason
    assert "1 untested" in snippet_totals(report.environments[0].snippets)


def test_what_a_run_says_is_not_as_long_as_what_it_quotes(false_claim: Vault) -> None:
    message = f"did not raise {'Error' * 20_000}"
    false_claim.edit("on=cuda>=8.0", f"on=cuda{',cuda' * 20_000}")
    outcome = Outcome(snippet="", status=Status.FAILED, seconds=0.1, message=message)
    false_claim.record(outcome=outcome)
    row = only(false_claim.report())
    told = [finding.message for finding in find_findings(row.snippets, strict=True)]
    told += [verdict.reason for snippet in row.snippets for verdict in snippet.verdicts]
    assert told
    assert max(map(len, told)) < 2_100
