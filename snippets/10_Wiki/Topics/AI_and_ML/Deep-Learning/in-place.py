# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:461; edit the page, not this file.

# %% [markdown]
# # In-place for speed
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:461`.
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

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:461
h = F.relu_(x @ W)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:467
a = torch.randn(4, requires_grad=True)
b = a.exp()
b.add_(1)
try:
    b.sum().backward()
    noticed = False
except RuntimeError as error:
    noticed = "modified by an inplace operation" in str(error)
assert noticed

# %% result
for _name in ('h',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
