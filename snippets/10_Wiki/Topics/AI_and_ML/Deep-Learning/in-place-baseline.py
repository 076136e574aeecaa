# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:457; edit the page, not this file.

# %% [markdown]
# # In-place for speed (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:457`.
#
# What the page leaves open:
#
# - `x`: setup
# - `W`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:453
x, W = torch.randn(256, 512), torch.randn(512, 512)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:457
h = F.relu(x @ W)

# %% result
for _name in ('h',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
