# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:289; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — A kernel of one's own, a row a block (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:289`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:285
x = torch.randn(4096, 1000, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:289
e = torch.exp(x - x.amax(dim=-1, keepdim=True))
out = e / e.sum(dim=-1, keepdim=True)

# %% result
for _name in ('e', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
