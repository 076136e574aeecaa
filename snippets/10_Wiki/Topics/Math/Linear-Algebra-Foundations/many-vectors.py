# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:200; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Many vectors are one matrix
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:200`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup
# - `N`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:190
N = 16
W = torch.randn(1024, 1024)
X = torch.randn(N, 1024)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:200
Y = X @ W.T

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:204
from wiki_tools.probes import flops, intensity

assert Y.shape == (N, 1024)
assert flops(lambda: X @ W.T) == N * flops(lambda: W @ X[0])
assert intensity(lambda: X @ W.T) > 0.85 * N * intensity(lambda: W @ X[0])

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
