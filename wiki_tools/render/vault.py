"""From a vault on disk to its rendered tree: every stage of the pipeline, once."""

from collections.abc import Sequence
from pathlib import Path

from wiki_tools.claims import stated_claims
from wiki_tools.config import Config, read_config
from wiki_tools.graph import link_pages
from wiki_tools.ledger import Ledger
from wiki_tools.markup import is_runnable
from wiki_tools.pages import Page, read_pages
from wiki_tools.render import Site, render_wiki
from wiki_tools.report import report_wiki
from wiki_tools.snippets import extract_all, is_pattern
from wiki_tools.tree import make_ignored

_SHOWN = {"title", "hl_lines", "linenums"}
"""Attributes that only say how a fence looks."""


def render_vault(docs: Path, tree: Path | None = None) -> tuple[Site, Path]:
    """Read a vault and write its rendered tree, by default to `.wiki/site` beside its pages.

    Returns:
        The wiki, indexed, and the folder of the tree.

    Raises:
        WikiError: the vault's settings or its evidence cannot be read.
        OSError: the tree cannot be written.
    """
    config = read_config(docs)
    if tree is None:
        make_ignored(config.root / ".wiki")
    out = tree or config.root / ".wiki" / "site"
    pages = read_pages(config)
    snippets = extract_all(config, list(_told(config, pages)))
    ledger = Ledger.read(config.evidence)
    reports = report_wiki(config, pages, snippets, ledger, stated_claims)
    return render_wiki(config, pages, link_pages(pages, config), reports, out), out


def _told(config: Config, pages: Sequence[Page]) -> Sequence[Page]:
    """The pages whose patterns have a row each; of the others one line says that none has run.

    Where there is evidence, or a folder of extracted snippets, these are all pages. In a vault
    that nobody has verified yet, Python is mostly just shown; there a page has rows where it
    speaks of patterns, or a fence of it has a role or claims something.
    """
    if config.evidence.is_dir() or config.snippets.is_dir():
        return pages
    keys = {page.key for page in pages if _speaks(page)}
    return [page for page in pages if page.key in keys]


def _speaks(page: Page) -> bool:
    fences = [fence for fence in page.markup.fences if is_runnable(fence)]
    if any(fence.role or not _SHOWN.issuperset(fence.attributes) for fence in fences):
        return True
    section = page.section("patterns")
    named = [h for h in page.markup.headings if is_pattern(h)] if fences else []
    named += [section.heading] if section else []
    return any(h.span.start <= f.span.start < h.end for h in named for f in fences)
