# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:196; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Many vectors are one matrix (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:196`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:190
N = 16
W = torch.randn(1024, 1024)
X = torch.randn(N, 1024)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:196
Y = torch.stack([W @ x for x in X])

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
