# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:286; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Grouped queries (GQA) (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:286`.
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

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:277
S = 1024
q = torch.randn(4, 16, 1, 64, device=device)
k, v = torch.randn(2, 4, 2, S, 64, device=device)
K, V = k.repeat_interleave(8, dim=1), v.repeat_interleave(8, dim=1)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:286
out = F.scaled_dot_product_attention(q, K, V)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
