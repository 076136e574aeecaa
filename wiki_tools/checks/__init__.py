"""What is wrong with a wiki, without running it."""

from wiki_tools.checks.baseline import (
    Baseline,
    gone_findings,
    new_findings,
    read_baseline,
    write_baseline,
)
from wiki_tools.checks.check import check_wiki
from wiki_tools.checks.output import annotation, as_github, as_text, check_document
from wiki_tools.checks.rules import CODES, RULES
from wiki_tools.checks.types import Code, Diagnostic, Rule, Wiki

__all__ = [
    "CODES",
    "RULES",
    "Baseline",
    "Code",
    "Diagnostic",
    "Rule",
    "Wiki",
    "annotation",
    "as_github",
    "as_text",
    "check_document",
    "check_wiki",
    "gone_findings",
    "new_findings",
    "read_baseline",
    "write_baseline",
]
