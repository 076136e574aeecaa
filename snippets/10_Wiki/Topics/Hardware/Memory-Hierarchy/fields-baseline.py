# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:251; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Keep a field's values together (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:251`.
#
# What the page leaves open:
#
# - `records`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:246
records = np.random.default_rng(0).random((1_000_000, 16), dtype=np.float32)
fields = np.ascontiguousarray(records.T)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:251
highest = records[:, 3].max()

# %% result
for _name in ('highest',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
