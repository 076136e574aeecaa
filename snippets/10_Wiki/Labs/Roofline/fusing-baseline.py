# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Roofline.md:164; edit the page, not this file.

# %% [markdown]
# # Fusing moves to the right as well (baseline)
#
# From `docs/10_Wiki/Labs/Roofline.md:164`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Roofline.md:160
x = torch.randn(1 << 23, device=device)

# %% pattern: docs/10_Wiki/Labs/Roofline.md:164
y = x
for _ in range(4):
    y = y * 0.5 + 1

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
