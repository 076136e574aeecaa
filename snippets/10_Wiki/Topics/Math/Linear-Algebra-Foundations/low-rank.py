# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:227; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Keep a low rank in its factors
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:227`.
#
# What the page leaves open:
#
# - `X`: setup
# - `U`: setup
# - `V`: setup
# - `R`: setup
# - `W`: setup
# - `conditioned`: #condition

# %% imports
import torch
import math

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:216
R = 64
X = torch.randn(256, 1024)
U, V = torch.randn(1024, R), torch.randn(R, 1024)
W = U @ V

# %% context: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95
def conditioned(rows, columns, kappa):
    """A matrix whose singular values fall from 1 to 1 / kappa."""
    left = torch.linalg.qr(torch.randn(rows, columns, dtype=torch.float64)).Q
    right = torch.linalg.qr(torch.randn(columns, columns, dtype=torch.float64)).Q
    values = torch.logspace(0, -math.log10(kappa), columns, dtype=torch.float64)
    return left * values @ right.T


H = conditioned(64, 64, kappa=1e5)  # (64, 64)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:227
Y = X @ U @ V

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:233
from wiki_tools.probes import flops

assert U.numel() + V.numel() == 2 * 1024 * R
assert flops(lambda: X @ U @ V) * 1024 == flops(lambda: X @ W) * 2 * R
full = conditioned(96, 96, kappa=1e3)
left, values, right = torch.linalg.svd(full)
best = left[:, :10] * values[:10] @ right[:10]
missed = torch.linalg.matrix_norm(full - best, ord=2)
assert abs(missed - values[10]) < 1e-12 < values[10] < values[9]

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
