# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:396; edit the page, not this file.

# %% [markdown]
# # no_grad for speed
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:396`.
#
# What the page leaves open:
#
# - `model`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:390
layers = [m for _ in range(4) for m in (nn.Linear(512, 512), nn.ReLU())]
model = nn.Sequential(*layers)
x = torch.randn(512, 512)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:396
with torch.no_grad():
    out = model(x)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
