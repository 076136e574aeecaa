# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:71; edit the page, not this file.

# %% [markdown]
# # Counting lines instead of bytes
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:71`.

# %% imports
import numpy as np

np.random.seed(0)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:71
table = np.arange(1 << 20)
picks = np.random.default_rng(0).integers(0, table.size, 1 << 18)
in_order = np.sort(picks)
per_line = 64 // table.itemsize
touched = np.unique(picks // per_line).size

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:79
L, M = table.size // per_line, picks.size
assert (L, M, per_line) == (1 << 17, 1 << 18, 8)
assert abs(touched / (L * (1 - (1 - 1 / L) ** M)) - 1) < 0.01
assert np.count_nonzero(np.diff(picks // per_line)) > 0.999 * (M - 1)
assert np.count_nonzero(np.diff(in_order // per_line)) == touched - 1

# %% result
for _name in ('table', 'picks', 'in_order', 'per_line', 'touched'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
