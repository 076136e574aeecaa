"""Joins page, graph and ledger; finds what is outdated."""

from wiki_tools.report.claims import numerals, unbacked_claims
from wiki_tools.report.document import verify_document
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
    "ComparisonReport",
    "EnvironmentReport",
    "PageReport",
    "PageStatus",
    "SnippetReport",
    "choices",
    "is_disowned",
    "numerals",
    "page_status",
    "report_page",
    "report_wiki",
    "unbacked_claims",
    "verify_document",
]
