# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:450; edit the page, not this file.

# %% [markdown]
# # where jumps too (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:450`.
#
# What the page leaves open:
#
# - `mixed`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:445
mixed = np.random.default_rng(0).standard_normal(1 << 19)
ordered = np.sort(mixed)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:450
total = np.where(mixed > 0, mixed, 0).sum()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
