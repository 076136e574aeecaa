# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:490; edit the page, not this file.

# %% [markdown]
# # Half precision in NumPy
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:490`.
#
# What the page leaves open:
#
# - `half_a`: setup
# - `half_b`: setup
# - `a`: setup
# - `b`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:480
a, b = np.random.default_rng(0).integers(0, 100, (2, 1 << 20)).astype(np.float32)
half_a, half_b = a.astype(np.float16), b.astype(np.float16)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:490
c = half_a + half_b
head = c[:8].astype(np.float32)

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:495
assert c.dtype == np.float16 and 2 * half_a.nbytes == a.nbytes
assert np.array_equal(c, a + b) and head.shape == (8,)

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
