# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:517; edit the page, not this file.

# %% [markdown]
# # float64 by accident (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:517`.
#
# What the page leaves open:
#
# - `x64`: setup
# - `W64`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:508
x, W = torch.randn(256, 512), torch.randn(512, 512)
x64, W64 = torch.from_numpy(x.numpy().astype("float64")), W.double()

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:517
out = (x64 @ W64).float()

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
