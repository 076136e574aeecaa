"""Reads whether a check asserts what it counts."""

import ast
import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from wiki_tools.code import nodes_of

SIZES = frozenset({"element_size", "numel", "nbytes", "nelement", "parameters"})
"""What says how large something is."""
MEMORY = frozenset({"peak_memory"}) | SIZES
COUNTING = frozenset({"flops", "operations", "bytes_moved", "calls", "intensity"}) | MEMORY
"""What counts, of `wiki_tools.probes` and of what a tensor or a module says of itself."""
GROWTH = "growth"
BACKING = {"memory": MEMORY, "count": COUNTING, "growth": COUNTING}
"""Kind of a claim to what a check must count to stand behind it; of others, no count says much."""
_AGAIN = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ENOUGH = 2
"""Counts from which on nobody asks how many more there are."""


def counts_for(code: str, kind: str) -> bool:
    """Say whether a check asserts what it counts, as a claim of that kind needs.

    What is counted and held against nothing does not matter, whatever else is asserted. How a
    cost grows is not seen at one size: that takes `growth`, or counting twice at least.
    """
    counting = BACKING.get(kind)
    if counting is None:
        return False
    held = _asserted(code)
    least = _ENOUGH if kind == "growth" else 1
    return sum(held[name] for name in counting) >= least or (kind == "growth" and held[GROWTH] > 0)


@functools.lru_cache(maxsize=256)
def _asserted(code: str) -> Counter[str]:
    """How often what counts is used by assertions, also through names; twice in a loop.

    Names are followed in the order of lines: what an assertion needs stands above it.
    """
    nodes = sorted((n for n in nodes_of(code) if hasattr(n, "lineno")), key=lambda n: n.lineno)
    again = {id(inner) for node in nodes if isinstance(node, _AGAIN) for inner in ast.walk(node)}
    made: dict[str, Counter[str]] = {}
    held: Counter[str] = Counter()
    for node in nodes:
        if isinstance(node, ast.Assert):
            held += _used(node.test, made, again)
        for names, value in _bindings(node):
            found = _used(value, made, again)
            for name in names if found else ():
                made[name] = Counter(
                    {k: min(n, _ENOUGH) for k, n in (_of(made, name) + found).items()}
                )
    return held


def _used(tree: ast.AST, made: Mapping[str, Counter[str]], again: Set[int]) -> Counter[str]:
    """What an expression or a function counts, itself or by a name that was made so."""
    used: Counter[str] = Counter()
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else ""
        name = node.attr if isinstance(node, ast.Attribute) else name
        times = _ENOUGH if id(node) in again else 1
        if name == GROWTH or name in COUNTING:
            used[name] += times
        elif isinstance(node, ast.Name):
            used.update({k: n * times for k, n in _of(made, name).items()})
    return used


def _of(made: Mapping[str, Counter[str]], name: str) -> Counter[str]:
    return made.get(name, Counter())


def _bindings(node: ast.AST) -> Iterator[tuple[Sequence[str], ast.AST]]:
    """Names that a node gives a value, with what that is made of."""
    match node:
        case ast.FunctionDef(name=name):
            yield [name], node
        case ast.Assign(targets=targets, value=value):
            yield [name for target in targets for name in _names(target)], value
        case ast.AnnAssign(target=target, value=ast.AST() as value):
            yield _names(target), value
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield _names(target), value
        case ast.For(target=target, iter=value):
            yield _names(target), value
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):  # as `costs.append(flops(f))`
            for value in node.args:
                yield [name], value
        case _:
            yield from (
                (_names(inner.target), inner.iter) for inner in getattr(node, "generators", ())
            )


def _names(target: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
