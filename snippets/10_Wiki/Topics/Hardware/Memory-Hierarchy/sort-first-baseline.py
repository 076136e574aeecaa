# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:375; edit the page, not this file.

# %% [markdown]
# # Sorting first (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:375`.
#
# What the page leaves open:
#
# - `table`: setup
# - `picks`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:370
table = np.arange(1 << 20)
picks = np.random.default_rng(0).integers(0, table.size, 1 << 18)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:375
total = table[picks].sum()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
