# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:166; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Memory Layout (contiguous)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:166`.
#
# What the page leaves open:
#
# - `x`: stock: sequence

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% fixture
def _x(B=4, S=512, D=512, device="cpu"):
    """Activations: (B, S, D)."""
    return torch.randn(B, S, D, device=device)


x = _x(device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:166
x = x.transpose(1, 2).contiguous()  # rearranges the strides
# Performance of a non-contiguous matmul collapses

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:173
original = x.transpose(1, 2)
assert x.is_contiguous() and not original.is_contiguous()
assert original.stride(1) == 1 and x.stride(2) == 1
assert torch.equal(original.transpose(1, 2), x)

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
