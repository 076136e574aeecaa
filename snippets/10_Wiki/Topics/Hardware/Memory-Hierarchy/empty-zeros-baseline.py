# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:508; edit the page, not this file.

# %% [markdown]
# # empty instead of zeros (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:508`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:504
x = np.random.default_rng(0).random(1 << 23)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:508
y = np.zeros(1 << 23)
y[:] = x

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
