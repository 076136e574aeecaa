# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:204; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Compute both sides and select (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:204`.
#
# What the page leaves open:
#
# - `x`: setup
# - `rare`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:198
PERCENT = 50
x = torch.rand(1 << 19, device=device)
rare = x < PERCENT / 100

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:204
y = x.clone()
y[rare] = torch.exp(-x[rare])

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
