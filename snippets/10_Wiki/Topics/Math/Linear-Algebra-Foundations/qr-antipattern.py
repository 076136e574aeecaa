# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:297; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — QR, not Gram-Schmidt by hand (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:297`.
#
# What the page leaves open:
#
# - `gram_schmidt`: setup
# - `A`: setup
# - `y`: setup

# %% imports
import torch

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

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:297
Q = gram_schmidt(A)
projected = Q @ (Q.T @ y)

# %% result
for _name in ('Q', 'projected'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
