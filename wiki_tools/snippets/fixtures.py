"""Reads fixture files and writes a fixture into a program as text."""

import ast
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wiki_tools.code import compile_error, parse_code
from wiki_tools.errors import ConfigError
from wiki_tools.snippets.edits import Edit, apply_edits, first_line, keep_lines
from wiki_tools.snippets.imports import IMPORTS
from wiki_tools.snippets.names import find_names
from wiki_tools.tree import VaultFiles

GIVEN = ("device", "dtype", "framework")
"""Parameters that the run fills and no fixture."""
_NOQA = re.compile(r" *# noqa\b[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A function that provides the value of the name it bears."""

    name: str
    path: str
    """The file, relative to the vault's root; empty for the stock's."""
    line: int
    """Of the first line of `code`."""
    code: str
    """The function, named `_<name>`, below what it needs of its file; lines are kept."""
    imports: tuple[str, ...]
    """Usual imports that `code` needs and leaves out."""
    asks: tuple[str, ...]
    """Parameters that other fixtures fill."""
    given: tuple[str, ...]
    """Parameters that the run fills: of `GIVEN`, `dtype` only where it has no default."""
    sizes: Mapping[str, int] = field(default_factory=dict)

    def call(self, sizes: Mapping[str, int], framework: str) -> str:
        """Write the statement that makes the value."""
        words = {"device": "device", "framework": repr(framework), "dtype": "dtype"}
        arguments = [f"{name}={value}" for name, value in sizes.items() if name in self.sizes]
        arguments += [f"{name}={name}" for name in self.asks]
        arguments += [f"{name}={words[name]}" for name in self.given]
        return f"{self.name} = _{self.name}({', '.join(arguments)})"


def read_fixtures(file: Path, root: Path, files: VaultFiles) -> Mapping[str, Fixture]:
    """Read a vault's fixture file; a file that is not there provides nothing.

    Raises:
        ConfigError: the file is not readable as Python; the message names file and line.
    """
    try:
        data = files.data(file)
        text = None if data is None else data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: not readable: {error}; a fixture file is UTF-8 text") from None
    if text is None:
        return {}
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return parse_fixtures(text, file.relative_to(root).as_posix())


@functools.lru_cache(maxsize=1024)
def parse_fixtures(text: str, path: str) -> Mapping[str, Fixture]:
    """Read the fixtures of a file's text; a name that begins with `_` is none.

    Raises:
        ConfigError: the text is not Python, or a fixture takes `*args`.
    """
    tree, error = parse_code(text), compile_error(text)
    if tree is None or error is not None:
        line = getattr(error, "lineno", None) or 1
        message = getattr(error, "msg", error)
        raise ConfigError(
            f"{path}:{line}: not readable as Python: {message}; correct it or remove the file"
        )
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name[0] != "_"]
    return {node.name: _fixture(node, tree, text, path) for node in functions}


def _fixture(node: ast.FunctionDef, tree: ast.Module, text: str, path: str) -> Fixture:
    arguments = node.args
    for star in (arguments.vararg, arguments.kwarg):
        if star:
            raise ConfigError(
                f"{path}:{node.lineno}: fixture {node.name!r} takes *{star.arg}; a fixture names "
                "the fixtures that it asks for as parameters"
            )
    defaults = _defaults(arguments)
    asked = [name for name, default in defaults.items() if default is None and name not in GIVEN]
    given = [n for n in GIVEN if n in defaults and (n != "dtype" or defaults[n] is None)]
    statements = _needed(node, tree, text)
    imports, kept = _hoisted(statements)
    code = _renamed(keep_lines(text, kept), kept, tree)
    first = min(first_line(statement) for statement in kept)
    last = max(statement.end_lineno or 0 for statement in kept)
    code = "\n".join(code.split("\n")[first - 1 : last])
    return Fixture(
        name=node.name,
        path=path,
        line=first,
        code=code if path else _NOQA.sub("", code),
        imports=imports,
        asks=tuple(asked),
        given=tuple(given),
        sizes={
            name: default.value
            for name, default in defaults.items()
            if isinstance(default, ast.Constant) and type(default.value) is int
        },
    )


def _defaults(arguments: ast.arguments) -> dict[str, ast.expr | None]:
    """Each parameter and its default, None where it has none."""
    positional = [*arguments.posonlyargs, *arguments.args]
    padding = [None] * (len(positional) - len(arguments.defaults))
    pairs = zip(positional, [*padding, *arguments.defaults], strict=True)
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {parameter.arg: default for parameter, default in [*pairs, *keywords]}


def _needed(node: ast.FunctionDef, tree: ast.Module, text: str) -> list[ast.stmt]:
    """List the file's statements that a fixture needs, itself last, in the file's order."""
    names = {id(s): find_names(keep_lines(text, [s])) for s in tree.body}
    needed: dict[int, ast.stmt] = {id(node): node}
    todo: list[ast.stmt] = [node]
    while todo:
        free = names[id(todo.pop())].free
        for statement in tree.body:
            if id(statement) not in needed and names[id(statement)].bound & free.keys():
                needed[id(statement)] = statement
                todo.append(statement)
    return [s for s in tree.body if id(s) in needed]


def _hoisted(statements: list[ast.stmt]) -> tuple[tuple[str, ...], list[ast.stmt]]:
    """Take out the imports that a program has in its own first cell."""
    usual = {row.statement for row in IMPORTS.values()}
    hoisted: list[str] = []
    kept: list[ast.stmt] = []
    for statement in statements:
        source = (
            ast.unparse(statement) if isinstance(statement, ast.Import | ast.ImportFrom) else ""
        )
        if source in usual:
            hoisted.append(source)
        else:
            kept.append(statement)
    return tuple(hoisted), kept


def _renamed(code: str, kept: list[ast.stmt], tree: ast.Module) -> str:
    """Put `_` before every fixture's name, where it is defined and where it is called."""
    fixtures = {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name[0] != "_"}
    rows = code.split("\n")
    edits: list[Edit] = []
    for statement in kept:
        if isinstance(statement, ast.FunctionDef) and statement.name in fixtures:
            row = rows[statement.lineno - 1].encode()
            column = row.index(b"def ", statement.col_offset) + len(b"def ")
            edits.append(_prefix(statement.lineno, column))
        free = find_names(keep_lines(code, [statement])).free.keys() & fixtures
        for name in ast.walk(statement):
            if isinstance(name, ast.Name) and name.id in free:
                edits.append(_prefix(name.lineno, name.col_offset))
    return apply_edits(code, edits)


def _prefix(line: int, column: int) -> Edit:
    return Edit(line=line, column=column, end_line=line, end_column=column, text="_")
