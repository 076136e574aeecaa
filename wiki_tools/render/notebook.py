"""A page's snippets as a notebook, with the outputs that a run recorded; nothing is executed."""

import hashlib
from collections.abc import Iterator
from typing import Any

from wiki_tools.ledger import Evidence
from wiki_tools.protocol import Cell, Output
from wiki_tools.render.outcome import device_label
from wiki_tools.render.row import Seen, chosen, seen_of
from wiki_tools.render.text import link
from wiki_tools.render.words import day, say
from wiki_tools.report import PageReport
from wiki_tools.snippets import Snippet

_HIDDEN = ("result",)
"""Roles of cells that only print for the extracted file."""


def notebook_text(report: PageReport, path: str) -> str:
    """Write the notebook that lies at `path` of the tree, as JSON."""
    import nbformat

    page = report.page
    heading = f"# {page.title}\n\n{_lead(report)}\n\n{link(page.title, path, page.path)}"
    cells = [_markdown(path, heading)]
    for snippet in report.snippets:
        if not snippet.skip:
            cells += _snippet_cells(path, snippet, seen_of(report, snippet))
    notebook = nbformat.v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
    )
    return str(nbformat.writes(notebook)) + "\n"


def _lead(report: PageReport) -> str:
    language = report.page.language
    for environment in report.environments:
        if environment.last_verified:
            where = device_label(environment.environment)
            return say(
                language, "nb-lead", where=where, date=day(language, environment.last_verified)
            )
    return say(language, "nb-none")


def _snippet_cells(path: str, snippet: Snippet, seen: Seen) -> Iterator[Any]:
    title = snippet.heading.text if snippet.heading else snippet.id
    title = f"{title} ({snippet.role})" if snippet.role else title
    yield _markdown(f"{path}{snippet.id}", f"## {title}")
    evidence = next((one.evidence for _, one in seen if one.evidence and not one.outdated), None)
    program = chosen(snippet, seen)
    for index, cell in enumerate(program.cells):
        outputs = _outputs(evidence, index)
        if cell.code.strip() and (cell.role not in _HIDDEN or outputs):
            yield _code(f"{path}{snippet.id}{index}", cell, outputs)


def _outputs(evidence: Evidence | None, index: int) -> list[Any]:
    if evidence is None:
        return []
    return [
        made
        for output in evidence.outcome.outputs
        if output.cell == index
        for made in _output(output)
    ]


def _output(output: Output) -> Iterator[Any]:
    import nbformat

    if output.text:
        yield nbformat.v4.new_output("stream", name="stdout", text=output.text)
    if output.data:
        yield nbformat.v4.new_output("display_data", data=dict(output.data), metadata={})


def _markdown(seed: str, text: str) -> Any:
    import nbformat

    return nbformat.v4.new_markdown_cell(text, id=_id(seed))


def _code(seed: str, cell: Cell, outputs: list[Any]) -> Any:
    import nbformat

    metadata = {"tags": [cell.role]}
    return nbformat.v4.new_code_cell(
        cell.code.strip("\n"), id=_id(seed), outputs=outputs, metadata=metadata
    )


def _id(seed: str) -> str:
    """A cell's id that stays the same from build to build."""
    return hashlib.sha256(seed.encode()).hexdigest()[:12]
