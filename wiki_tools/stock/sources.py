"""Writes a fixture of the stock as the source of one function, in a framework's own words."""

import functools
import zlib
from importlib import resources

from wiki_tools.stock.worlds import SCALARS, WORLDS, Array

_TORCH = {
    "normal": "torch.randn({shape}, device=device)",
    "weight": "torch.randn({shape}, device=device) / {fan} ** 0.5",
    "ones": "torch.ones({shape}, device=device)",
    "zeros": "torch.zeros({shape}, device=device)",
    "below": "torch.randint(0, {top}, {tuple}, device=device)",
    "causal": "torch.ones({shape}, dtype=torch.bool, device=device).tril()",
    "coin": "torch.rand({shape}, device=device) < 0.5",
    "range": "torch.arange({shape}, device=device)",
}
_JAX = {
    "normal": "jax.random.normal(jax.random.key({seed}), {tuple})",
    "weight": "jax.random.normal(jax.random.key({seed}), {tuple}) / {fan} ** 0.5",
    "ones": "jnp.ones({tuple})",
    "zeros": "jnp.zeros({tuple})",
    "below": "jax.random.randint(jax.random.key({seed}), {tuple}, 0, {top})",
    "causal": "jnp.tril(jnp.ones({tuple}, dtype=bool))",
    "coin": "jax.random.bernoulli(jax.random.key({seed}), 0.5, {tuple})",
    "range": "jnp.arange({shape})",
}
_NUMPY = {
    "normal": "np.random.default_rng({seed}).standard_normal({tuple}, dtype=np.float32)",
    "weight": "np.random.default_rng({seed}).standard_normal({tuple}, dtype=np.float32)"
    " / np.float32({fan} ** 0.5)",
    "ones": "np.ones({tuple}, dtype=np.float32)",
    "zeros": "np.zeros({tuple}, dtype=np.float32)",
    "below": "np.random.default_rng({seed}).integers(0, {top}, {tuple})",
    "causal": "np.tril(np.ones({tuple}, dtype=bool))",
    "coin": "np.random.default_rng({seed}).random({tuple}) < 0.5",
    "range": "np.arange({shape})",
}
_MAKERS = {"torch": _TORCH, "jax": _JAX, "numpy": _NUMPY}
_IMPORTS = {
    "torch": ("import torch",),
    "jax": ("import jax", "import jax.numpy as jnp"),
    "numpy": ("import numpy as np",),
}
FILES = {
    "torch": ("torch_{world}", "torch_any"),
    "jax": ("jax_any",),
    "numpy": ("numpy_any",),
}
"""Framework to the modules of this package that hold what is no array, most special first."""


def find_source(name: str, world: str, framework: str) -> str | None:
    """Give the source of a fixture file that defines `name` in a world; None where none does.

    Objects (a model, a loss, an optimizer) come before arrays: `key` is a random key in JAX.
    """
    for module in FILES[framework]:
        source = _read(module.format(world=world))
        if source and f"\ndef {name}(" in source:
            return source
    array = _arrays(world).get(name)
    return write_array(name, array, world, framework) if array else None


def find_size(name: str, world: str) -> str | None:
    """Give the number that a size or a hyperparameter has in a world, as source."""
    place = WORLDS[world]
    size = place.sizes.get(place.aliases.get(name, name))
    return str(size) if size is not None else SCALARS.get(name)


def find_rank(name: str, world: str) -> int | None:
    """Give an array's number of dimensions in a world."""
    array = _arrays(world).get(name)
    return len(array.shape.split()) if array else None


@functools.cache
def _arrays(world: str) -> dict[str, Array]:
    return {name: array for array in WORLDS[world].arrays for name in array.names.split()}


@functools.cache
def _read(module: str) -> str:
    file = resources.files("wiki_tools.stock") / f"{module}.py"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@functools.cache
def write_array(name: str, array: Array, world: str, framework: str) -> str:
    """Write the function that makes an array, with its shape in its docstring."""
    dimensions = array.shape.split()
    shape = f"({', '.join(dimensions)}{',' if len(dimensions) == 1 else ''})"
    kind, _, top = array.kind.partition(" ")
    makers = _MAKERS[framework]
    body = makers[kind].format(
        shape=", ".join(dimensions),
        tuple=shape,
        fan=dimensions[0],
        top=top,
        seed=zlib.crc32(name.encode()) % 997,
    )
    used = dict.fromkeys(d for d in [*dimensions, top] if d in WORLDS[world].sizes)
    parameters = [f"{size}={WORLDS[world].sizes[size]}" for size in used]
    if framework == "torch":
        parameters.append('device="cpu"')
    imports = "\n".join(_IMPORTS[framework])
    return (
        f"{imports}\n\n\ndef {name}({', '.join(parameters)}):\n"
        f'    """{array.meaning}: {shape}."""\n    return {body}\n'
    )
