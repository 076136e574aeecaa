"""Rewrites code that names a card, so that it uses the device of the run; lines are kept."""

import ast
import functools
import re
from collections.abc import Iterator

from wiki_tools.code import parse_code
from wiki_tools.snippets.edits import Edit, apply_edits, insert, replace

_LITERAL = re.compile(r"cuda(:\d+)?\Z")
_TEXT_METHODS = frozenset(
    ["startswith", "endswith", "replace", "find", "index", "count", "split", "join"]
)
_SYNCHRONISED = "torch.cuda.synchronize"
_MIXED = ("autocast", "GradScaler")
"""Names of `torch.cuda.amp` that take the device first in `torch.amp`."""


@functools.lru_cache(maxsize=4096)
def retarget(code: str, name: str = "device") -> str:
    """Put `name` where code names a card: literals, `.cuda()`, `torch.cuda.amp`.

    Comparisons, printed texts, f-strings and subscripts stay as they are. Code that does not
    parse, or names no card, comes back unchanged.
    """
    if "cuda" not in code and "gpu" not in code:
        return code
    tree = parse_code(code)
    if tree is None:
        return code
    edits = list(_edits(tree, name, _mixed_names(tree)))
    return apply_edits(code, edits) if edits else code


def _mixed_names(tree: ast.Module) -> frozenset[str]:
    """Names that `from torch.cuda.amp import ...` binds."""
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom))
    return frozenset(
        alias.asname or alias.name
        for node in nodes
        if node.module == "torch.cuda.amp"
        for alias in node.names
        if alias.name in _MIXED
    )


def _edits(tree: ast.Module, name: str, mixed: frozenset[str]) -> Iterator[Edit]:
    for node, parents in _with_parents(tree, ()):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _names_card(node, parents):
                yield replace(node, name)
        elif isinstance(node, ast.Call):
            yield from _call(node, name, mixed)
        elif isinstance(node, ast.ImportFrom) and node.module == "torch.cuda.amp":
            yield replace(node, ast.unparse(ast.ImportFrom("torch.amp", node.names, 0)))


def _with_parents(
    node: ast.AST, parents: tuple[ast.AST, ...]
) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    yield node, parents
    for child in ast.iter_child_nodes(node):
        yield from _with_parents(child, (*parents, node))


def _names_card(node: ast.Constant, parents: tuple[ast.AST, ...]) -> bool:
    literal = bool(_LITERAL.match(str(node.value)))
    parent = parents[-1]
    if isinstance(parent, ast.Call) and node in parent.args:
        called = getattr(parent.func, "attr", getattr(parent.func, "id", ""))
        if called in ("devices", "local_devices") and node.value == "gpu":
            return True
        return literal and called not in _TEXT_METHODS and called != "print"
    if isinstance(parent, ast.Dict):
        return literal and node in parent.values
    for above in reversed(parents):
        if isinstance(above, ast.Compare | ast.JoinedStr | ast.Subscript | ast.BinOp | ast.Expr):
            return False
        if isinstance(above, ast.Call | ast.stmt | ast.keyword | ast.arguments):
            return literal and not isinstance(above, ast.match_case)
    return False


def _call(node: ast.Call, name: str, mixed: frozenset[str]) -> Iterator[Edit]:
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "cuda" and function.end_lineno:
        end = function.end_col_offset or 0
        yield Edit(
            line=function.end_lineno,
            column=end - len("cuda"),
            end_line=function.end_lineno,
            end_column=end,
            text="to",
        )
        yield from _first(node, name, keep=False)
        return
    dotted = ast.unparse(function) if isinstance(function, ast.Attribute | ast.Name) else ""
    if dotted == _SYNCHRONISED:
        yield replace(function, f"torch.get_device_module({name}).synchronize")
    elif dotted in mixed:
        yield from _first(node, name, keep=True)
    elif dotted.startswith("torch.cuda.amp.") and dotted.rpartition(".")[2] in _MIXED:
        yield replace(function, dotted.replace(".cuda.amp.", ".amp."))
        yield from _first(node, name, keep=True)


def _first(node: ast.Call, name: str, *, keep: bool) -> Iterator[Edit]:
    """Make `name` the first argument, before or instead of the one that is there.

    The first argument of `torch.cuda.amp.autocast` is `enabled`.
    """
    if node.args and not keep:
        yield replace(node.args[0], name)
    elif node.args:
        first = node.args[0]
        yield insert(first.lineno, first.col_offset, f"{name}, enabled=")
    elif node.keywords:
        value = node.keywords[0]
        yield insert(value.lineno, value.col_offset, f"{name}, ")
    elif node.end_lineno and node.end_col_offset:
        yield insert(node.end_lineno, node.end_col_offset - 1, name)
