"""Reads from code what its names must be: how many dimensions, whether a size."""

import ast
import functools
import re
from dataclasses import dataclass

_SPEC = re.compile(r"^[\sA-Za-z.,>-]+$")
_MAKERS = frozenset(
    [
        "randn",
        "rand",
        "zeros",
        "ones",
        "empty",
        "full",
        "normal",
        "view",
        "reshape",
        "expand",
        "repeat",
        "range",
        "arange",
        "linspace",
        "eye",
        "Linear",
        "Embedding",
        "LayerNorm",
        "RMSNorm",
        "randint",
        "unflatten",
        "tile",
    ]
)
_IMAGES = re.compile(r"conv[_]?2d|pool2d|channels_last|\bimages?\b|\bimg\b|BatchNorm2d", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What a piece of code says about the names that it uses."""

    ranks: dict[str, int]
    """Name to its number of dimensions, where the code tells."""
    sizes: frozenset[str]
    """Names used as a size: `x.view(B, S, -1)`, `torch.zeros(N, D)`, `range(N)`."""
    images: bool
    """It convolves, pools or speaks of images."""


@functools.lru_cache(maxsize=4096)
def find_hints(code: str) -> Hints:
    """Look for einsum and einops patterns, unpacked shapes and names used as sizes."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        nodes = []
    ranks: dict[str, int] = {}
    sizes: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            ranks |= _subscripts(node)
            sizes |= _sizes(node)
        elif isinstance(node, ast.Assign):
            ranks |= _unpacked(node)
    used_otherwise = {
        n.id
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
        for n in (node.left, node.right)
        if isinstance(n, ast.Name)
    }
    return Hints(
        ranks=ranks, sizes=frozenset(sizes - used_otherwise), images=bool(_IMAGES.search(code))
    )


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _subscripts(node: ast.Call) -> dict[str, int]:
    """`einsum('bd,dk->bk', x, W)`: x has two dimensions, and so has W."""
    texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if _called(node) in ("rearrange", "reduce", "repeat") and texts and "->" in texts[0]:
        left = re.sub(r"\([^)]*\)", "g", texts[0].partition("->")[0]).split()
        first = node.args[0]
        fits = isinstance(first, ast.Name) and "..." not in left
        return {first.id: len(left)} if fits and isinstance(first, ast.Name) else {}
    if _called(node) != "einsum" or not texts or not _SPEC.match(texts[0]):
        return {}
    operands = texts[0].partition("->")[0].replace(" ", "").split(",")
    arrays = [a for a in node.args if not isinstance(a, ast.Constant)]
    pairs = zip(operands, arrays, strict=False)
    return {a.id: len(o) for o, a in pairs if isinstance(a, ast.Name) and "." not in o}


def _unpacked(node: ast.Assign) -> dict[str, int]:
    """`B, S, D = x.shape`: x has three dimensions."""
    target, value = node.targets[-1], node.value
    if isinstance(value, ast.Call) and _called(value) == "size" and not value.args:
        value = value.func
    if not isinstance(value, ast.Attribute) or value.attr not in ("shape", "size"):
        return {}
    if not isinstance(value.value, ast.Name) or not isinstance(target, ast.Tuple):
        return {}
    if any(isinstance(e, ast.Starred) for e in target.elts):
        return {}
    return {value.value.id: len(target.elts)}


def _sizes(node: ast.Call) -> set[str]:
    if _called(node) not in _MAKERS:
        return set()
    parts = [e for a in node.args for e in (a.elts if isinstance(a, ast.Tuple | ast.List) else [a])]
    return {n.id for part in parts for n in _factors(part)}


def _factors(node: ast.expr) -> list[ast.Name]:
    if isinstance(node, ast.BinOp):
        return _factors(node.left) + _factors(node.right)
    return [node] if isinstance(node, ast.Name) else []
