"""Makes a job ready for its child before that begins, in a process that is warm.

A forked child pays 3 µs for each page of memory that it touches: to read a job field by field, to
lay its program out and to parse it touches 250. So whoever sends the job does all that, and runs
nothing. It goes to the child as `marshal` writes code; nothing ever comes back that way.
"""

import marshal
import warnings
from typing import Any

from wiki_tools.protocol import Cell, Cells, Job, Pairing, fields_of
from wiki_tools.worker.program import Compiled, Layout, Plan, compile_cell, plan_program

SIDES = ("candidate", "baseline")


def prepare(job: Job, folder: str) -> bytes:
    """Lay a job's program out for a scratch folder and compile what compiles without a word.

    Where a cell is not Python, or the compiler warns, the child will find that out for itself:
    what is said of it there belongs to the snippet.
    """
    plan = plan_program(job.cells, folder)
    layout = plan.layout
    fields = fields_of(job) | {"cells": [fields_of(cell) for cell in job.cells]}
    fields["pairings"] = [
        fields_of(p) | {side: [fields_of(cell) for cell in getattr(p, side)] for side in SIDES}
        for p in job.pairings
    ]
    where = (layout.file, layout.page, layout.starts, plan.text)
    return marshal.dumps((fields, where, [fields_of(part) for part in _compile_all(layout)]))


def _compile_all(layout: Layout) -> list[Compiled]:
    found: list[Compiled] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for index in range(len(layout.cells)):
                found.append(compile_cell(layout, index, found[-1].flags if found else 0))
        except (SyntaxError, Warning, ValueError, RecursionError, MemoryError):
            return found
    return found


def restore(data: bytes) -> tuple[Job, Plan]:
    """Read what `prepare` wrote; its sender is who started this process, so nothing is checked."""
    fields, (file, page, starts, text), parts = marshal.loads(data)
    fields["cells"] = cells = _cells(fields["cells"])
    if fields["pairings"]:
        fields["pairings"] = tuple([_pairing(each) for each in fields["pairings"]])
    layout = Layout(file=file, page=page, cells=cells, starts=starts)
    compiled = tuple([Compiled(**part) for part in parts])
    return Job(**fields), Plan(layout=layout, text=text, compiled=compiled)


def _cells(rows: list[dict[str, Any]]) -> Cells:
    return tuple([Cell(**row) for row in rows])


def _pairing(fields: dict[str, Any]) -> Pairing:
    return Pairing(**fields | {side: _cells(fields[side]) for side in SIDES})
