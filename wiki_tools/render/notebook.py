"""A page's snippets as a notebook, with the outputs that a run recorded; nothing is executed."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from wiki_tools.ledger import Evidence
from wiki_tools.protocol import Cell, Output
from wiki_tools.render.outcome import device_label
from wiki_tools.render.row import Seen, chosen, seen_of
from wiki_tools.render.text import escape, link
from wiki_tools.render.words import day, say
from wiki_tools.report import PageReport
from wiki_tools.snippets import Snippet

Json = dict[str, Any]
_HIDDEN = ("result",)
"""Roles of cells that only print for the extracted file."""


def notebook_text(report: PageReport, path: str) -> str:
    """Write the notebook that lies at `path` of the tree, as JSON of nbformat 4.5.

    Format: https://nbformat.readthedocs.io/en/latest/format_description.html; `nbformat` itself
    checks each cell against a schema, which takes longer than all else here.
    """
    page = report.page
    title = escape(page.title)
    heading = f"# {title}\n\n{_lead(report)}\n\n{link(title, path, page.path)}"
    cells = [_markdown(path, heading)]
    for snippet in report.snippets:
        if not snippet.skip:
            cells += _snippet_cells(path, snippet, seen_of(report, snippet))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _lead(report: PageReport) -> str:
    language = report.page.language
    for environment in report.environments:
        if environment.last_verified:
            where = device_label(environment.environment)
            return say(
                language, "nb-lead", where=where, date=day(language, environment.last_verified)
            )
    return say(language, "nb-none")


def _snippet_cells(path: str, snippet: Snippet, seen: Seen) -> Iterator[Json]:
    title = snippet.heading.text if snippet.heading else snippet.id
    title = escape(f"{title} ({snippet.role})" if snippet.role else title)
    yield _markdown(f"{path}{snippet.id}", f"## {title}")
    evidence = next((one.evidence for _, one in seen if one.evidence and not one.outdated), None)
    program = chosen(snippet, seen)
    for index, cell in enumerate(program.cells):
        outputs = _outputs(evidence, index)
        if cell.code.strip() and (cell.role not in _HIDDEN or outputs):
            yield _code(f"{path}{snippet.id}{index}", cell, outputs)


def _outputs(evidence: Evidence | None, index: int) -> list[Json]:
    if evidence is None:
        return []
    return [
        made
        for output in evidence.outcome.outputs
        if output.cell == index
        for made in _output(output)
    ]


def _output(output: Output) -> Iterator[Json]:
    if output.text:
        yield {"output_type": "stream", "name": "stdout", "text": output.text}
    if output.data:
        yield {"output_type": "display_data", "data": dict(output.data), "metadata": {}}


def _markdown(seed: str, text: str) -> Json:
    return {"cell_type": "markdown", "id": _id(seed), "metadata": {}, "source": text}


def _code(seed: str, cell: Cell, outputs: list[Json]) -> Json:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(seed),
        "metadata": {"tags": [cell.role]},
        "outputs": outputs,
        "source": cell.code.strip("\n"),
    }


def _id(seed: str) -> str:
    """A cell's id that stays the same from build to build."""
    return hashlib.sha256(seed.encode()).hexdigest()[:12]
