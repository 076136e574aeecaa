# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:363; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — One query, many keys: cut the keys (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:363`.
#
# What the page leaves open:
#
# - `q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:357
S = 4096
q = torch.randn(1, 4, 1, 64, device=device)
K, V = torch.randn(2, 1, 4, S, 64, device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:363
out = F.scaled_dot_product_attention(q, K, V)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
