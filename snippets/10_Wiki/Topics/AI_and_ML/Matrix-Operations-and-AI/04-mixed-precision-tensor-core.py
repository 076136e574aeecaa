# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:137; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Mixed Precision (Tensor Core)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:137`.
#
# What the page leaves open:
#
# - `model`: stock: sequence
# - `x`: stock: sequence
#
# The page names a card; this uses one where there is one.

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% fixture
def _model(D: int = 512, F: int = 2048, device: str = "cpu") -> nn.Module:
    """A feed-forward block: (B, S, D) to (B, S, D)."""
    return nn.Sequential(nn.Linear(D, F), nn.GELU(), nn.Linear(F, D)).to(device).eval()


model = _model(device=device)

# %% fixture
def _x(B=4, S=512, D=512, device="cpu"):
    """Activations: (B, S, D)."""
    return torch.randn(B, S, D, device=device)


x = _x(device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:137
with torch.autocast(device, dtype=torch.bfloat16):
    out = model(x)  # GEMM in bf16, accumulated in fp32
# 2-8x the throughput on A100/H100

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:145
assert out.dtype is torch.bfloat16
assert torch.isfinite(out).all()

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
