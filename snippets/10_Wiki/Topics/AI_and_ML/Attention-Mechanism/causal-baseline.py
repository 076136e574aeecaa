# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:244; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Causal by a flag (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:244`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:239
S = 1024
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:244
last = F.scaled_dot_product_attention(Q, K, V)[:, :, -1]

# %% result
for _name in ('last',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
