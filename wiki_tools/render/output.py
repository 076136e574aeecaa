"""What a fence printed and drew, as a line of HTML below it, with the machine and the day."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from wiki_tools.environment import Environment
from wiki_tools.errors import printable
from wiki_tools.ledger import Evidence
from wiki_tools.protocol import Cell, Output
from wiki_tools.render.figure import figure_svg
from wiki_tools.render.outcome import device_label
from wiki_tools.render.row import Seen
from wiki_tools.render.words import day, say
from wiki_tools.snippets import Snippet

_SHOWN = ("pattern", "drive", "check")
"""Roles of cells whose output belongs to a fence."""
PNG = re.compile(r"[A-Za-z0-9+/]+={0,2}")
"""Base64 in one line, as a picture is recorded."""


def fence_outputs(language: str, snippet: Snippet, seen: Seen, *, texts: bool) -> Mapping[int, str]:
    """Write what each fence of a snippet showed: line of its code to HTML.

    The first environment's stands open, the others' are folded: each is told with its machine, so
    that no figure is taken for another's.

    Args:
        language: of the page.
        snippet: one with fences on that page.
        seen: what each environment saw of it, the strongest device first.
        texts: what was printed as well as what was drawn.
    """
    found: dict[int, list[str]] = defaultdict(list)
    texts = texts and snippet.prints is None  # else the page shows them already
    for environment, one in seen:
        if one.evidence is None or one.outdated:
            continue
        for line, outputs in _by_fence(snippet, one.evidence).items():
            shown = "".join(_shown(language, outputs, texts=texts))
            if shown:
                where = where_and_when(language, environment.environment, one.evidence)
                found[line].append(_block(where, shown, first=not found[line]))
    return {line: "".join(blocks) for line, blocks in found.items()}


def where_and_when(language: str, environment: Environment, evidence: Evidence) -> str:
    """Name the machine and the day of a run, as a caption."""
    label = device_label(environment)
    return say(language, "output-of", where=label, date=day(language, evidence.recorded))


def _block(where: str, shown: str, *, first: bool) -> str:
    if first:
        return f'<div class="wiki-output">{shown}<p>{_html(where)}</p></div>'
    return f'<details class="wiki-output"><summary>{_html(where)}</summary>{shown}</details>'


def _by_fence(snippet: Snippet, evidence: Evidence) -> Mapping[int, Sequence[Output]]:
    """The outputs of a run by the line of the fence that they belong to."""
    if evidence.choice >= len(snippet.programs):
        return {}
    owners = fence_lines(snippet, snippet.programs[evidence.choice].cells)
    found: dict[int, list[Output]] = defaultdict(list)
    for output in evidence.outcome.outputs:
        if 0 <= output.cell < len(owners) and owners[output.cell]:
            found[owners[output.cell]].append(output)
    return found


def fence_lines(snippet: Snippet, cells: Sequence[Cell]) -> Sequence[int]:
    """The line of the fence that each cell belongs to; 0 for set-up and what was made up."""
    lines: list[int] = []
    last = snippet.fence.line
    for cell in cells:
        if cell.role in ("pattern", "check") and cell.path:
            last = max((line for line in snippet.lines if line <= cell.line), default=last)
        lines.append(last if cell.role in _SHOWN else 0)
    return lines


def _shown(language: str, outputs: Sequence[Output], *, texts: bool) -> Iterator[str]:
    for output in outputs:
        if texts and output.text.strip():
            yield _text(output.text)
        if svg := output.data.get("image/svg+xml", ""):
            yield figure_svg(svg, say(language, "figure"))
        elif PNG.fullmatch(png := output.data.get("image/png", "")):
            yield f'<img src="data:image/png;base64,{png}" alt="{say(language, "figure")}">'
        elif texts and (value := output.data.get("text/plain", "")):
            yield _text(value)


def _text(text: str) -> str:
    return f"<pre>{_html(text.rstrip()).replace(chr(10), '&#10;')}</pre>"


def _html(text: str) -> str:
    lines = (printable(line) for line in text.split("\n"))
    return "\n".join(escape(line) for line in lines)
