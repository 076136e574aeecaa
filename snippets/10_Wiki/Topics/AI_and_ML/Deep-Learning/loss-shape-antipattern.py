# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:137; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Look at the shapes that meet in the loss (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:137`.
#
# What the page leaves open:
#
# - `prediction`: setup
# - `target`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:128
N = 1024
prediction, target = torch.randn(N, 1), torch.ones(N)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:137
loss = (prediction - target).square().mean()

# %% result
for _name in ('loss',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
