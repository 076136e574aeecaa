"""Reads whether a check asserts what it counts."""

import ast
import functools

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


def counts_for(code: str, kind: str) -> bool:
    """Say whether a check's code asserts something that it counts, as a claim of that kind needs.

    How a cost grows is not seen at one size: that takes `growth`, or counting twice at least.
    """
    counting = BACKING.get(kind)
    if counting is None:
        return False
    asserts, counted = _counted(code)
    least = 2 if kind == "growth" else 1
    return asserts and (
        sum(times for name, times in counted if name in counting) >= least
        or (kind == "growth" and any(name == GROWTH for name, _ in counted))
    )


@functools.lru_cache(maxsize=256)
def _counted(code: str) -> tuple[bool, tuple[tuple[str, int], ...]]:
    """Whether code asserts anything, and which names it reads or calls; twice in a loop."""
    nodes = nodes_of(code)
    again = {id(inner) for node in nodes if isinstance(node, _AGAIN) for inner in ast.walk(node)}
    found = []
    for node in nodes:
        name = node.id if isinstance(node, ast.Name) else ""
        name = node.attr if isinstance(node, ast.Attribute) else name
        if name == GROWTH or name in COUNTING:
            found.append((name, 2 if id(node) in again else 1))
    return any(isinstance(node, ast.Assert) for node in nodes), tuple(found)
