# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:439; edit the page, not this file.

# %% [markdown]
# # A loop over columns
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:439`.
#
# What the page leaves open:
#
# - `A`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:435
A = np.random.default_rng(0).standard_normal((2000, 2000))

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:439
total = sum(A[i].sum() for i in range(2000))

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:447
assert np.isclose(total, A.sum())
assert A[0].strides == (8,) and A[:, 0].strides == (16_000,)

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
