"""Writes a program as a file that runs on its own and opens as a notebook."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from wiki_tools.code import nodes_of, parse_code
from wiki_tools.environment import DISTRIBUTIONS
from wiki_tools.protocol import Cell
from wiki_tools.snippets.types import Program, Snippet

MARK = "# Written by `wiki extract` from "
"""Begins a line at the top of every file that may be overwritten or removed."""

_DEVICES = {
    "torch": ("import torch", 'device = "cuda" if torch.cuda.is_available() else "cpu"'),
    "jax": ("import jax", 'device = "cuda" if jax.default_backend() == "gpu" else "cpu"'),
}
_SEEDS = {
    "torch": ("import torch", "torch.manual_seed(0)"),
    "numpy": ("import numpy as np", "np.random.seed(0)"),
}
_FUTURE = re.compile(r"^from __future__ import [^\n;]*$", re.MULTILINE)
_FINDING = """# %% modules of the wiki
import sys
from pathlib import Path

_root = Path(globals().get("__file__", "./here")).resolve().parent / {root!r}
sys.path[:0] = [str(_root / folder) for folder in {folders}]"""
_RAISING = """try:
{code}
except Exception as _error:
    assert {name!r} in [_kind.__name__ for _kind in type(_error).__mro__], repr(_error)
    print(f"raised {{_error!r}}")
else:
    raise AssertionError({message!r})"""


def export(snippet: Snippet, program: Program, root: str = "..") -> str:
    """Write the text of the file: PEP 723 header, then py:percent cells.

    `root` is the way from the file's folder to the vault's: what the file needs of this package
    is installed from there.
    """
    cells = list(_expecting(snippet, program.cells))
    future = dict.fromkeys(line for cell in cells for line in _FUTURE.findall(cell.code))
    place = _place(snippet, program)
    blocks = [
        _header(program, snippet.modules, place, root),
        _title(snippet, program, place),
        *_search_path(snippet.modules, root),
        _first_cell(cells, program, list(future)),
        *(_block(cell) for cell in cells if cell.role != "imports" and cell.code.strip()),
    ]
    return "\n\n".join(blocks) + "\n"


def _place(snippet: Snippet, program: Program) -> str:
    paths = [c.path for c in program.cells if c.path and c.role in ("pattern", "check")]
    return f"{next(iter(paths), snippet.path)}:{snippet.fence.line}"


def _header(program: Program, own: Sequence[str], place: str, root: str) -> str:
    packages = sorted(_dependencies(program) - {name for name, _ in map(_importable, own)})
    listed = ", ".join(f'"{name}"' for name in packages)
    rows = ['requires-python = ">=3.11"', f"dependencies = [{listed}]"]
    if "wiki_tools" in packages:
        rows += ["[tool.uv.sources]", f'wiki_tools = {{ path = "{root}" }}']
    block = "\n".join(f"# {row}" for row in rows)
    return f"# /// script\n{block}\n# ///\n{MARK}{place}; edit the page, not this file."


def _search_path(own: Sequence[str], root: str) -> Iterator[str]:
    """Let the file find the vault's own modules that its program imports."""
    folders = list(dict.fromkeys(folder for _, folder in map(_importable, own)))
    if folders:
        yield _FINDING.format(root=root, folders=folders)


def _importable(module: str) -> tuple[str, str]:
    """The name that a file of the vault is imported by, and the folder that is searched for it."""
    path = PurePosixPath(module)
    path = path.parent if path.stem == "__init__" else path.with_suffix("")
    return path.name, str(path.parent)


def _dependencies(program: Program) -> set[str]:
    modules: set[str] = set()
    for cell in program.cells:
        for node in nodes_of(cell.code):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules.add((node.module or "").partition(".")[0])
    outside = modules - sys.stdlib_module_names - {"__future__", ""}
    return {DISTRIBUTIONS.get(name, name) for name in outside}


def _title(snippet: Snippet, program: Program, place: str) -> str:
    title = snippet.heading.text if snippet.heading else snippet.id
    role = f" ({snippet.role})" if snippet.role else ""
    rows = ["# %% [markdown]", f"# # {title}{role}", "#", f"# From `{place}`."]
    told = {name: origin for name, origin in program.context.items() if origin != "import"}
    if told:
        rows += ["#", "# What the page leaves open:", "#"]
        rows += [f"# - `{name}`: {origin}" for name, origin in told.items()]
    if program.retargeted:
        rows += ["#", "# The page names a card; this uses one where there is one."]
    return "\n".join(rows)


def _first_cell(cells: list[Cell], program: Program, future: list[str]) -> str:
    """Write the imports, the seed and the device, which a worker sets by itself."""
    imports = [row for c in cells if c.role == "imports" for row in c.code.split("\n") if row]
    frameworks = program.frameworks
    uses_device = any(re.search(r"\bdevice\b", cell.code) for cell in cells)
    seeds = [_SEEDS[name] for name in frameworks if name in _SEEDS]
    main = next((name for name in ("torch", "jax") if name in frameworks), "")
    device = _DEVICES.get(main, ("", 'device = "cpu"')) if uses_device else ("", "")
    needed = [statement for statement, _ in [*seeds, device] if statement]
    statements = [row for row in imports if " = " not in row]
    assigned = [row for row in imports if " = " in row]
    first = dict.fromkeys([*future, *statements, *needed])
    then = [row for row in [*(text for _, text in seeds), device[1], *assigned] if row]
    return "\n".join(["# %% imports", *first, *([""] if first and then else []), *then])


def _block(cell: Cell) -> str:
    code = _FUTURE.sub("", cell.code)
    if cell.role in ("fixture", "context", "setup"):
        code = _squeezed(code)
    named = f": {cell.path}:{cell.line}" if cell.path else ""
    return f"# %% {cell.role}{named}\n" + code.strip("\n")


def _squeezed(code: str) -> str:
    """Drop the blank lines that stand for what was left out of a file."""
    squeezed = re.sub(r"\n{4,}", "\n\n\n", code)
    before, after = parse_code(code), parse_code(squeezed)
    return squeezed if before and after and ast.dump(after) == ast.dump(before) else code


def _expecting(snippet: Snippet, cells: tuple[Cell, ...]) -> Iterator[Cell]:
    """Wrap the last of the pattern's cells where the page says that it raises."""
    name = snippet.raises
    own = [i for i, cell in enumerate(cells) if cell.role in ("pattern", "drive")]
    for index, cell in enumerate(cells):
        if not name or index != own[-1]:
            yield cell
            continue
        code = _RAISING.format(
            code=_indented(cell.code),
            name=name.rpartition(".")[2],
            message=f"the page says that this raises {name}",
        )
        yield Cell(role=cell.role, code=code, path=cell.path, line=cell.line)


def _indented(code: str) -> str:
    """Indent code, but not the inner lines of its strings."""
    inside: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.STRING:
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        inside.clear()
    rows = code.split("\n")
    return "\n".join(
        row if number in inside or not row else f"    {row}" for number, row in enumerate(rows, 1)
    )
