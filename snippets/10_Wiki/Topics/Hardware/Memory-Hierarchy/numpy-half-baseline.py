# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:485; edit the page, not this file.

# %% [markdown]
# # Half precision in NumPy (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:485`.
#
# What the page leaves open:
#
# - `a`: setup
# - `b`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:480
a, b = np.random.default_rng(0).integers(0, 100, (2, 1 << 20)).astype(np.float32)
half_a, half_b = a.astype(np.float16), b.astype(np.float16)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:485
c = a + b
head = c[:8].astype(np.float32)

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
