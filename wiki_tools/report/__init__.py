"""Joins page, graph and ledger; finds what is outdated."""

from wiki_tools.report.accounts import (
    FenceAccount,
    Fewer,
    PageAccount,
    account_pages,
    find_fewer,
    known_accounts,
    totals,
)
from wiki_tools.report.claims import (
    ClaimReport,
    Counted,
    Held,
    numerals,
    report_claims,
    unbacked_claims,
)
from wiki_tools.report.document import verify_document
from wiki_tools.report.findings import (
    WORST_FIRST,
    Finding,
    find_findings,
    find_outcome,
    place_of,
)
from wiki_tools.report.join import choices, report_page, report_wiki
from wiki_tools.report.status import is_disowned, page_status
from wiki_tools.report.sweeps import Holds, Sweep, find_sweeps, holds_words
from wiki_tools.report.types import (
    ComparisonReport,
    EnvironmentReport,
    PageReport,
    PageStatus,
    SnippetReport,
)

__all__ = [
    "WORST_FIRST",
    "ClaimReport",
    "ComparisonReport",
    "Counted",
    "EnvironmentReport",
    "FenceAccount",
    "Fewer",
    "Finding",
    "Held",
    "Holds",
    "PageAccount",
    "PageReport",
    "PageStatus",
    "SnippetReport",
    "Sweep",
    "account_pages",
    "choices",
    "find_fewer",
    "find_findings",
    "find_outcome",
    "find_sweeps",
    "holds_words",
    "is_disowned",
    "known_accounts",
    "numerals",
    "page_status",
    "place_of",
    "report_claims",
    "report_page",
    "report_wiki",
    "totals",
    "unbacked_claims",
    "verify_document",
]
