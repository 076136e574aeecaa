"""Reads from code what its names must be: how many dimensions, whether a size."""

import ast
import functools
import re
from dataclasses import dataclass

from wiki_tools.code import nodes_of, statements

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
_OPERATIONS = frozenset(
    (
        *("einsum", "matmul", "bmm", "mm", "mv", "dot", "addmm", "baddbmm", "linear", "contract"),
        *("scaled_dot_product_attention", "dot_product_attention", "flash_attn_func", "tensordot"),
    )
)
_ARRAY_MAKERS = frozenset(["randn", "rand", "zeros", "ones", "empty", "full", "normal"])
_LIBRARIES = frozenset(["torch", "F", "jnp", "np", "jax", "lax"])
_TELLING = _MAKERS | {"einsum", "rearrange", "reduce", "repeat", "shape", "size"}
"""Code that has none of these words tells no number of dimensions and no size."""
_WORD = re.compile(r"\w+")
_IMAGES = re.compile(r"conv[_]?2d|pool2d|channels_last|\bimages?\b|\bimg\b|BatchNorm2d", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What a piece of code says about the names that it uses."""

    ranks: dict[str, int]
    """Name to its number of dimensions, where the code tells."""
    sizes: frozenset[str]
    """Names used as a size: `x.view(B, S, -1)`, `torch.zeros(N, D)`, `range(N)`."""
    images: bool = False
    """It convolves, pools or speaks of images."""


@functools.lru_cache(maxsize=4096)
def find_hints(code: str) -> Hints:
    """Look for einsum and einops patterns, unpacked shapes and names used as sizes."""
    ranks: dict[str, int] = {}
    images = bool(_IMAGES.search(code))
    if code.isascii() and _TELLING.isdisjoint(_WORD.findall(code)):
        return Hints(ranks=ranks, sizes=frozenset(), images=images)
    for node in nodes_of(code):
        if isinstance(node, ast.Call):
            ranks |= _subscripts(node)
        elif isinstance(node, ast.Assign):
            ranks |= _unpacked(node)
    return Hints(ranks=ranks, sizes=_named_sizes(code) - _named_arrays(code), images=images)


@functools.lru_cache(maxsize=4096)
def find_arrays(code: str) -> frozenset[str]:
    """Names used as an array: an operand of `@`, `Q.shape`, `F.softmax(x)`."""
    return _named_arrays(code) - _named_sizes(code)


def _named_sizes(code: str) -> frozenset[str]:
    calls = (node for node in nodes_of(code) if isinstance(node, ast.Call))
    return frozenset(name for call in calls for name in _sizes(call))


def _named_arrays(code: str) -> frozenset[str]:
    return frozenset(name for node in nodes_of(code) for name in _arrays(node))


@functools.lru_cache(maxsize=4096)
def find_made(code: str) -> dict[str, int]:
    """Number of dimensions of what top-level statements make, where they tell; 0 for a number."""
    made: dict[str, int] = {}
    for node in statements(code):
        if not isinstance(node, ast.Assign):
            continue
        for target, value in _pairs(node):
            rank = _made_rank(value)
            if rank is None:
                made.pop(target, None)
            else:
                made[target] = rank
    return made


def contradicts(name: str, made: int | None, code: str) -> bool:
    """Whether a value with `made` dimensions cannot be what code uses under `name`."""
    if made is None:
        return False
    hints = find_hints(code)
    if name in hints.sizes or (made == 0 and name in find_arrays(code)):
        return (made == 0) != (name in hints.sizes)
    return hints.ranks.get(name, made) != made


def _pairs(node: ast.Assign) -> list[tuple[str, ast.expr]]:
    """Split `M, N = 1, 2` and `a = b = 1` into names and values."""
    found: list[tuple[str, ast.expr]] = []
    for target in node.targets:
        value = node.value
        if isinstance(target, ast.Name):
            found.append((target.id, value))
        elif isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else []
            names = [t.id if isinstance(t, ast.Name) else "" for t in target.elts]
            found += [(n, v) for n, v in zip(names, values, strict=False) if n]
    return found


def _made_rank(value: ast.expr) -> int | None:
    if isinstance(value, ast.Constant) and type(value.value) in (int, float):
        return 0
    if not isinstance(value, ast.Call) or _called(value) not in _ARRAY_MAKERS:
        return None
    first = value.args[0] if value.args else None
    if isinstance(first, ast.Tuple | ast.List):
        return len(first.elts)
    if first is None or any(isinstance(a, ast.Starred) for a in value.args):
        return None
    return len(value.args) if _called(value) in ("randn", "rand") else None


def _arrays(node: ast.AST) -> list[str]:
    operands: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        operands = [node.left, node.right]
    elif isinstance(node, ast.Attribute):
        operands = [node.value]
    elif isinstance(node, ast.Call) and _called(node) in _OPERATIONS:
        operands = node.args
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        root = getattr(node.func.value, "id", "")
        operands = node.args[:1] if root in _LIBRARIES and _called(node) not in _MAKERS else []
    return [operand.id for operand in operands if isinstance(operand, ast.Name)]


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
