# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:422; edit the page, not this file.

# %% [markdown]
# # Summing down the columns (antipattern)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:422`.
#
# What the page leaves open:
#
# - `A`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:414
A = np.random.default_rng(0).standard_normal((1000, 1000))

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:422
total = A.sum(axis=0).sum()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
