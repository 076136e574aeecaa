"""What is wrong with a wiki, without running it."""

from wiki_tools.checks.baseline import (
    Baseline,
    gone_findings,
    new_findings,
    read_baseline,
    write_baseline,
)
from wiki_tools.checks.check import check_backing, check_wiki, sort_findings
from wiki_tools.checks.codes import CODES
from wiki_tools.checks.output import annotation, as_github, as_text, check_document
from wiki_tools.checks.rules import RULES
from wiki_tools.checks.survey import Survey, outline_vault, survey_vault
from wiki_tools.checks.types import Backing, Code, Diagnostic, Rule, Wiki

__all__ = [
    "CODES",
    "RULES",
    "Backing",
    "Baseline",
    "Code",
    "Diagnostic",
    "Rule",
    "Survey",
    "Wiki",
    "annotation",
    "as_github",
    "as_text",
    "check_backing",
    "check_document",
    "check_wiki",
    "gone_findings",
    "new_findings",
    "outline_vault",
    "read_baseline",
    "sort_findings",
    "survey_vault",
    "write_baseline",
]
