"""`wiki check --show-claims`: every claim of some pages, with what stands behind it."""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import typer

from wiki_tools.checks.output import docs_prefix
from wiki_tools.cli.common import read_ledger
from wiki_tools.config import Config
from wiki_tools.errors import counted, printable, printable_json, shortened
from wiki_tools.pages import read_pages
from wiki_tools.report import ClaimReport, Counted, Held, report_claims, report_wiki
from wiki_tools.report.words import claim_words, comparison_words
from wiki_tools.snippets import extract_all
from wiki_tools.verdicts import Judgement

NOTHING = "claim without evidence"
_TOTALS = ("measured", "counted", "cited", "waiting for hardware", "without evidence")


def show_claims(config: Config, chosen: Collection[str], *, as_json: bool) -> bool:
    """Print every claim with the measurement or check behind it; say whether each has one.

    Args:
        config: the vault's settings.
        chosen: paths of the pages that are asked for.
        as_json: print a document for programs.
    """
    pages = read_pages(config)
    reports = report_wiki(config, pages, extract_all(config, pages), read_ledger(config))
    found = [
        row
        for row in report_claims(report for report in reports if report.page.path in chosen)
        if row.claim.path in chosen
    ]
    if as_json:
        document = {"claims": [_row(one) for one in found], "totals": _totals(found)}
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
    else:
        for line in _lines(docs_prefix(config), found):
            typer.echo(printable(line))
    return all(one.is_backed for one in found)


def _lines(prefix: str, found: Sequence[ClaimReport]) -> Iterator[str]:
    for one in found:
        claim = one.claim
        text = " ".join(claim.text.split())
        place = f"{prefix}{claim.path}:{claim.line}:{claim.column}"
        yield f"{place}: {claim_words(claim)}, written '{text}' ({claim.source})"
        yield from (f"    {line}" for line in _backing(one))
    counts = _totals(found)
    each = ", ".join(f"{counts[name]} {name}" for name in _TOTALS if counts[name])
    yield f"{counted(len(found), 'claim')}: {each}." if found else "No claims."


def _backing(one: ClaimReport) -> Iterator[str]:
    for held in one.held:
        words = comparison_words(held.comparison)
        when = f" on {held.recorded[:10]}" if held.recorded else ""
        yield f"{held.verdict.judgement}: {words}, in {held.environment}{when}"
    for check in one.counted:
        yield f"counted by the check on line {check.line}, in {check.environment}"
    if one.cited:
        yield f"cited, not measured: {one.cited}"
    if one.on:
        yield f"untested: speaks of {shortened(one.on)}, which has not run it"
    elif not one.is_backed:
        yield NOTHING


def _totals(found: Sequence[ClaimReport]) -> dict[str, int]:
    counts = Counter(_word(one) for one in found)
    return {name: counts[name] for name in _TOTALS}


def _word(one: ClaimReport) -> str:
    """What is behind a claim, in the words of the totals."""
    here = any(held.verdict.judgement is not Judgement.UNTESTED for held in one.held)
    named = zip((here, one.counted, one.cited, one.held or one.on), _TOTALS, strict=False)
    return next((name for there, name in named if there), _TOTALS[-1])


def _row(one: ClaimReport) -> dict[str, Any]:
    claim = one.claim
    return {
        "path": claim.path,
        "line": claim.line,
        "column": claim.column,
        "text": claim.text,
        "kind": claim.kind,
        "low": claim.low,
        "high": claim.high if math.isfinite(claim.high) else None,
        "source": claim.source,
        "snippet": claim.snippet or None,
        "on": one.on or claim.on or None,
        "cited": one.cited or None,
        "status": _word(one),
        "measurements": [_measurement(held) for held in one.held],
        "checks": [_check(counted) for counted in one.counted],
    }


def _measurement(held: Held) -> dict[str, Any]:
    seen = held.comparison.measurement
    ratio = seen.ratio if seen else None
    pairing = held.comparison.comparison.pairing
    return {
        "environment": held.environment,
        "snippet": held.row.snippet.id,
        "against": pairing.against,
        "size": pairing.size or None,
        "metric": pairing.metric,
        "ratio": ratio.estimate if ratio else None,
        "low": ratio.low if ratio else None,
        "high": ratio.high if ratio else None,
        "recorded": held.recorded,
        "verdict": held.verdict.judgement.value,
        "reason": held.verdict.reason,
    }


def _check(counted: Counted) -> dict[str, Any]:
    return {
        "environment": counted.environment,
        "snippet": counted.snippet,
        "line": counted.line,
    }
