"""A wiki and its reports into plain Markdown that any site generator builds."""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from wiki_tools.config import Config
from wiki_tools.graph import LinkGraph
from wiki_tools.pages import Page
from wiki_tools.parallel import spread
from wiki_tools.render.notebook import notebook_text
from wiki_tools.render.page import page_text
from wiki_tools.render.row import chosen, seen_of
from wiki_tools.render.site import ENOUGH, Site, index_site
from wiki_tools.render.status import home_text, status_text, wanted_text
from wiki_tools.render.tree import Tree
from wiki_tools.report import PageReport
from wiki_tools.snippets import export

__all__ = ["Site", "render_wiki"]


def render_wiki(
    config: Config,
    pages: Sequence[Page],
    graph: LinkGraph,
    reports: Iterable[PageReport],
    out: Path,
) -> Site:
    """Write the rendered tree into a folder that is this function's alone.

    Pages keep their paths; beside them lie the generated pages, a notebook for every page with
    snippets, the runnable files, and all other files of the vault. What did not change is not
    written again, what is no longer there is removed. Nothing is run.

    Raises:
        OSError: the folder cannot be written.
    """
    site = index_site(config, pages, graph, reports)
    tree = Tree(out)
    for path, text in _texts(site, pages):
        tree.write(path, text)
    for path, file in site.media.items():
        tree.carry(path, file)
    _write_generated(site, tree)
    _write_programs(site, tree)
    tree.prune()
    return site


def _texts(site: Site, pages: Sequence[Page]) -> Iterator[tuple[str, str]]:
    shown = [page for page in pages if not page.path.rpartition("/")[2].startswith(".")]

    def render(first: int, last: int) -> list[tuple[str, str]]:
        return [(page.path, page_text(site, page)) for page in shown[first:last]]

    for part in spread(render, len(shown), least=ENOUGH):
        yield from part


def _write_generated(site: Site, tree: Tree) -> None:
    styles = files("wiki_tools.render").joinpath("assets", "wiki.css")
    tree.write(f"{site.own['assets']}/wiki.css", styles.read_text(encoding="utf-8"))
    default = site.config.languages[0]
    written = {page.language for page in site.pages.values()} or {default}
    spoken = [language for language in site.config.languages if language in written]
    has_home = any(path in ("index.md", "README.md") for path in site.pages)
    for language in spoken:
        tree.write(site.localized("status", language), status_text(site, language))
        tree.write(site.localized("wanted", language), wanted_text(site, language))
        home = "index.md" if language == default else f"index.{language}.md"
        if not has_home and home not in site.pages:
            tree.write(home, home_text(site, language))
    if not has_home and default not in spoken:
        tree.write("index.md", home_text(site, spoken[0]))


def _write_programs(site: Site, tree: Tree) -> None:
    for path, notebook in site.notebooks.items():
        report = site.report(site.pages[path])
        if report:
            tree.write(notebook, notebook_text(site, site.pages[path], report, notebook))
    for report in site.reports.values():
        for snippet in report.snippets:
            file = site.files.get(snippet.id)
            if file:
                program = chosen(snippet, seen_of(report, snippet))
                tree.write(file, export(snippet, program, "."))
