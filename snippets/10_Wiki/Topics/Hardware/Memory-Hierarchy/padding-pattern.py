# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:312; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — Leave a gap after a power of two
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:312`.
#
# What the page leaves open:
#
# - `padded`: setup
# - `tight`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:302
tight = np.random.default_rng(0).standard_normal((1024, 4096), dtype=np.float32)
padded = np.zeros((1024, 4096 + 16), dtype=np.float32)[:, :4096]
padded[:] = tight

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:312
sums = np.array([padded[:, j].sum() for j in range(256)])

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:318
def sets(matrix):
    return {row * matrix.strides[0] // 64 % 64 for row in range(1024)}


assert len(sets(tight)) == 1
assert len(sets(padded)) == 64
assert np.array_equal(tight, padded)
assert np.allclose(sums, tight[:, :256].sum(axis=0), atol=1e-2)

# %% result
for _name in ('sums',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
