# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:99; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Walk objects in the order in which they were made (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:99`.
#
# What the page leaves open:
#
# - `shuffled`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:93
N = 200_000
ordered = [float(i) for i in range(N)]
shuffled = [ordered[i] for i in np.random.default_rng(0).permutation(N)]

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:99
total = sum(shuffled)

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
