# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:131; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Solve, do not invert (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:131`.
#
# What the page leaves open:
#
# - `A`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:126
A = torch.randn(512, 512) / 512**0.5 + 3 * torch.eye(512)
b = torch.randn(512)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:131
x = torch.linalg.inv(A) @ b

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
