# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:432; edit the page, not this file.

# %% [markdown]
# # .item() in the loop
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:432`.
#
# What the page leaves open:
#
# - `batches`: setup
# - `model`: setup

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:427
model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10))
batches = [(torch.randn(64, 256), torch.randint(10, (64,))) for _ in range(8)]

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:432
total = torch.zeros(())
for x, y in batches:
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    total += loss.detach()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
