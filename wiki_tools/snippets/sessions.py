"""Runs a REPL session as a doctest: every output is compared."""

from wiki_tools.protocol import Cell
from wiki_tools.snippets.devices import retarget

_RUN = """from wiki_tools.probes import run_session as _run_session

_session = (
{session}
)
_differences = _run_session(_session, globals(), {name!r}, {line}, loose={loose})"""


def session_cells(
    code: str, path: str, line: int, device: str, *, loose: bool = False
) -> tuple[Cell, ...]:
    """Write a session as cells: one runs it, one fails with all differences.

    With `loose` any number will do where the page shows one.
    """
    rows = "\n".join(f"    {row!r}" for row in retarget_session(code, device).splitlines(True))
    name = path.rpartition("/")[2]
    run = _RUN.format(session=rows, name=name, line=line, loose=loose)
    check = 'assert not _differences, "; ".join(_differences)'
    return (
        Cell(role="pattern", code=run),
        Cell(role="check", code=check, path=path, line=line),
    )


def retarget_session(code: str, device: str) -> str:
    """Make every statement of a session use the device of the run."""
    import doctest  # and with it pdb and unittest: sessions are rare

    rows = code.split("\n")
    for example in doctest.DocTestParser().get_examples(code):
        changed = retarget(example.source, device)
        if changed == example.source:
            continue
        for offset, text in enumerate(changed.rstrip("\n").split("\n")):
            prompt = "... " if offset else ">>> "
            rows[example.lineno + offset] = " " * example.indent + prompt + text
    return "\n".join(rows)
