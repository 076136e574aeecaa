# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:324; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Least squares: the fast way squares the condition (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:324`.
#
# What the page leaves open:
#
# - `A`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:319
A = torch.randn(4000, 100, dtype=torch.float64)
b = torch.randn(4000, 1, dtype=torch.float64)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:324
x = torch.linalg.lstsq(A, b).solution

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
