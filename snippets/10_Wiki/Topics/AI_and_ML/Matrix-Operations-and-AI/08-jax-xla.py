# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:196; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — JAX/XLA
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:196`.
#
# What the page leaves open:
#
# - `x`: stock: matrix
# - `W`: stock: matrix

# %% imports
import jax

# %% fixture
def _x(N=512, D=512):
    """Rows of features: (N, D)."""
    return jax.random.normal(jax.random.key(955), (N, D))


x = _x()

# %% fixture
def _W(D=512, K=512):
    """Weights: (D, K)."""
    return jax.random.normal(jax.random.key(56), (D, K)) / D ** 0.5


W = _W()

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:196
import jax.numpy as jnp
@jax.jit
def fwd(x, W): return jnp.einsum('bd,dk->bk', x, W)

# %% drive
result = fwd(x, W)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:202
from wiki_tools.probes import max_error

assert max_error(fwd(x, W), x @ W) < 1e-3

# %% result
for _name in ('result',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
