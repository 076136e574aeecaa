# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:269; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Group like with like
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:269`.
#
# What the page leaves open:
#
# - `ordered`: setup
# - `mixed`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:260
mixed = np.random.default_rng(0).standard_normal(1 << 19)
ordered = np.sort(mixed)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:269
total = ordered[ordered > 0].sum()

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:275
assert np.isclose(total, mixed[mixed > 0].sum())
assert np.count_nonzero(np.diff(ordered > 0)) == 1
assert np.count_nonzero(np.diff(mixed > 0)) > 200_000

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
