"""The graph as GraphML, DOT and Mermaid."""

import json
import re
from collections.abc import Sequence
from html import escape

from wiki_tools.errors import printable
from wiki_tools.graph.outline import Outline
from wiki_tools.graph.types import LinkGraph

_ILLEGAL = re.compile("[\x00-\x1f\ufffe\uffff\ud800-\udfff]")

_STEERING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What XML may hold, and a terminal acts on."""


def _drawn(
    pages: Sequence[Outline], graph: LinkGraph
) -> tuple[dict[str, Outline], list[tuple[str, str, str]]]:
    """Nodes, and each edge once: source, target, relation."""
    nodes: dict[str, Outline] = {}
    for page in pages:  # of translations the one without a suffix names the node
        known = nodes.setdefault(page.key, page)
        if len(page.path) < len(known.path):
            nodes[page.key] = page
    edges = {(link.source, link.canonical, link.relation): None for link in graph.resolved}
    return nodes, [edge for edge in edges if edge[0] != edge[1]]


def write_graphml(pages: Sequence[Outline], graph: LinkGraph) -> str:
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
    names = {key: f'"{_xml(key)}"' for key in nodes}
    for key, page in nodes.items():
        data = (
            f'<data key="title">{_xml(page.title)}</data><data key="path">{_xml(page.path)}</data>'
        )
        lines.append(f"    <node id={names[key]}>{data}</node>")
    labels = {r: f'<data key="relation">{_xml(r)}</data>' for _, _, r in edges}
    lines += [
        f"    <edge source={names[s]} target={names[t]}>{labels[r]}</edge>" for s, t, r in edges
    ]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _legal(text: str) -> str:
    """XML has no control characters but tab and line breaks, no U+FFFE and no half characters."""
    return _ILLEGAL.sub(" ", text)


def _xml(text: str) -> str:
    return _STEERING.sub(lambda match: f"&#{ord(match[0])};", escape(_legal(text)))


def write_dot(pages: Sequence[Outline], graph: LinkGraph) -> str:
    """The graph in Graphviz' language."""
    nodes, edges = _drawn(pages, graph)
    lines = ["digraph wiki {"]
    names = {key: _dot(key) for key in nodes}
    labels = {relation: _dot(relation) for _, _, relation in edges}
    lines += [f"  {names[key]} [label={_dot(page.title)}];" for key, page in nodes.items()]
    lines += [f"  {names[s]} -> {names[t]} [label={labels[r]}];" for s, t, r in edges]
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    return json.dumps(printable(_legal(text)), ensure_ascii=False)


def write_mermaid(pages: Sequence[Outline], graph: LinkGraph) -> str:
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
