"""`wiki new` and `wiki stamp`: what the tools write into pages."""

import datetime
import re
from pathlib import Path
from typing import Annotated

import typer

from wiki_tools.cli.common import Docs, EvidenceFolder, Paths, read_ledger, read_vault, select_pages
from wiki_tools.cli.template import page_template
from wiki_tools.config import Config, read_config
from wiki_tools.errors import UsageError
from wiki_tools.pages import Page
from wiki_tools.report import PageReport, PageStatus, report_wiki
from wiki_tools.snippets import extract_all


def new(
    page: Annotated[
        Path, typer.Argument(help="The new page, relative to the docs folder; X.ko.md is Korean.")
    ],
    title: Annotated[
        str, typer.Option("--title", help="Its title. [default: the file's name]")
    ] = "",
    docs: Docs = None,
) -> None:
    """Write a new page from the template: front matter, sections, a first measured pattern.

    Example: `wiki new 10_Wiki/Topics/AI_and_ML/Softmax.md --title "Softmax"`
    """
    config = read_config(docs)
    file = _place(config, page)
    if file.exists():
        raise UsageError(f"{file}: is there already; choose another name")
    stem, language = _language(config, file)
    path = file.relative_to(config.docs)
    text = page_template(
        title=title or stem.replace("-", " ").replace("_", " "),
        id_=f"wiki-{datetime.date.today():%Y-%m%d}-{_slug(stem)}",
        category=path.parent.as_posix() if path.parent.parts else "",
        language=language,
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    typer.echo(file)


def _place(config: Config, page: Path) -> Path:
    """The file that a name stands for, which must lie in the docs folder."""
    near = (Path.cwd() / page).resolve()
    file = near if near.is_relative_to(config.docs) else (config.docs / page).resolve()
    if file.suffix.lower() != ".md":
        raise UsageError(f"{page}: a page's name ends in .md")
    if not file.is_relative_to(config.docs):
        raise UsageError(f"{page}: lies outside of {config.docs}")
    return file


def _language(config: Config, file: Path) -> tuple[str, str]:
    stem, _, suffix = file.stem.rpartition(".")
    return (stem, suffix) if stem and suffix in config.languages else (file.stem, "en")


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.casefold()).strip("-")


def stamp(
    paths: Paths = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
) -> None:
    """Write the commit that was measured into the front matter of pages that are verified.

    Example: `wiki stamp docs/10_Wiki`
    """
    vault = read_vault(docs, evidence)
    snippets = extract_all(vault.config, vault.pages)
    ledger = read_ledger(vault.config)
    reports = {r.page.path: r for r in report_wiki(vault.config, vault.pages, snippets, ledger)}
    for page in select_pages(vault, paths):
        commit = measured_commit(reports[page.path])
        if commit and commit != page.frontmatter.github_commit:
            _write_commit(vault.config.docs / page.path, page, commit)
            typer.echo(f"{page.path}: github_commit: {commit}")


def measured_commit(report: PageReport) -> str:
    """The one commit that all evidence of a verified page names; empty where there is none."""
    for environment in report.environments:
        rows = [s.evidence for s in environment.snippets if s.evidence is not None]
        commits = {row.commit for row in rows}
        if environment.status is PageStatus.VERIFIED and len(commits) == 1:
            return commits.pop()
    return ""


def _write_commit(file: Path, page: Page, commit: str) -> None:
    if "github_commit" not in page.places:
        raise UsageError(f"{page.path}: no github_commit in its front matter to write to")
    line, _ = page.place("github_commit")
    with file.open(encoding="utf-8", newline="") as stream:  # keep the file's own line endings
        lines = stream.read().splitlines(keepends=True)
    lines[line - 1] = re.sub(r"(github_commit:\s*)\S*", rf"\g<1>{commit}", lines[line - 1], count=1)
    with file.open("w", encoding="utf-8", newline="") as stream:
        stream.write("".join(lines))
