# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:454; edit the page, not this file.

# %% [markdown]
# # where jumps too
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:454`.
#
# What the page leaves open:
#
# - `ordered`: setup
# - `mixed`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:445
mixed = np.random.default_rng(0).standard_normal(1 << 19)
ordered = np.sort(mixed)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:454
total = np.where(ordered > 0, ordered, 0).sum()

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:458
assert np.isclose(total, mixed[mixed > 0].sum())
assert np.array_equal(np.sort(mixed), ordered)

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
