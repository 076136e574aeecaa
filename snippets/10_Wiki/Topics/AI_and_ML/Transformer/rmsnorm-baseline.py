# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:394; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — RMSNorm is not faster here (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:394`.
#
# What the page leaves open:
#
# - `layer_norm`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:387
x = torch.randn(1024, 512, device=device)
x = x - x.mean(dim=-1, keepdim=True)
layer_norm = nn.LayerNorm(512, eps=1e-5).to(device).requires_grad_(False)
rms_norm = nn.RMSNorm(512, eps=1e-5).to(device).requires_grad_(False)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:394
y = layer_norm(x)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
