"""A page as a notebook, with the outputs that a run recorded; nothing is executed.

Its text stands between its cells. Each snippet's cells are those of its whole program, so that
the notebook runs where it is opened.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wiki_tools.ledger import Evidence
from wiki_tools.markup import Fence
from wiki_tools.pages import Page
from wiki_tools.protocol import Cell, Output, Status
from wiki_tools.render.figure import figure_svg
from wiki_tools.render.outcome import device_label
from wiki_tools.render.output import PNG, fence_lines
from wiki_tools.render.prose import Gap, prose_parts
from wiki_tools.render.row import Seen, chosen, seen_of
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, link
from wiki_tools.render.translation import fences_of
from wiki_tools.render.words import day, say
from wiki_tools.report import EnvironmentReport, PageReport
from wiki_tools.snippets import Snippet

Json = dict[str, Any]
Placed = Mapping[int, Sequence[Json]]
"""Where a fence begins on the page, to the cells that stand in its place."""


def notebook_text(site: Site, page: Page, report: PageReport, path: str) -> str:
    """Write the notebook that lies at `path` of the tree, as JSON of nbformat 4.5.

    Format: https://nbformat.readthedocs.io/en/latest/format_description.html; `nbformat` itself
    checks each cell against a schema, which takes longer than all else here.
    """
    placed, gaps = _place_cells(site, page, report, path)
    title = escape(page.title)
    back = f"{say(page.language, 'back')}: {link(title, path, page.path)}"
    heading = f"# {title}\n\n{_lead(page, report)}\n\n{back}"
    cells = [_markdown(path, heading)]
    for start, text in prose_parts(site, page, path, gaps):
        if text:
            cells.append(_markdown(f"{path}{start}", text))
        cells += placed.get(start, ())
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


def _first(report: PageReport) -> EnvironmentReport | None:
    """The strongest environment that has run the page."""
    return next((one for one in report.environments if one.last_verified), None)


def _lead(page: Page, report: PageReport) -> str:
    environment = _first(report)
    if environment is None:
        return say(page.language, "nb-none")
    where = device_label(environment.environment)
    date = day(page.language, environment.last_verified)
    return say(page.language, "nb-lead", where=where, date=date)


def _place_cells(
    site: Site, page: Page, report: PageReport, path: str
) -> tuple[Placed, Sequence[Gap]]:
    """Make the cells of all snippets, and find the fences that they stand in for."""
    placed: dict[int, list[Json]] = defaultdict(list)
    gaps: dict[int, Gap] = {}
    imported: set[str] = set()
    fences = {path: fences_of(site, page, path) for path in {s.path for s in report.snippets}}
    for snippet in report.snippets:
        seats = {} if snippet.skip else dict(_seats(fences[snippet.path], snippet, gaps))
        if snippet.fence.line not in seats:
            continue
        gaps |= {gap.start: gap for gap in seats.values()}
        for seat, cell in _cells(page, report, snippet, path, seats):
            if "imports" in cell["metadata"].get("tags", ()):
                if cell["source"] in imported:
                    continue
                imported.add(cell["source"])
            placed[seat].append(cell)
    return placed, sorted(gaps.values(), key=lambda gap: gap.start)


def _seats(
    fences: Mapping[int, Fence], snippet: Snippet, taken: Mapping[int, Gap]
) -> Iterator[tuple[int, Gap]]:
    """The fences of a snippet on a page by their line where it is from.

    A `setup` fence holds its cell for the first snippet that runs it; others repeat it.
    """
    for line in (*snippet.setups, snippet.fence.line, *snippet.lines):
        fence = fences.get(line)
        if fence and not (line in snippet.setups and fence.span.start in taken):
            yield line, Gap(start=fence.span.start, end=fence.span.end)


def _cells(
    page: Page, report: PageReport, snippet: Snippet, path: str, seats: Mapping[int, Gap]
) -> Iterator[tuple[int, Json]]:
    """Give a snippet's cells, each with the fence in whose place it stands."""
    seen = seen_of(report, snippet)
    program = chosen(snippet, seen)
    found = _evidence(seen)
    owners = fence_lines(snippet, program.cells)
    lines = [
        owner or (cell.line if cell.role == "setup" and cell.path else 0)
        for owner, cell in zip(owners, program.cells, strict=True)
    ]
    own = seats[snippet.fence.line]
    starts = {line: gap.start for line, gap in seats.items()}
    seat = min((starts[line] for line in lines if line in starts), default=own.start)
    if note := _note(page, report, seen):
        yield seat, _markdown(f"{path}{snippet.id}", note)
    last: Json | None = None
    for index, cell in enumerate(program.cells):
        seat = max(seat, starts.get(lines[index], 0))
        outputs = list(_outputs(page.language, found, index))
        if cell.role == "result":  # it only prints for the extracted file
            if last is not None and not page.frontmatter.lab:
                last["outputs"] += outputs
        elif cell.code.strip():
            role = snippet.role if snippet.role and cell.role == "pattern" else cell.role
            made = _code(f"{path}{snippet.id}{index}", role, cell, outputs)
            last = made if cell.role in ("pattern", "drive") else last
            yield seat, made


def _evidence(seen: Seen) -> Evidence | None:
    """What the strongest environment recorded of the code as it is now."""
    return next((one.evidence for _, one in seen if one.evidence and not one.outdated), None)


def _note(page: Page, report: PageReport, seen: Seen) -> str:
    """What the notebook's lead does not say of a snippet: no run, another machine, no pass."""
    language, first = page.language, _first(report)
    fresh = next(((e, one.evidence) for e, one in seen if one.evidence and not one.outdated), None)
    if fresh is None:
        return f"*{say(language, 'outdated-output' if seen else 'never-run')}*" if first else ""
    environment, evidence = fresh
    status = evidence.outcome.status
    if status is Status.PASSED and first is not None and environment.name == first.name:
        return ""
    word = say(language, status)
    where = escape(device_label(environment.environment))
    said = say(language, "on-machine", word=word, where=where)
    return f"*{said} · {day(language, evidence.recorded)}*"


def _outputs(language: str, evidence: Evidence | None, index: int) -> Iterator[Json]:
    for output in evidence.outcome.outputs if evidence else ():
        if output.cell == index:
            yield from _output(language, output)


def _output(language: str, output: Output) -> Iterator[Json]:
    """Write what a run recorded: texts and pictures, and nothing that a browser would run."""
    if output.text:
        yield {"output_type": "stream", "name": "stdout", "text": output.text}
    data = {"text/plain": output.data.get("text/plain", "")}
    svg = output.data.get("image/svg+xml", "")
    data["image/svg+xml"] = figure_svg(svg, say(language, "figure"), themed=False)
    png = output.data.get("image/png", "")
    data["image/png"] = png if PNG.fullmatch(png) else ""
    if any(data.values()):
        kept = {kind: text for kind, text in data.items() if text}
        yield {"output_type": "display_data", "data": kept, "metadata": {}}


def _markdown(seed: str, text: str) -> Json:
    return {"cell_type": "markdown", "id": _id(seed), "metadata": {}, "source": text}


def _code(seed: str, role: str, cell: Cell, outputs: list[Json]) -> Json:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(seed),
        "metadata": {"tags": [role]},
        "outputs": outputs,
        "source": cell.code.strip("\n"),
    }


def _id(seed: str) -> str:
    """A cell's id that stays the same from build to build."""
    return hashlib.sha256(seed.encode()).hexdigest()[:12]
