"""Calls the last function of a pattern that only defines functions."""

import ast
from dataclasses import dataclass

from wiki_tools.code import statements

_UNCALLABLE = ("triton.jit", "jit.script", "fixture", "property", "overload", "register_kernel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """The call that makes a definition run."""

    name: str
    parameters: tuple[str, ...]
    """Those without a default, to be filled like free names."""
    keywords: tuple[str, ...]
    """Those among them that must be given by name."""
    line: int
    """1-based line of the definition, in the code."""

    def code(self, result: str) -> str:
        """Write the call, its value bound to `result`."""
        given = [f"{p}={p}" if p in self.keywords else p for p in self.parameters]
        return f"{result} = {self.name}({', '.join(given)})"


def find_drive(code: str) -> Drive | None:
    """Find the last function of code that does nothing but import and define.

    A class that comes last, a method's excerpt, a coroutine, a generator and a kernel are not
    called: what would be passed to them is not a guess that a fixture can make.
    """
    body = statements(code)
    definitions = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    if not definitions or not all(_defines(node) for node in body):
        return None
    last = definitions[-1]
    if not isinstance(last, ast.FunctionDef) or _is_generator(last):
        return None
    decorators = [ast.unparse(d).partition("(")[0] for d in last.decorator_list]
    if any(d.endswith(_UNCALLABLE) for d in decorators):
        return None
    arguments = last.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    keywords = [
        a for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is None
    ]
    if required and required[0].arg in ("self", "cls"):
        return None
    return Drive(
        name=last.name,
        parameters=tuple(a.arg for a in [*required, *keywords]),
        keywords=tuple(a.arg for a in keywords),
        line=last.lineno,
    )


def find_method(code: str) -> tuple[int, str] | None:
    """Find the line and name of a method that is shown without its class."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    for node in (node for node in statements(code) if isinstance(node, kinds)):
        if [argument.arg for argument in node.args.args[:1]] == ["self"]:
            return node.lineno, node.name
    return None


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        try:
            ast.literal_eval(node.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return False
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(
        node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    )


def _is_generator(function: ast.FunctionDef) -> bool:
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
    return False
