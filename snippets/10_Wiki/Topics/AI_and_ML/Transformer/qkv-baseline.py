# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:320; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — One product for Q, K and V (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:320`.
#
# What the page leaves open:
#
# - `to_q`: setup
# - `x`: setup
# - `to_k`: setup
# - `to_v`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:313
x = torch.randn(1, 256, 256, device=device)
layers = [nn.Linear(256, 256, bias=False).to(device) for _ in range(3)]
to_q, to_k, to_v = (layer.requires_grad_(False) for layer in layers)
fused = torch.cat([to_q.weight, to_k.weight, to_v.weight])

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:320
q, k, v = to_q(x), to_k(x), to_v(x)

# %% result
for _name in ('q', 'k', 'v'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
