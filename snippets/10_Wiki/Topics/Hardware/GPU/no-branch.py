# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:475; edit the page, not this file.

# %% [markdown]
# # Arithmetic does not
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:475`.
#
# What the page leaves open:
#
# - `mixed`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:467
mixed = np.random.default_rng(0).standard_normal(1 << 19)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:475
total = np.maximum(mixed, 0).sum()

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:479
assert np.array_equal(np.maximum(mixed, 0), np.where(mixed > 0, mixed, 0))
assert total == np.maximum(mixed, 0).sum() > 0

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
