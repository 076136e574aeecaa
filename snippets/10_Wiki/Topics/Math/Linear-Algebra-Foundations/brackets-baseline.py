# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:164; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Put the brackets first (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:164`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup
# - `v`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:160
A, B, v = torch.randn(1024, 1024), torch.randn(1024, 1024), torch.randn(1024)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:164
y = A @ B @ v

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
