# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:275; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Move half the bytes (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:275`.
#
# What the page leaves open:
#
# - `a`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:270
a, b = torch.randint(0, 100, (2, 1 << 23), dtype=torch.float32)
half_a, half_b = a.bfloat16(), b.bfloat16()

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:275
c = a + b
head = c[:8].float()

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
