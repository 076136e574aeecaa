"""From a vault on disk to its rendered tree: every stage of the pipeline, once."""

from pathlib import Path

from wiki_tools.config import read_config
from wiki_tools.graph import link_pages
from wiki_tools.ledger import Ledger
from wiki_tools.pages import read_pages
from wiki_tools.render import Site, render_wiki
from wiki_tools.report import report_wiki
from wiki_tools.snippets import extract_all


def render_vault(docs: Path, tree: Path | None = None) -> tuple[Site, Path]:
    """Read a vault and write its rendered tree, by default to `.wiki/site` beside its pages.

    Returns:
        The wiki, indexed, and the folder of the tree.

    Raises:
        WikiError: the vault's settings or its evidence cannot be read.
        OSError: the tree cannot be written.
    """
    config = read_config(docs)
    out = tree or config.root / ".wiki" / "site"
    pages = read_pages(config)
    reports = report_wiki(config, pages, extract_all(config, pages), Ledger.read(config.evidence))
    site = render_wiki(config, pages, link_pages(pages, config), reports, out)
    return site, out
