# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:159; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Read the weights once for many vectors (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:159`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:154
B = 8
W, X = torch.randn(1024, 4096), torch.randn(B, 4096)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:159
Y = torch.stack([W @ x for x in X])

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
