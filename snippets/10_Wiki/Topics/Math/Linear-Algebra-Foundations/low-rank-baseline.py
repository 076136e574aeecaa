# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:223; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Keep a low rank in its factors (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:223`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:216
R = 64
X = torch.randn(256, 1024)
U, V = torch.randn(1024, R), torch.randn(R, 1024)
W = U @ V

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:223
Y = X @ W

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
