# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:141; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Block by block, written out (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:141`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:136
S = 1024
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:141
out = (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
