"""`wiki graph`: the typed link graph, whole or asked about."""

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, NamedTuple

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.output import docs_prefix
from wiki_tools.checks.survey import outline_vault
from wiki_tools.cli.common import Docs, EvidenceFolder, UseCache
from wiki_tools.cli.naming import find_page
from wiki_tools.collector import without_collector
from wiki_tools.config import Config, read_config
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import LinkGraph, Outline, canonical_keys, link_outlines
from wiki_tools.graph.answers import (
    Document,
    backlinks_answer,
    central_answer,
    orphans_answer,
    path_answer,
    wanted_answer,
)
from wiki_tools.graph.document import edge_row, graph_document, write_document
from wiki_tools.graph.drawing import write_dot, write_graphml, write_mermaid
from wiki_tools.pages import Page, PageReader, load_bytes


class GraphFormat(enum.StrEnum):
    """How the graph is printed."""

    JSON = "json"
    TEXT = "text"
    GRAPHML = "graphml"
    DOT = "dot"
    MERMAID = "mermaid"


WRITERS: dict[GraphFormat, Callable[[Sequence[Outline], LinkGraph], str]] = {
    GraphFormat.JSON: lambda pages, links: write_document(graph_document(pages, links)),
    GraphFormat.GRAPHML: write_graphml,
    GraphFormat.DOT: write_dot,
    GraphFormat.MERMAID: write_mermaid,
}
"""The whole graph as data; as text it is a line a link."""


def graph(
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: Annotated[
        GraphFormat | None,
        typer.Option(
            "--format",
            help="How to print the whole graph; an answer is `text` or `json`. "
            "[default: json for the graph, text for an answer]",
            show_default=False,
        ),
    ] = None,
    show_wanted: Annotated[
        bool,
        typer.Option(
            "--wanted",
            help="Targets that no page answers to, each after the number of pages that ask.",
        ),
    ] = False,
    show_orphans: Annotated[
        bool, typer.Option("--orphans", help="Pages that no other page leads to.")
    ] = False,
    show_backlinks: Annotated[
        str, typer.Option("--backlinks", metavar="PAGE", help="What leads to a page, and how.")
    ] = "",
    show_path: Annotated[
        tuple[str, str] | None,
        typer.Option("--path", metavar="A B", help="The shortest way from one page to another."),
    ] = None,
    show_central: Annotated[
        bool,
        typer.Option(
            "--central",
            help="The pages that matter most: PageRank over all links, backlinks, page.",
        ),
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="At most N pages of --central.")
    ] = 20,
    use_cache: UseCache = True,
) -> None:
    """Print the typed link graph, or answer a question about it.

    A page may be named by its path, file name, title, alias or id. `--path` exits 1 where
    there is no way.

    With `--format json` an answer is one document: `{"wanted": [{"target", "pages", "links"}]}`,
    `{"orphans": [{"id", "path", "title"}]}`, `{"page", "backlinks": [...]}`,
    `{"from", "to", "path": [...] or null}`,
    `{"central": [{"id", "path", "title", "rank", "backlinks"}]}`. Links have the keys of the
    graph's `edges`; a backlink also has its `sentence`.

    Example: `wiki graph --backlinks Matrix-Operations-and-AI`
    """
    known = _read(read_config(docs, evidence), use_cache)
    _, pages, links = known
    asked: tuple[tuple[object, Callable[[], Document]], ...] = (
        (show_wanted, lambda: wanted_answer(links)),
        (show_orphans, lambda: orphans_answer(pages, links)),
        (show_backlinks, lambda: _backlinks(known, show_backlinks)),
        (show_path, lambda: _path(known, *(show_path or ("", "")))),
        (show_central, lambda: central_answer(pages, links, limit)),
    )
    answers = [answer for question, answer in asked if question]
    with without_collector():
        if not answers:
            typer.echo(_whole(known, format_ or GraphFormat.JSON))
        else:
            _print(known.config, format_ or GraphFormat.TEXT, answers)


class _Known(NamedTuple):
    """A vault whose links are resolved."""

    config: Config
    pages: tuple[Outline, ...]
    links: LinkGraph


def _read(config: Config, use_cache: bool) -> _Known:
    with without_collector():
        rows = outline_vault(config, Cache(config) if use_cache else None)
        return _Known(config, tuple(page for page, _ in rows), link_outlines(rows, config))


def _whole(known: _Known, format_: GraphFormat) -> str:
    if format_ is not GraphFormat.TEXT:
        return WRITERS[format_](known.pages, known.links)
    steps = (_step(_from_here(known.config, edge_row(row))) for row in known.links.resolved)
    return "\n".join(map(printable, steps))


def _backlinks(known: _Known, name: str) -> Document:
    reader = PageReader(known.config)

    def read(path: str) -> Page:
        return reader.read(path, *load_bytes(str(known.config.docs / path)))

    return backlinks_answer(known.pages, known.links, _find(known, name), read)


def _path(known: _Known, start: str, end: str) -> Document:
    return path_answer(known.pages, known.links, _find(known, start), _find(known, end))


def _print(config: Config, format_: GraphFormat, answers: Sequence[Callable[[], Document]]) -> None:
    if format_ not in (GraphFormat.TEXT, GraphFormat.JSON):
        raise UsageError(f"--format {format_}: an answer is printed as text or json")
    document: Document = {}
    for answer in answers:
        document |= answer()
    if format_ is GraphFormat.JSON:
        typer.echo(write_document(document))
    else:
        for line in _lines(config, document):
            typer.echo(line)
    if document.get("path", ()) is None:
        start, end = document["from"]["title"], document["to"]["title"]
        typer.echo(f"No way leads from {start} to {end}.", err=True)
        raise typer.Exit(1)


def _lines(config: Config, answer: Document) -> Iterator[str]:
    """An answer for people, a row a line."""
    for question, row in TEXTS.items():
        yield from (printable(row(_from_here(config, link))) for link in answer.get(question) or ())


def _from_here(config: Config, row: Document) -> Document:
    """A row whose path begins where one stands, as a person opens it."""
    return row | {"path": docs_prefix(config) + row["path"]} if "path" in row else row


def _backlink(row: Document) -> str:
    lacks = f" ({row['text']} leads to no place in it)" if row["resolution"] == "broken" else ""
    return f"{row['path']}:{row['line']}: {row['relation']}: {row['sentence']}{lacks}"


def _step(row: Document) -> str:
    return f"{row['path']}:{row['line']}: {row['source']} -{row['relation']}-> {row['canonical']}"


TEXTS: dict[str, Callable[[Document], str]] = {
    "wanted": lambda row: f"{row['pages']:5}  {row['target']}",
    "orphans": lambda row: f"{row['path']}: {row['title']}",
    "backlinks": _backlink,
    "path": _step,
    "central": lambda row: f"{row['rank']:.5f} {row['backlinks']:5}  {row['path']}: {row['title']}",
}
"""Question to a row of its answer as a line, in the order in which answers are printed."""


def _find(known: _Known, name: str) -> str:
    """The key of the page that a person means; a duplicate's is that of what it stands for."""
    stands_for = canonical_keys(known.pages)
    return stands_for[find_page(known.config, known.pages, name, stands_for).key]
