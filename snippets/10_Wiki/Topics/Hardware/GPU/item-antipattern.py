# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:520; edit the page, not this file.

# %% [markdown]
# # A value at every step (antipattern)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:520`.
#
# What the page leaves open:
#
# - `batches`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:509
batches = torch.randint(0, 4, (50, 4096), device=device).float()

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:520
total = 0.0
for batch in batches:
    total += batch.square().mean().item()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
