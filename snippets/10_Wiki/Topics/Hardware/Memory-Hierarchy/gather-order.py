# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:138; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Gather in the order of the indices
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:138`.
#
# What the page leaves open:
#
# - `table`: setup
# - `in_order`: setup
# - `picks`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:127
N = 1_048_576
table = np.arange(N)
picks = np.random.default_rng(0).integers(0, N, 1 << 20)
in_order = np.sort(picks)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:138
total = table[in_order].sum()

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:144
assert total == table[picks].sum() == picks.sum()
assert np.array_equal(np.bincount(picks), np.bincount(in_order))
assert not np.array_equal(picks, in_order)

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
