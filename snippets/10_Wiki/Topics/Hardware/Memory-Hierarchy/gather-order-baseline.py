# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:134; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Gather in the order of the indices (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:134`.
#
# What the page leaves open:
#
# - `table`: setup
# - `picks`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:127
N = 1_048_576
table = np.arange(N)
picks = np.random.default_rng(0).integers(0, N, 1 << 20)
in_order = np.sort(picks)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:134
total = table[picks].sum()

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
