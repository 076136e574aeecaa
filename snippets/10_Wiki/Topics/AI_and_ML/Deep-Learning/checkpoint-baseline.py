# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:252; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Checkpoint: less memory for some more time (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:252`.
#
# What the page leaves open:
#
# - `blocks`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:239
from torch.utils.checkpoint import checkpoint_sequential


def block():
    return nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 128))


blocks = nn.Sequential(*[block() for _ in range(8)])
x = torch.randn(1024, 128)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:252
out = blocks(x)
gradients = torch.autograd.grad(out.square().mean(), list(blocks.parameters()))

# %% result
for _name in ('out', 'gradients'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
