# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:259; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Cholesky for what is positive definite
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:259`.
#
# What the page leaves open:
#
# - `S`: setup
# - `B`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:249
half = torch.randn(512, 512) / 512**0.5
S = half @ half.T + torch.eye(512)
B = torch.randn(512, 4)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:259
L = torch.linalg.cholesky(S)
X = torch.cholesky_solve(B, L)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:266
assert torch.equal(L, L.tril())
assert torch.allclose(L @ L.T, S, atol=1e-4)
assert torch.allclose(S @ X, B, atol=1e-3)
assert abs(2 * L.diagonal().log().sum() - torch.logdet(S)) < 1e-2
assert torch.linalg.cholesky_ex(S).info == 0
assert torch.linalg.cholesky_ex(S - 2 * torch.eye(512)).info > 0

# %% result
for _name in ('L', 'X'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
