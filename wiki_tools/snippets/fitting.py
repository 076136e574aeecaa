"""Reads from a page's own layers what sizes its inputs must have."""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wiki_tools.code import nodes_of, statements

Sizes = tuple[tuple[str, int], ...]
"""Names of a world's sizes and what they must be."""


class Fit(NamedTuple):
    """A world of the stock, and its sizes that a page's layers ask for."""

    world: str
    sizes: Sizes


class _Layer(NamedTuple):
    world: str
    size: str
    """What its first argument is in that world."""
    keyword: str
    """The name of that argument."""


_FIRST = {
    "Linear": _Layer("matrix", "D", "in_features"),
    "LazyLinear": _Layer("matrix", "", ""),
    "Conv2d": _Layer("image", "C", "in_channels"),
    "BatchNorm2d": _Layer("image", "C", "num_features"),
    "BatchNorm1d": _Layer("matrix", "D", "num_features"),
    "LayerNorm": _Layer("sequence", "D", "normalized_shape"),
    "RMSNorm": _Layer("sequence", "D", "normalized_shape"),
    "LSTM": _Layer("sequence", "D", "input_size"),
    "GRU": _Layer("sequence", "D", "input_size"),
    "RNN": _Layer("sequence", "D", "input_size"),
    "MultiheadAttention": _Layer("sequence", "D", "embed_dim"),
    "TransformerEncoderLayer": _Layer("sequence", "D", "d_model"),
    "TransformerDecoderLayer": _Layer("sequence", "D", "d_model"),
    "Transformer": _Layer("sequence", "D", "d_model"),
    "Embedding": _Layer("sequence", "V", "num_embeddings"),
}
"""Layer to what the first of a page's layers says of its input."""
_SIDE = {1: 28, 3: 32}
"""Height and width of images by channels, where a dense layer follows: MNIST's and CIFAR's."""


def find_fit(codes: Iterable[str]) -> Fit | None:
    """Find what the layers of code, in order, ask of what is put into the first of them."""
    codes = list(codes)
    numbers = {name: n for code in codes for name, n in _numbers(code)}
    numbers |= _given("\n".join(codes), numbers)
    layers = [row for code in codes for row in _layers(code, numbers)]
    wide = next((n for code in codes for n in _views(code, numbers)), 0)
    first = next(((name, n) for name, n, _ in layers if n), None)
    if first is None:
        return Fit("matrix", (("D", wide),)) if wide else None
    layer = _FIRST[first[0]]
    sizes = {layer.size: first[1]}
    last = next((out for name, _, out in reversed(layers) if name == "Linear" and out), 0)
    if last and layer.world in ("matrix", "image"):
        sizes["K"] = last
    if layer.world == "image" and last and (side := _SIDE.get(first[1])):
        sizes |= {"H": side, "W": side}
    return Fit(layer.world, tuple(sorted(sizes.items())))


def _layers(code: str, numbers: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """Give each layer's name, its first number and its second; 0 where it is no number."""
    calls = [node for node in nodes_of(code) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if layer := _FIRST.get(name):
            given = {k.arg: k.value for k in call.keywords}
            first = call.args[0] if call.args else given.get(layer.keyword)
            second = call.args[1] if len(call.args) > 1 else given.get("out_features")
            yield name, _number(first, numbers), _number(second, numbers)


def _views(code: str, numbers: dict[str, int]) -> Iterator[int]:
    """`x.view(-1, 784)`: rows of 784 features are wanted."""
    for node in nodes_of(code):
        called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
        if called in ("view", "reshape") and isinstance(node, ast.Call) and len(node.args) == 2:
            first, second = (_number(a, numbers) for a in node.args)
            if first == -1 and second > 1:
                yield second


def _numbers(code: str) -> Iterator[tuple[str, int]]:
    for node in statements(code):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], _number(node.value, {})
            if isinstance(target, ast.Name) and value:
                yield target.id, value


def _given(code: str, numbers: dict[str, int]) -> dict[str, int]:
    """What a page's own classes are made with: of `Block(256)`, 256 for its `dim`."""
    found: dict[str, int] = {}
    parameters: dict[str, list[str]] = {}
    for node in nodes_of(code):
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    parameters[node.name] = [a.arg for a in method.args.args[1:]]
    for node in nodes_of(code):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = parameters.get(node.func.id, [])
            pairs = [*zip(names, node.args, strict=False)]
            pairs += [(k.arg, k.value) for k in node.keywords if k.arg in names]
            found |= {name: n for name, value in pairs if (n := _number(value, numbers))}
    return found


def _number(node: ast.expr | None, numbers: dict[str, int]) -> int:
    """A whole number, or a product of such, or a name that is bound to one; else 0."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return numbers.get(node.id, 0)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand, numbers)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _number(node.left, numbers) * _number(node.right, numbers)
    return 0
