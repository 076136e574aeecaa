"""Reads which accelerators a piece of code names: by name, by method, by argument."""

import ast
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping

from wiki_tools.code import parse_code

USUAL = {
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "optim": "torch.optim",
    "np": "numpy",
    "jnp": "jax.numpy",
    "lax": "jax.lax",
    "sdpa": "torch.nn.functional.scaled_dot_product_attention",
    "DataLoader": "torch.utils.data.DataLoader",
}
"""Names that everyone gives to modules, and some of what everyone takes from them."""
MANY = 4
"""Positional arguments from which on a call's sign counts them."""


@functools.lru_cache(maxsize=1024)
def signs_of(codes: tuple[str, ...]) -> frozenset[str]:
    """All signs that pieces of one program give, resolved through their imports.

    A sign is one of `torch.compile` (a dotted name, whatever it was imported as),
    `torch.compile(mode)` (a call that passes the argument, and not as False or None),
    `torch.einsum(4)` (a call with at least so many positional arguments) and `.contiguous()`
    (a method called on whatever it is).
    """
    names = imported_names(codes)
    trees = [tree for code in codes if (tree := parse_code(code))]
    return frozenset(sign for tree in trees for sign in _signs(tree, names))


def imported_names(codes: Iterable[str]) -> dict[str, str]:
    """What the names that code imports stand for, besides the usual ones."""
    names = dict(USUAL)
    for code in codes:
        tree = parse_code(code)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Import):
                names |= {a.asname: a.name for a in node.names if a.asname}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def mentions(tree: ast.AST, names: Mapping[str, str], wanted: Collection[str]) -> bool:
    """Say whether a piece of code gives one of the signs `wanted`, as `names` resolve it."""
    return any(sign in wanted for sign in _signs(tree, names))


def _signs(tree: ast.AST, names: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if name := _dotted(node):
            yield _resolved(name, names)
        if isinstance(node, ast.Call):
            yield from signs_of_call(node, names)


def signs_of_call(call: ast.Call, names: Mapping[str, str]) -> Iterator[str]:
    """Give the signs of a call itself, those of its arguments left out."""
    if isinstance(call.func, ast.Attribute):
        yield f".{call.func.attr}()"
    if not (name := _resolved(_dotted(call.func), names)):
        return
    for argument in call.keywords:
        off = isinstance(argument.value, ast.Constant) and argument.value.value in (False, None)
        if argument.arg and not off:
            yield f"{name}({argument.arg})"
    for count in range(MANY, len(call.args) + 1):
        yield f"{name}({count})"


def _dotted(node: ast.AST) -> str:
    """`torch.nn.functional` of a chain of attributes; empty where it starts at no name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def _resolved(name: str, names: Mapping[str, str]) -> str:
    first, dot, rest = name.partition(".")
    return names.get(first, first) + dot + rest
