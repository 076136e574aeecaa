"""`wiki graph`: the typed link graph, whole or asked about."""

import enum
import json
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from wiki_tools.cli.common import Docs, EvidenceFolder, Vault, read_vault
from wiki_tools.errors import UsageError, nearest
from wiki_tools.graph import (
    LinkGraph,
    ResolvedLink,
    backlinks,
    find_pages,
    graph_document,
    link_pages,
    orphans,
    path_between,
    sentence_around,
    wanted,
    write_dot,
    write_graphml,
    write_mermaid,
)
from wiki_tools.pages import Page


class GraphFormat(enum.StrEnum):
    """How the graph is printed."""

    JSON = "json"
    TEXT = "text"
    GRAPHML = "graphml"
    DOT = "dot"
    MERMAID = "mermaid"


WRITERS: dict[GraphFormat, Callable[[Sequence[Page], LinkGraph], str]] = {
    GraphFormat.JSON: lambda pages, links: json.dumps(
        graph_document(pages, links), ensure_ascii=False, indent=1
    ),
    GraphFormat.TEXT: lambda _pages, links: "\n".join(_step(link) for link in links.resolved),
    GraphFormat.GRAPHML: write_graphml,
    GraphFormat.DOT: write_dot,
    GraphFormat.MERMAID: write_mermaid,
}


def graph(
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: Annotated[
        GraphFormat, typer.Option("--format", help="How to print the whole graph.")
    ] = GraphFormat.JSON,
    show_wanted: Annotated[
        bool,
        typer.Option("--wanted", help="Targets that no page answers to, most asked for first."),
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
) -> None:
    """Print the typed link graph, or answer a question about it.

    A page may be named by its path, file name, title, alias or id. `--path` exits 1 where
    there is no way.

    Example: `wiki graph --backlinks Matrix-Operations-and-AI`
    """
    vault = read_vault(docs, evidence)
    links = link_pages(vault.pages, vault.config)
    asked: tuple[tuple[object, Callable[[], list[str]]], ...] = (
        (show_wanted, lambda: _wanted(links)),
        (show_orphans, lambda: list(orphans(vault.pages, links))),
        (show_backlinks, lambda: _backlinks(vault, links, show_backlinks)),
        (show_path, lambda: _path(vault, links, *(show_path or ("", "")))),
    )
    answers = [answer for question, answer in asked if question]
    if not answers:
        typer.echo(WRITERS[format_](vault.pages, links))
    for answer in answers:
        for line in answer():
            typer.echo(line)


def _wanted(links: LinkGraph) -> list[str]:
    return [f"{len(rows):5}  {target}" for target, rows in wanted(links).items()]


def _backlinks(vault: Vault, links: LinkGraph, name: str) -> list[str]:
    pages = {page.path: page for page in vault.pages}
    rows = backlinks(links).get(_find(vault, name), ())
    return [
        f"{r.path}:{r.link.span.line}: {r.relation}: {sentence_around(pages[r.path], r.link)}"
        for r in rows
    ]


def _path(vault: Vault, links: LinkGraph, start: str, end: str) -> list[str]:
    chain = path_between(links, _find(vault, start), _find(vault, end))
    if chain is None:
        typer.echo(f"No way leads from {start} to {end}.", err=True)
        raise typer.Exit(1)
    return [_step(link) for link in chain]


def _step(link: ResolvedLink) -> str:
    return f"{link.path}:{link.link.span.line}: {link.source} -{link.relation}-> {link.target}"


def _find(vault: Vault, name: str) -> str:
    """The key of the page that a person means."""
    found = find_pages(name, vault.pages, vault.config)
    keys = sorted({page.key for page in found})
    if len(keys) == 1:
        return keys[0]
    if keys:
        paths = ", ".join(page.path for page in found)
        raise UsageError(f"{name}: more than one page answers to it: {paths}")
    near = nearest(name, {p.title for p in vault.pages} | {p.key for p in vault.pages})
    raise UsageError(f"{name}: no page answers to it" + (f"; did you mean {near}?" if near else ""))
