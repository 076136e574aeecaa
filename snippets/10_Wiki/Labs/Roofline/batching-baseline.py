# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Roofline.md:137; edit the page, not this file.

# %% [markdown]
# # Moving to the right (baseline)
#
# From `docs/10_Wiki/Labs/Roofline.md:137`.
#
# What the page leaves open:
#
# - `V`: setup
# - `M`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Roofline.md:129
N = 64
M = torch.randn(1024, 1024, device=device)
V = torch.randn(1024, N, device=device)

# %% pattern: docs/10_Wiki/Labs/Roofline.md:137
Y = torch.stack([M @ v for v in V.T], dim=1)

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
