# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:151; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Fused Kernel (FlashAttention)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:151`.
#
# What the page leaves open:
#
# - `Q`: stock: sequence
# - `K`: stock: sequence
# - `V`: stock: sequence

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% fixture
def _Q(B=4, H=8, S=512, E=64, device="cpu"):
    """Queries: (B, H, S, E)."""
    return torch.randn(B, H, S, E, device=device)


Q = _Q(device=device)

# %% fixture
def _K(B=4, H=8, S=512, E=64, device="cpu"):
    """Keys: (B, H, S, E)."""
    return torch.randn(B, H, S, E, device=device)


K = _K(device=device)

# %% fixture
def _V(B=4, H=8, S=512, E=64, device="cpu"):
    """Values: (B, H, S, E)."""
    return torch.randn(B, H, S, E, device=device)


V = _V(device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:151
from torch.nn.functional import scaled_dot_product_attention
out = scaled_dot_product_attention(Q, K, V, is_causal=True)
# Q@K^T → softmax → @V in SRAM at one go (no round trip to HBM)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
