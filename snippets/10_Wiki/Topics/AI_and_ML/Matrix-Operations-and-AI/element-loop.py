# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:268; edit the page, not this file.

# %% [markdown]
# # A Python loop over elements
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:268`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:264
A, B = torch.randn(96, 96), torch.randn(96, 96)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:268
C = A @ B

# %% result
for _name in ('C',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
