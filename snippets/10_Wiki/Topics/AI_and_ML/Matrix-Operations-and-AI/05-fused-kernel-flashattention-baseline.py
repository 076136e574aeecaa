# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:159; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Fused Kernel (FlashAttention) (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:159`.
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

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:159
scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
out = scores.masked_fill(future, float('-inf')).softmax(dim=-1) @ V

# %% result
for _name in ('scores', 'future', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
