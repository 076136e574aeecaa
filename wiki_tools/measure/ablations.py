"""What turning an accelerator off means: one row each."""

import ast
import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from wiki_tools.code import parse_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """An accelerator, how code shows that it uses it, and what turns it off."""

    name: str
    used_by: tuple[str, ...]
    """Dotted names that reveal it, whatever they were imported as."""
    off: str
    """A Python expression of a context manager; it may name `torch`, `jax`, `mock`, `contextlib`.

    The whole baseline is built and called inside it.
    """
    meaning: str
    """What the baseline is, for a reader."""
    prepares: bool = False
    """Naming it only wraps a function or converts an input: that is set-up, its use is timed."""
    coarser: bool = False
    """It changes the dtype, so that results are compared at the coarser one."""


_PLAIN = "lambda function=None, *_, **__: function"
_EAGER = "lambda model=None, **_: model if model is not None else (lambda function: function)"

ABLATIONS: tuple[Ablation, ...] = (
    Ablation(
        name="torch.compile",
        used_by=("torch.compile",),
        off=f"mock.patch.object(torch, 'compile', {_EAGER})",
        meaning="the same code without torch.compile",
        prepares=True,
    ),
    Ablation(
        name="torch.jit",
        used_by=("torch.jit.script", "torch.jit.trace"),
        off=f"mock.patch.multiple(torch.jit, script={_PLAIN}, trace={_PLAIN})",
        meaning="the same code without torch.jit",
        prepares=True,
    ),
    Ablation(
        name="jax.jit",
        used_by=("jax.jit",),
        off="jax.disable_jit()",
        meaning="the same code without jax.jit",
        prepares=True,
    ),
    Ablation(
        name="autocast",
        used_by=(
            "torch.autocast",
            "torch.amp.autocast",
            "torch.cuda.amp.autocast",
            "torch.cpu.amp.autocast",
        ),
        off="mock.patch.multiple(torch.autocast, __enter__=lambda self: self, "
        "__exit__=lambda self, *error: None)",
        meaning="the same code without autocast",
        coarser=True,
    ),
    Ablation(
        name="scaled_dot_product_attention",
        used_by=("torch.nn.functional.scaled_dot_product_attention",),
        off="torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)",
        meaning="scaled_dot_product_attention on its math backend",
    ),
    Ablation(
        name="channels_last",
        used_by=("torch.channels_last", "torch.channels_last_3d"),
        off="mock.patch.multiple(torch, channels_last=torch.contiguous_format, "
        "channels_last_3d=torch.contiguous_format)",
        meaning="the same code without channels_last",
        prepares=True,
    ),
    Ablation(
        name="inference_mode",
        used_by=("torch.inference_mode",),
        off="mock.patch.object(torch, 'inference_mode', lambda mode=True: "
        "torch.enable_grad()(mode) if callable(mode) else torch.enable_grad())",
        meaning="the same code with gradients recorded",
    ),
    Ablation(
        name="no_grad",
        used_by=("torch.no_grad",),
        off="mock.patch.object(torch, 'no_grad', torch.enable_grad)",
        meaning="the same code with gradients recorded",
    ),
)
"""In the order in which a claim is held against them: the first that code uses is meant."""

USUAL = {
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "jnp": "jax.numpy",
    "lax": "jax.lax",
    "sdpa": "torch.nn.functional.scaled_dot_product_attention",
}
"""Names that everyone gives to modules."""


def find_ablations(codes: Iterable[str]) -> tuple[Ablation, ...]:
    """The accelerators that pieces of one program use, in the table's order."""
    used = uses(tuple(codes))
    return tuple(row for row in ABLATIONS if used.intersection(row.used_by))


@functools.lru_cache(maxsize=1024)
def uses(codes: tuple[str, ...]) -> frozenset[str]:
    """All dotted names that code mentions, resolved through its imports."""
    trees = [tree for code in codes if (tree := parse_code(code))]
    names = imported_names(codes)
    dotted = (_dotted(node) for tree in trees for node in ast.walk(tree))
    return frozenset(_resolved(name, names) for name in dotted if name)


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
    """Say whether a piece of code names one of `wanted`, as `names` resolve it."""
    dotted = (_dotted(node) for node in ast.walk(tree))
    return any(_resolved(name, names) in wanted for name in dotted if name)


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
