# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:390; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — Cross-attention: make keys and values once (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:390`.
#
# What the page leaves open:
#
# - `split`: setup
# - `to_keys`: setup
# - `source`: setup
# - `to_values`: setup
# - `q`: setup

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:381
source = torch.randn(1, 256, 512, device=device)
to_keys, to_values = nn.Linear(512, 512).to(device), nn.Linear(512, 512).to(device)
split = lambda x: x.view(1, -1, 8, 64).transpose(1, 2)
q = torch.randn(1, 8, 1, 64, device=device)
with torch.no_grad():
    k, v = split(to_keys(source)), split(to_values(source))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:390
with torch.no_grad():
    keys, values = split(to_keys(source)), split(to_values(source))
    out = F.scaled_dot_product_attention(q, keys, values)

# %% result
for _name in ('out', 'keys', 'values'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
