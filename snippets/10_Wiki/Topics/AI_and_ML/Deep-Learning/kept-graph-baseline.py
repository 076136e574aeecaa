# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:488; edit the page, not this file.

# %% [markdown]
# # A total that keeps every graph (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:488`.
#
# What the page leaves open:
#
# - `batches`: setup
# - `model`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:483
model = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 1))
batches = torch.randn(8, 512, 128)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:488
total = torch.zeros(())
for x in batches:
    total = total + model(x).square().mean()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
