"""Where a claim holds, of the sizes of a sweep."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from tests.reports import CPU, make_evidence, make_vault
from wiki_tools.config import Config
from wiki_tools.ledger import Ledger, Measured, write_evidence
from wiki_tools.measure import plan_comparisons
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Samples
from wiki_tools.render.comparison import sweep_lines
from wiki_tools.render.words import LANGUAGES, WORDS
from wiki_tools.report import (
    EnvironmentReport,
    Holds,
    find_findings,
    find_sweeps,
    holds_words,
    report_wiki,
    verify_document,
)
from wiki_tools.snippets import extract_all

PAGE = """---
id: swept
---
# Swept

### Pattern 1

```python setup
S = 128
x = list(range(S))
```

```python baseline
total = 0
for each in x:
    total += each
```

```python {} sweep=S:128,512,1024,2048
total = sum(x)
```
"""
GOOD, BAD, ACROSS = 4.0, 1.0, 2.0


def swept(folder: Path, ratios: Sequence[float], claim: str = 'speedup=">2"') -> EnvironmentReport:
    """A page whose pattern has these ratios at its sizes; 2.0 lies across the claim's edge."""
    config = make_vault(folder, {"swept.md": PAGE.format(claim)})
    return record(config, ratios)


def record(config: Config, ratios: Sequence[float]) -> EnvironmentReport:
    pages = read_pages(config)
    snippets = extract_all(config, pages)
    rows = []
    for snippet in snippets:
        planned = plan_comparisons(config, snippet, snippets)
        of_size = [planned[i : i + len(ratios)] for i in range(0, len(planned), len(ratios))]
        measured = [
            Measured(digest=c.digest, recorded="2026-11-30T03:31:03Z", samples=samples(ratio, c))
            for metric in of_size
            for c, ratio in zip(metric, ratios, strict=True)
        ]
        rows.append(replace(make_evidence(snippet), measured=tuple(measured)))
    write_evidence(config.evidence, "here", "swept", rows)
    (report,) = report_wiki(config, pages, snippets, Ledger.read(config.evidence))
    return report.environments[0]


def samples(ratio: float, comparison: object) -> Samples:
    pairing = comparison.pairing  # type: ignore[attr-defined]
    more = tuple(ratio * (1 + 0.01 * (i % 5 - 2)) for i in range(12))
    time = pairing.metric == "time"
    return Samples(
        against=pairing.against,
        size=pairing.size,
        metric=pairing.metric,
        baseline=more if time else (1.0,) * 12,
        candidate=(1.0,) * 12 if time else more,
    )


CASES = [
    ((GOOD, GOOD, GOOD, GOOD), "everywhere", "at every size that was measured"),
    ((BAD, GOOD, GOOD, GOOD), "from", "from S = 512 on"),
    ((BAD, ACROSS, GOOD, GOOD), "from", "from S = 1024 on"),
    ((BAD, BAD, BAD, GOOD), "from", "from S = 2048 on"),
    ((GOOD, GOOD, BAD, BAD), "up-to", "up to S = 512"),
    ((GOOD, ACROSS, BAD, BAD), "up-to", "up to S = 128"),
    ((BAD, GOOD, BAD, BAD), "only-at", "only at S = 512"),
    ((BAD, GOOD, ACROSS, BAD), "at", "at S = 512"),
    ((BAD, GOOD, GOOD, BAD), "between", "from S = 512 to 1024"),
    ((GOOD, BAD, GOOD, BAD), "at", "at S = 128, 1024"),
    ((BAD, BAD, BAD, BAD), "nowhere", "at no size that was measured"),
    ((BAD, BAD, ACROSS, BAD), "open", "at no size for certain"),
]


@pytest.mark.parametrize(("ratios", "holds", "words"), CASES)
def test_a_sweep_says_where_its_claim_holds(
    tmp_path: Path, ratios: Sequence[float], holds: str, words: str
) -> None:
    report = swept(tmp_path, ratios)
    (sweep,) = find_sweeps(report.snippets[-1].comparisons)
    assert (sweep.holds.value, holds_words(sweep)) == (holds, words)
    (entry,) = verify_document(CPU, [report])["results"][-1]["sweeps"]
    assert (entry["holds"], entry["words"], entry["claim"]) == (holds, words, ">2")
    assert list(entry["verdicts"]) == ["128", "512", "1024", "2048"]


def test_the_site_says_so_in_both_languages(tmp_path: Path) -> None:
    comparisons = swept(tmp_path, (BAD, GOOD, GOOD, GOOD)).snippets[-1].comparisons
    said = {language: "".join(sweep_lines(language, comparisons)) for language in LANGUAGES}
    assert "holds from S = 512 on" in unescape(said["en"])
    assert "S = 512부터 성립" in unescape(said["ko"])


@pytest.mark.parametrize("holds", Holds)
def test_every_place_has_words_in_every_language_that_name_the_same(holds: Holds) -> None:
    texts = WORDS[f"holds-{holds}"]
    named = {language: set(re.findall(r"{(\w+)}", texts[language])) for language in LANGUAGES}
    assert named["en"] == named["ko"]


def test_memory_is_swept_as_well(tmp_path: Path) -> None:
    report = swept(tmp_path, (1.0, 0.4, 0.4, 0.4), "speedup=0..9 memory=..0.5")
    time, memory = find_sweeps(report.snippets[-1].comparisons)
    assert (time.metric, holds_words(time)) == ("time", "at every size that was measured")
    assert (memory.metric, holds_words(memory)) == ("memory", "from S = 512 on")


def test_what_is_refuted_at_one_size_names_it(tmp_path: Path) -> None:
    report = swept(tmp_path, (BAD, GOOD, GOOD, GOOD))
    (finding,) = find_findings(report.snippets, strict=False)
    assert finding.message.startswith("claim >2 at S=128 refuted: ")


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ("refuted:memory", {}),
        ("refuted", {}),  # one that fails is enough, and nobody is told of the other
        ("refuted:speedup", {"refuted": "..0.5", "unexpected": ">2"}),
        ("refuted:speedup,memory", {"unexpected": ">2"}),
    ],
)
def test_a_fence_owns_the_claims_that_it_names(
    tmp_path: Path, expect: str, found: dict[str, str]
) -> None:
    report = swept(tmp_path, (GOOD,) * 4, f'speedup=">2" memory=..0.5 expect={expect}')
    findings = find_findings(report.snippets, strict=False)
    assert {finding.code: finding.message.split()[1] for finding in findings} == found
