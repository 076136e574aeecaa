# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:328; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Least squares: the fast way squares the condition
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:328`.
#
# What the page leaves open:
#
# - `A`: setup
# - `b`: setup
# - `conditioned`: #condition

# %% imports
import torch
import math

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:319
A = torch.randn(4000, 100, dtype=torch.float64)
b = torch.randn(4000, 1, dtype=torch.float64)

# %% context: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95
def conditioned(rows, columns, kappa):
    """A matrix whose singular values fall from 1 to 1 / kappa."""
    left = torch.linalg.qr(torch.randn(rows, columns, dtype=torch.float64)).Q
    right = torch.linalg.qr(torch.randn(columns, columns, dtype=torch.float64)).Q
    values = torch.logspace(0, -math.log10(kappa), columns, dtype=torch.float64)
    return left * values @ right.T


H = conditioned(64, 64, kappa=1e5)  # (64, 64)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:328
x = torch.linalg.solve(A.T @ A, A.T @ b)  # (100, 1)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:328
assert len(tuple(x.shape)) == 2 and tuple(x.shape) == (100, 1), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:328: x has shape {}, the page says (100, 1)'.format(tuple(x.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:334
steep, truth = conditioned(200, 20, kappa=1e6), torch.ones(20, 1, dtype=torch.float64)
right = steep @ truth
assert abs(torch.linalg.cond(steep.T @ steep) / 1e12 - 1) < 0.1
stable = torch.linalg.lstsq(steep, right).solution
squared = torch.linalg.solve(steep.T @ steep, steep.T @ right)
assert (stable - truth).abs().max() < 1e-9
assert (squared - truth).abs().max() > 1e-7

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
