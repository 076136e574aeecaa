# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:135; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Solve, do not invert
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:135`.
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

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:126
A = torch.randn(512, 512) / 512**0.5 + 3 * torch.eye(512)
b = torch.randn(512)

# %% context: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95
def conditioned(rows, columns, kappa):
    """A matrix whose singular values fall from 1 to 1 / kappa."""
    left = torch.linalg.qr(torch.randn(rows, columns, dtype=torch.float64)).Q
    right = torch.linalg.qr(torch.randn(columns, columns, dtype=torch.float64)).Q
    values = torch.logspace(0, -math.log10(kappa), columns, dtype=torch.float64)
    return left * values @ right.T


H = conditioned(64, 64, kappa=1e5)  # (64, 64)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:135
x = torch.linalg.solve(A, b)  # (512,)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:135
assert len(tuple(x.shape)) == 1 and tuple(x.shape) == (512,), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:135: x has shape {}, the page says (512,)'.format(tuple(x.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:141
hard, truth = conditioned(256, 256, kappa=1e10), torch.randn(256, dtype=torch.float64)
right = hard @ truth
solved, inverted = torch.linalg.solve(hard, right), torch.linalg.inv(hard) @ right


def residual(y):
    return float((hard @ y - right).norm() / (hard.norm() * y.norm()))


assert max((y - truth).norm() / truth.norm() for y in (solved, inverted)) < 1e-3
assert residual(solved) < 1e-15
assert residual(inverted) > 1e4 * residual(solved)

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
