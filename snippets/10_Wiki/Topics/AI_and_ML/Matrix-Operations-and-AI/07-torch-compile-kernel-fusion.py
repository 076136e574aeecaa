# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:181; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — torch.compile (kernel fusion)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:181`.
#
# What the page leaves open:
#
# - `W1`: stock: sequence
# - `W2`: stock: sequence
# - `x`: stock: sequence

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% fixture
def _W1(D=512, F=2048, device="cpu"):
    """Weights up to the wide layer: (D, F)."""
    return torch.randn(D, F, device=device) / D ** 0.5


W1 = _W1(device=device)

# %% fixture
def _W2(F=2048, D=512, device="cpu"):
    """Weights down from the wide layer: (F, D)."""
    return torch.randn(F, D, device=device) / F ** 0.5


W2 = _W2(device=device)

# %% fixture
def _x(B=4, S=512, D=512, device="cpu"):
    """Activations: (B, S, D)."""
    return torch.randn(B, S, D, device=device)


x = _x(device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:181
@torch.compile
def block(x): return F.gelu(x @ W1) @ W2
# Inductor fuses the element-wise work around the GEMMs

# %% drive
result = block(x)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:189
from wiki_tools.probes import max_error

assert max_error(block(x), F.gelu(x @ W1) @ W2) < 1e-3

# %% result
for _name in ('result',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
