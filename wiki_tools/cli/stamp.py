"""`wiki stamp`: the commit that was measured, written into the front matter of verified pages."""

import re
from pathlib import Path

import typer

from wiki_tools.checks.output import docs_prefix
from wiki_tools.cli.common import Docs, EvidenceFolder, Paths, read_ledger, read_vault
from wiki_tools.cli.naming import select_pages
from wiki_tools.errors import printable
from wiki_tools.pages import Page
from wiki_tools.report import PageReport, PageStatus, report_wiki
from wiki_tools.snippets import extract_all

NAMED = 3
"""Pages that are named of those that were not stamped for one reason."""


def stamp(
    paths: Paths = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
) -> None:
    """Write the commit that was measured into the front matter of pages that are verified.

    Pages that are not, and why, are told on standard error.

    Example: `wiki stamp docs/10_Wiki`
    """
    vault = read_vault(docs, evidence)
    snippets = extract_all(vault.config, vault.pages)
    ledger = read_ledger(vault.config)
    reports = {r.page.path: r for r in report_wiki(vault.config, vault.pages, snippets, ledger)}
    prefix = docs_prefix(vault.config)
    left: dict[str, list[str]] = {}
    for page in select_pages(vault, paths):
        commit, reason = measured_commit(reports[page.path])
        reason = reason or _obstacle(page, commit)
        if reason:
            left.setdefault(reason, []).append(prefix + page.path)
        else:
            _write_commit(vault.config.docs / page.path, page, commit)
            typer.echo(f"{printable(prefix + page.path)}: github_commit: {commit}")
    for reason, pages in left.items():
        more = f" and {len(pages) - NAMED} more" if len(pages) > NAMED else ""
        text = f"not stamped, {reason}: {', '.join(pages[:NAMED])}{more}"
        typer.echo(f"wiki: {printable(text)}", err=True)


def measured_commit(report: PageReport) -> tuple[str, str]:
    """The one commit that all evidence of a verified page names; else why there is none."""
    if not report.snippets:
        return "", "nothing to run"
    if not report.environments:
        return "", "never verified (run wiki verify)"
    verified = [e for e in report.environments if e.status is PageStatus.VERIFIED]
    if not verified:
        return "", f"{report.environments[0].status.value} and not verified"
    for environment in verified:
        commits = {row.evidence.commit for row in environment.snippets if row.evidence is not None}
        if len(commits) == 1 and "" not in commits:
            return commits.pop(), ""
    if commits == {""}:
        return "", "verified while pages had changes that no commit has (commit, run wiki verify)"
    return "", "its patterns were measured at more than one commit (run wiki verify --all)"


def _obstacle(page: Page, commit: str) -> str:
    """Why a commit is not to be written into a page; empty where it is."""
    if commit == page.frontmatter.github_commit:
        return "names that commit already"
    return "" if "github_commit" in page.places else "no github_commit in its front matter"


def _write_commit(file: Path, page: Page, commit: str) -> None:
    line, _ = page.place("github_commit")
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)  # as pages count them, endings kept
    lines[line - 1] = re.sub(r"(github_commit:\s*)\S*", rf"\g<1>{commit}", lines[line - 1], count=1)
    file.write_bytes("".join(lines).encode("utf-8", "surrogateescape"))
