# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:125; edit the page, not this file.

# %% [markdown]
# # Divergence: warps that take both branches
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:125`.

# %% imports
import numpy as np

np.random.seed(0)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:125
taken = np.random.default_rng(0).random((1 << 15, 32)) < 0.1
agree = taken.all(axis=1) | ~taken.any(axis=1)
grouped = np.sort(taken.ravel()).reshape(-1, 32)
split = ~(grouped.all(axis=1) | ~grouped.any(axis=1))

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:132
assert abs((1 - agree.mean()) - (1 - 0.1**32 - 0.9**32)) < 0.01
assert (1 - agree.mean()) > 0.95
assert taken.shape == (1 << 15, 32) and 0.09 < taken.mean() < 0.11
assert split.sum() <= 1 and grouped.sum() == taken.sum()

# %% result
for _name in ('taken', 'agree', 'grouped', 'split'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
