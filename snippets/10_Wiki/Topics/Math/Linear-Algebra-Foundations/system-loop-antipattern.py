# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:414; edit the page, not this file.

# %% [markdown]
# # A Python loop over small systems (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:414`.
#
# What the page leaves open:
#
# - `A`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:405
A = torch.randn(512, 8, 8) + 8 * torch.eye(8)
b = torch.randn(512, 8)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:414
x = torch.stack([torch.linalg.solve(matrix, right) for matrix, right in zip(A, b)])

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
