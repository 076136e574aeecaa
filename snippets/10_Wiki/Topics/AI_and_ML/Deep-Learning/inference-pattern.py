# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:223; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Inference keeps no activations
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:223`.
#
# What the page leaves open:
#
# - `model`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:214
def block():
    return nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256))


model = nn.Sequential(*[block() for _ in range(8)])
x = torch.randn(256, 256)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:223
with torch.no_grad():
    out = model(x)  # (256, 256)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:224
assert len(tuple(out.shape)) == 2 and tuple(out.shape) == (256, 256), 'docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:224: out has shape {}, the page says (256, 256)'.format(tuple(out.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:228
assert not out.requires_grad and out.grad_fn is None
assert model(x).requires_grad

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
