"""The graph as JSON, GraphML, DOT and Mermaid."""

import json
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from wiki_tools.errors import printable
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink
from wiki_tools.pages import Page

_AnyLink = ResolvedLink | BrokenLink | FileLink


def graph_document(pages: Sequence[Page], graph: LinkGraph) -> dict[str, Any]:
    """What `wiki graph` prints as JSON: pages, translations as one, and all links as edges."""
    versions: dict[str, list[Page]] = {}
    for page in sorted(pages, key=lambda page: (len(page.path), page.path)):
        versions.setdefault(page.key, []).append(page)  # `X.md` comes before `X.ko.md`
    nodes = sorted((_node(group) for group in versions.values()), key=lambda node: node["path"])
    links: list[_AnyLink] = [*graph.resolved, *graph.broken, *graph.files]
    links.sort(key=lambda row: (row.path, row.link.span.start))
    return {"pages": nodes, "edges": [_edge(link) for link in links]}


def _node(versions: Sequence[Page]) -> dict[str, Any]:
    page, *others = versions
    matter = page.frontmatter
    return {
        "id": page.key,
        "path": page.path,
        "title": page.title,
        "language": page.language,
        "status": matter.status,
        "category": matter.category,
        "aliases": list(matter.aliases),
        "tags": list(matter.tags),
        "translations": [
            {"language": other.language, "path": other.path, "title": other.title}
            for other in others
        ],
    }


def _edge(row: _AnyLink) -> dict[str, Any]:
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


def _drawn(
    pages: Sequence[Page], graph: LinkGraph
) -> tuple[dict[str, Page], list[tuple[str, str, str]]]:
    """Nodes, and each edge once: source, target, relation."""
    nodes: dict[str, Page] = {}
    for page in pages:  # of translations the one without a suffix names the node
        known = nodes.setdefault(page.key, page)
        if len(page.path) < len(known.path):
            nodes[page.key] = page
    edges = {(link.source, link.canonical, link.relation): None for link in graph.resolved}
    return nodes, [edge for edge in edges if edge[0] != edge[1]]


def write_graphml(pages: Sequence[Page], graph: LinkGraph) -> str:
    """The graph as GraphML, for Gephi, yEd and networkx."""
    nodes, edges = _drawn(pages, graph)
    keys = [("title", "node"), ("path", "node"), ("relation", "edge")]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'  <key id="{name}" for="{what}" attr.name="{name}" attr.type="string"/>'
            for name, what in keys
        ),
        '  <graph edgedefault="directed">',
    ]
    for key, page in nodes.items():
        data = (
            f'<data key="title">{_xml(page.title)}</data><data key="path">{_xml(page.path)}</data>'
        )
        lines.append(f"    <node id={quoteattr(_legal(key))}>{data}</node>")
    for source, target, relation in edges:
        ends = f"source={quoteattr(_legal(source))} target={quoteattr(_legal(target))}"
        lines.append(f'    <edge {ends}><data key="relation">{_xml(relation)}</data></edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _legal(text: str) -> str:
    """XML has no control characters but tab and line breaks, and no U+FFFE."""
    return "".join(c if c >= " " and c not in "\ufffe\uffff" else " " for c in text)


def _xml(text: str) -> str:
    return escape(_legal(text))


def write_dot(pages: Sequence[Page], graph: LinkGraph) -> str:
    """The graph in Graphviz' language."""
    nodes, edges = _drawn(pages, graph)
    lines = ["digraph wiki {"]
    lines += [f"  {_dot(key)} [label={_dot(page.title)}];" for key, page in nodes.items()]
    lines += [f"  {_dot(s)} -> {_dot(t)} [label={_dot(r)}];" for s, t, r in edges]
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    return json.dumps(_legal(text), ensure_ascii=False)


def write_mermaid(pages: Sequence[Page], graph: LinkGraph) -> str:
    """The graph as a Mermaid flowchart, which GitHub draws; for parts of a large wiki."""
    nodes, edges = _drawn(pages, graph)
    names = {key: f"n{number}" for number, key in enumerate(nodes)}
    lines = ["flowchart LR"]
    lines += [f'  {names[key]}["{_mermaid(page.title)}"]' for key, page in nodes.items()]
    lines += [f'  {names[s]} -->|"{_mermaid(r)}"| {names[t]}' for s, t, r in edges]
    return "\n".join([*lines, ""])


def _mermaid(text: str) -> str:
    """Mermaid's own escapes: `#quot;` and friends."""
    for character, name in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, name)
    return printable(" ".join(_legal(text).split()))
