"""The graph, and answers about it, as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from wiki_tools.errors import printable_json
from wiki_tools.graph.outline import Outline
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink

AnyLink = ResolvedLink | BrokenLink | FileLink
"""A link in any bucket of the graph."""


def write_document(document: dict[str, Any]) -> str:
    """JSON with each row of a list on a line of its own: it can be searched and compared.

    `json.dumps` with an indentation takes four times as long, 2 s for 100,000 links. Within a
    string a quotation mark follows a backslash, so what is replaced stands between two rows.
    """
    return printable_json(json.dumps(document, ensure_ascii=False).replace('}, {"', '},\n{"'))


def graph_document(pages: Sequence[Outline], graph: LinkGraph) -> dict[str, Any]:
    """What `wiki graph` prints as JSON: pages, translations as one, and all links as edges."""
    versions: dict[str, list[Outline]] = {}
    for page in sorted(pages, key=lambda page: (len(page.path), page.path)):
        versions.setdefault(page.key, []).append(page)  # `X.md` comes before `X.ko.md`
    nodes = sorted((_node(group) for group in versions.values()), key=lambda node: node["path"])
    links: list[AnyLink] = [*graph.resolved, *graph.broken, *graph.files]
    links.sort(key=lambda row: (row.path, row.link.span.start))
    return {"pages": nodes, "edges": [edge_row(link) for link in links]}


def _node(versions: Sequence[Outline]) -> dict[str, Any]:
    page, *others = versions
    return {
        "id": page.key,
        "path": page.path,
        "title": page.title,
        "language": page.language,
        "status": page.status,
        "category": page.category,
        "aliases": list(page.aliases),
        "tags": list(page.tags),
        "translations": [
            {"language": other.language, "path": other.path, "title": other.title}
            for other in others
        ],
    }


def edge_row(row: AnyLink) -> dict[str, Any]:
    """A link as it stands in `edges`, and in the answers to questions."""
    target: str | None = None
    canonical: str | None = None
    resolution = "path"
    if isinstance(row, ResolvedLink):
        target, canonical, resolution = row.target, row.canonical, row.resolution
    elif isinstance(row, FileLink):
        target = canonical = row.target
    else:
        resolution = row.resolution
    return {
        "source": row.source,
        "target": target,
        "canonical": canonical,
        "relation": row.relation,
        "path": row.path,
        "line": row.link.span.line,
        "column": row.link.span.column,
        "text": row.link.text,
        "form": row.link.form,
        "resolution": resolution,
    }
