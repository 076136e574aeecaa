# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:174; edit the page, not this file.

# %% [markdown]
# # What the algorithm alone gains (baseline)
#
# From `docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:174`.
#
# What the page leaves open:
#
# - `q`: setup
# - `k`: setup
# - `v`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:169
S = 1024
q, k, v = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:174
out = (q @ k.transpose(-2, -1) / 64**0.5).softmax(-1) @ v

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
