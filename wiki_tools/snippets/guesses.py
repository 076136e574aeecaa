"""Says whether a failure comes of what was guessed for a program's names, not of the page."""

import ast
import re
from dataclasses import replace

from wiki_tools.code import statements
from wiki_tools.protocol import Cell, Outcome, Status
from wiki_tools.snippets.edits import first_line
from wiki_tools.snippets.names import names_of
from wiki_tools.snippets.types import Program

_FRAME = re.compile(r'^  File "([^"\n]*)", line (\d+), in <module>$', re.MULTILINE)
_CERTAIN = re.compile(
    r"(?:NameError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError"
    r"|ZeroDivisionError|RecursionError|NotImplementedError|KeyboardInterrupt)\b"
    r"|AttributeError: (?:partially initialized )?module |called sys\.exit|prints |did not raise"
    r"|ran out of memory"
)
"""How a message begins that no other value of a name would have changed."""
_SHAPE = re.compile(r"AssertionError: \S+: \S+ has shape \([\d, ]*\), the page says \([\d, ]+\)\Z")
"""Numbers on the page say what sizes it has in mind; ours are others."""


def doubt(program: Program, outcome: Outcome) -> tuple[str, ...]:
    """Name the guesses that a failure may come of; none where it is the page's own.

    A guess is what the stock gave: it is blamed where the statement that failed uses it, or
    anything made of it. Fixtures and fences of the vault are its own words, and no guess.
    """
    if outcome.status is not Status.FAILED or _CERTAIN.match(outcome.message):
        return ()
    first = _FRAME.search(outcome.traceback)
    file, line = (first[1], int(first[2])) if first else (outcome.path, outcome.line)
    made_of: dict[str, frozenset[str]] = {}
    for cell in program.cells:
        name = cell.path or f"<{cell.role}>"
        for statement in statements(cell.code) if cell.role != "imports" else ():
            names = names_of(ast.Module(body=[statement], type_ignores=[]))
            blamed = frozenset().union(*(made_of.get(used, ()) for used in names.free))
            start = cell.line - 1 + first_line(statement)
            end = cell.line - 1 + (statement.end_lineno or statement.lineno)
            if name == file and start <= line <= end:
                asserted = cell.role == "check" or _asserts(statement, line - cell.line + 1)
                certain = asserted and not _SHAPE.match(outcome.message)
                return () if certain else tuple(sorted(blamed))
            if cell.role == "fixture" and not cell.path:
                blamed = names.bound if isinstance(statement, ast.Assign) else frozenset()
            made_of |= dict.fromkeys(names.bound, blamed)
    return ()


def _asserts(statement: ast.stmt, line: int) -> bool:
    """Whether the page itself asserts something on a line; a library's assertion is no claim."""
    found = (node for node in ast.walk(statement) if isinstance(node, ast.Assert))
    return any(node.lineno <= line <= (node.end_lineno or line) for node in found)


def explain_guess(program: Program, outcome: Outcome) -> Outcome:
    """Call a failure that comes of a guess what it is: incomplete."""
    names = doubt(program, outcome)
    if not names:
        return outcome
    message = (
        f"what was guessed for {', '.join(names)} does not fit: {outcome.message}; "
        f"define {'it' if len(names) == 1 else 'them'} in a setup fence "
        "or in snippets/fixtures/wiki.py"
    )
    return replace(outcome, status=Status.INCOMPLETE, message=message)


def is_worth_trying(program: Program, failed: Program, outcome: Outcome) -> bool:
    """Whether another program of a snippet may do better than the one that has just ended."""
    if outcome.status is Status.TIMED_OUT:
        return program.variant.sliced  # an earlier fence may be what took so long
    if outcome.status is Status.SKIPPED:  # or what needs something that is not here
        own = any(_holds(cell, outcome) for cell in failed.cells if cell.role == "pattern")
        return not own and (program.variant.sliced or not program.variant.driven)
    if not program.variant.driven:
        return bool(doubt(failed, outcome))
    return outcome.status in (Status.FAILED, Status.INCOMPLETE)


def _holds(cell: Cell, outcome: Outcome) -> bool:
    """Whether an outcome speaks of a line of a cell."""
    lines = range(cell.line, cell.line + cell.code.count("\n") + 1)
    return cell.path == outcome.path and outcome.line in lines
