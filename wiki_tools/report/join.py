"""Joins a page with its evidence, one environment at a time."""

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wiki_tools.claims import Claim, all_claims
from wiki_tools.config import Config
from wiki_tools.environment import folder_name
from wiki_tools.ledger import LOCAL, Evidence, Ledger
from wiki_tools.measure import Comparison, plan_comparisons, summarize
from wiki_tools.pages import Page
from wiki_tools.protocol import Status
from wiki_tools.report.status import page_status
from wiki_tools.report.types import ComparisonReport, EnvironmentReport, PageReport, SnippetReport
from wiki_tools.snippets import Snippet, snippet_ids
from wiki_tools.verdicts import Judgement, Verdict, claims_on, judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Plans each snippet's comparisons once, for all environments and languages."""

    config: Config
    known: dict[tuple[str, int], tuple[Comparison, ...]] = field(default_factory=dict)

    def of(
        self, snippet: Snippet, siblings: tuple[Snippet, ...], choice: int
    ) -> tuple[Comparison, ...]:
        """The comparisons of a snippet, with the program that was chosen."""
        key = (snippet.id, choice)
        if key not in self.known:
            self.known[key] = plan_comparisons(self.config, snippet, siblings, choice=choice)
        return self.known[key]


FindClaims = Callable[[Page, Mapping[int, str]], tuple[Claim, ...]]
"""Finds a page's claims, given the ids of its snippets by the line of their code."""


def report_wiki(
    config: Config,
    pages: Sequence[Page],
    snippets: Sequence[Snippet],
    ledger: Ledger,
    find: FindClaims = all_claims,
) -> tuple[PageReport, ...]:
    """Report every page, translations included: they share snippets and evidence.

    `find` says which claims the reports hold; with `stated_claims` nobody reads the prose.
    """
    by_page: dict[str, list[Snippet]] = {}
    for snippet in snippets:
        by_page.setdefault(snippet.page, []).append(snippet)
    plans = Plans(config=config)
    return tuple(
        report_page(config, page, tuple(by_page.get(page.key, ())), ledger, plans, find)
        for page in pages
    )


def report_page(
    config: Config,
    page: Page,
    snippets: tuple[Snippet, ...],
    ledger: Ledger,
    plans: Plans | None = None,
    find: FindClaims = all_claims,
) -> PageReport:
    """Join one page with its evidence.

    Args:
        config: the vault's settings.
        page: the page, in any language.
        snippets: those of the page, from its default language.
        ledger: all evidence.
        plans: what is planned already; the same snippets must be meant.
        find: which claims the report holds.
    """
    plans = plans or Plans(config=config)
    ours = not snippets or snippets[0].path == page.path
    claims = find(page, {s.fence.line: s.id for s in snippets} if ours else snippet_ids(page))
    shared = claims if ours else _of_default(claims, snippets)
    rows = [
        _report_environment(plans, snippets, shared, ledger, name)
        for name in _environments(snippets, ledger)
    ]
    return PageReport(
        page=page,
        snippets=snippets,
        environments=tuple(sorted(rows, key=_strength)),
        aged=_is_aged(page, config),
        claims=claims,
    )


def _of_default(claims: Iterable[Claim], snippets: Sequence[Snippet]) -> tuple[Claim, ...]:
    """Claims of a translation, as far as they speak of snippets that both languages have."""
    known = {snippet.id for snippet in snippets}
    return tuple(claim for claim in claims if claim.snippet in known)


def _environments(snippets: Sequence[Snippet], ledger: Ledger) -> list[str]:
    """Folders that know any of the snippets; of `local` and its own environment's the newer."""
    names = [n for n in ledger.evidence if any(ledger.find(n, s.id) for s in snippets)]
    if LOCAL in names:
        here = _newest(snippets, ledger, LOCAL)
        same = folder_name(here.environment)
        if same in names:
            committed = _newest(snippets, ledger, same)
            names.remove(LOCAL if committed.recorded > here.recorded else same)
    return names


def _newest(snippets: Sequence[Snippet], ledger: Ledger, name: str) -> Evidence:
    rows = [row for s in snippets if (row := ledger.find(name, s.id)) is not None]
    return max(rows, key=lambda row: row.recorded)


def _strength(row: EnvironmentReport) -> tuple[bool, list[float], str]:
    """Sorts cards before processors, newer cards first."""
    numbers = [-float(n) for n in re.findall(r"\d+", row.environment.capability)]
    return row.environment.device == "cpu", numbers, row.name


def _is_aged(page: Page, config: Config) -> bool:
    last = page.frontmatter.last_reinforced
    today = datetime.datetime.now(datetime.UTC).date()
    return last is not None and (today - last).days > config.aged_days


def _report_environment(
    plans: Plans,
    snippets: tuple[Snippet, ...],
    claims: Sequence[Claim],
    ledger: Ledger,
    name: str,
) -> EnvironmentReport:
    newest = _newest(snippets, ledger, name)
    rows = tuple(
        _report_snippet(plans, snippet, snippets, claims, ledger.find(name, snippet.id), name)
        for snippet in snippets
    )
    status, reasons = page_status(rows)
    return EnvironmentReport(
        name=name,
        environment=newest.environment,
        status=status,
        reasons=reasons,
        snippets=rows,
        last_verified=newest.recorded,
    )


def _report_snippet(
    plans: Plans,
    snippet: Snippet,
    siblings: tuple[Snippet, ...],
    claims: Sequence[Claim],
    evidence: Evidence | None,
    name: str,
) -> SnippetReport:
    outdated = evidence is not None and evidence.digest != snippet.digest
    comparisons: tuple[ComparisonReport, ...] = ()
    own = [c for c in claims if c.snippet == snippet.id and c.source == "attribute"]
    if evidence is not None and evidence.choice < len(snippet.programs):
        comparisons = tuple(
            _report_comparison(comparison, evidence, outdated, own)
            for comparison in plans.of(snippet, siblings, evidence.choice)
        )
    return SnippetReport(
        snippet=snippet,
        environment=name,
        evidence=evidence,
        outdated=outdated,
        comparisons=comparisons,
        unreached=tuple(_unreached(snippet, own, comparisons)) if evidence else (),
    )


def _unreached(
    snippet: Snippet, claims: Sequence[Claim], comparisons: Sequence[ComparisonReport]
) -> Iterator[Verdict]:
    """Say of each claim that no comparison speaks of why that is so."""
    reached = {verdict.claim for row in comparisons for verdict in row.verdicts}
    reason = "there is nothing to compare with: add a baseline fence to its section"
    if snippet.role not in ("", "antipattern"):
        reason = f"a {snippet.role} fence is compared with nothing: claim it on the pattern's fence"
    for claim in claims:
        if claim not in reached:
            yield Verdict(claim=claim, judgement=Judgement.UNTESTED, reason=reason)


def _report_comparison(
    comparison: Comparison, evidence: Evidence, outdated: bool, claims: Sequence[Claim]
) -> ComparisonReport:
    rows = [m for m in evidence.measured if m.digest == comparison.digest]
    passed = evidence.outcome.status is Status.PASSED
    measurement = summarize(rows[-1].samples) if rows and passed and not outdated else None
    return ComparisonReport(
        comparison=comparison,
        measurement=measurement,
        verdicts=tuple(
            judge(claim, measurement, evidence.environment)
            for claim in claims_on(comparison, claims)
        ),
    )


def choices(snippets: Iterable[Snippet], ledger: Ledger) -> dict[str, int]:
    """Which program of each snippet runs, by committed evidence; 0 where nothing is known.

    What this machine alone knows is left out: `snippets/` is the same for everybody.
    """
    names = sorted(name for name in ledger.evidence if name != LOCAL)
    found: dict[str, int] = {}
    for snippet in snippets:
        rows = [row for name in names if (row := ledger.find(name, snippet.id)) is not None]
        rows.sort(key=lambda row: (row.digest == snippet.digest, row.recorded))
        choice = rows[-1].choice if rows else 0
        found[snippet.id] = choice if choice < len(snippet.programs) else 0
    return found
