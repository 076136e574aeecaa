"""Joins page, graph and ledger; finds what is outdated."""

from wiki_tools.report.claims import numerals, unbacked_claims
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
from wiki_tools.report.types import (
    ComparisonReport,
    EnvironmentReport,
    PageReport,
    PageStatus,
    SnippetReport,
)

__all__ = [
    "WORST_FIRST",
    "ComparisonReport",
    "EnvironmentReport",
    "Finding",
    "PageReport",
    "PageStatus",
    "SnippetReport",
    "choices",
    "find_findings",
    "find_outcome",
    "is_disowned",
    "numerals",
    "page_status",
    "place_of",
    "report_page",
    "report_wiki",
    "unbacked_claims",
    "verify_document",
]
