# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:429; edit the page, not this file.

# %% [markdown]
# # Long rows (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:429`.
#
# What the page leaves open:
#
# - `rows`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:425
rows = torch.randn(2, 1 << 22, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:429
sums = torch.stack([row.sum() for row in rows])

# %% result
for _name in ('sums',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
