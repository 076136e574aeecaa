# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:81; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Know what a step costs (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:81`.
#
# What the page leaves open:
#
# - `model`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:73
layers = [m for _ in range(4) for m in (nn.Linear(512, 512), nn.ReLU())]
model = nn.Sequential(*layers)
x = torch.randn(256, 512)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:81
loss = model(x).square().mean()
loss.backward()

# %% result
for _name in ('loss',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
