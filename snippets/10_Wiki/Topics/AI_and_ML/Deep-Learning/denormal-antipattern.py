# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:370; edit the page, not this file.

# %% [markdown]
# # Numbers too small to be normal (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:370`.
#
# What the page leaves open:
#
# - `faded`: setup
# - `W`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:361
W, h = torch.randn(256, 256), torch.randn(32, 256)
faded = h * 2.0**-127

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:370
out = (faded @ W) * 2.0**127

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
