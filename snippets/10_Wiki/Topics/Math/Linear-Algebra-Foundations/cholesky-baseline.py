# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:255; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Cholesky for what is positive definite (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:255`.
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

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:255
X = torch.linalg.solve(S, B)

# %% result
for _name in ('X',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
