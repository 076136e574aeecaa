# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:325; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — A sliding window, in blocks (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:325`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `near`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:319
S, B, w = 2048, 128, 64
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))
near = torch.ones(S, S, dtype=torch.bool, device=device).tril().triu(1 - w)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:325
out = F.scaled_dot_product_attention(Q, K, V, attn_mask=near)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
