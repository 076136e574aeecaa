# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:255; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Keep a field's values together
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:255`.
#
# What the page leaves open:
#
# - `fields`: setup
# - `records`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:246
records = np.random.default_rng(0).random((1_000_000, 16), dtype=np.float32)
fields = np.ascontiguousarray(records.T)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:255
highest = fields[3].max()

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:261
assert highest == records[:, 3].max() == records.T[3].max()
assert records.strides == (64, 4) and fields.strides == (4_000_000, 4)

# %% result
for _name in ('highest',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
