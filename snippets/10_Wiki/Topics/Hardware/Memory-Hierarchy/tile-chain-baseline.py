# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:193; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Run a chain of operations block by block (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:193`.
#
# What the page leaves open:
#
# - `squash`: setup
# - `x`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:183
BLOCK = 32_768
x = np.random.default_rng(0).standard_normal(1 << 23, dtype=np.float32)
out = np.empty_like(x)


def squash(x):
    return x / np.sqrt(x * x + 1)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:193
out = squash(x)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
