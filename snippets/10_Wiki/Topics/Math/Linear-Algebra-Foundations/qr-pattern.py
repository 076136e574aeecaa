# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:292; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — QR, not Gram-Schmidt by hand
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:292`.
#
# What the page leaves open:
#
# - `A`: setup
# - `y`: setup
# - `conditioned`: #condition
# - `gram_schmidt`: setup

# %% imports
import torch
import math

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:279
def gram_schmidt(A):
    Q = torch.zeros_like(A)
    for j in range(A.shape[1]):
        column = A[:, j] - Q[:, :j] @ (Q[:, :j].T @ A[:, j])
        Q[:, j] = column / column.norm()
    return Q


A = torch.randn(256, 128, dtype=torch.float64)
y = torch.randn(256, dtype=torch.float64)

# %% context: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95
def conditioned(rows, columns, kappa):
    """A matrix whose singular values fall from 1 to 1 / kappa."""
    left = torch.linalg.qr(torch.randn(rows, columns, dtype=torch.float64)).Q
    right = torch.linalg.qr(torch.randn(columns, columns, dtype=torch.float64)).Q
    values = torch.logspace(0, -math.log10(kappa), columns, dtype=torch.float64)
    return left * values @ right.T


H = conditioned(64, 64, kappa=1e5)  # (64, 64)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:292
Q = torch.linalg.qr(A).Q
projected = Q @ (Q.T @ y)  # (256,)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:293
assert len(tuple(projected.shape)) == 1 and tuple(projected.shape) == (256,), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:293: projected has shape {}, the page says (256,)'.format(tuple(projected.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:304
def loss(Q):
    return float((Q.T @ Q - torch.eye(Q.shape[1], dtype=Q.dtype)).abs().max())


steep = conditioned(200, 20, kappa=1e6)
assert loss(gram_schmidt(steep)) > 1e-8
assert loss(torch.linalg.qr(steep).Q) < 1e-14
assert loss(gram_schmidt(gram_schmidt(steep))) < 1e-14

# %% result
for _name in ('Q', 'projected'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
