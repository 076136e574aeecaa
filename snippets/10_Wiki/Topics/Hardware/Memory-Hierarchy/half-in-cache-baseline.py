# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:461; edit the page, not this file.

# %% [markdown]
# # Half the bytes, in the cache (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:461`.
#
# What the page leaves open:
#
# - `a`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:456
a, b = torch.randint(0, 100, (2, 1 << 14)).float()
half_a, half_b = a.bfloat16(), b.bfloat16()

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:461
c = a + b
head = c[:8].float()

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
