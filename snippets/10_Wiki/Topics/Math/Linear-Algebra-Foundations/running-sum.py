# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:508; edit the page, not this file.

# %% [markdown]
# # A running sum in float32
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:508`.
#
# What the page leaves open:
#
# - `values`: setup
# - `np`: setup

# %% imports
import torch
import numpy as np

torch.manual_seed(0)
np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:502
import numpy as np

values = np.random.default_rng(0).random(1_000_000, dtype=np.float32)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:508
total = values.sum()

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:518
columns = np.random.default_rng(1).random((500_000, 4), dtype=np.float32)
exact = columns.sum(axis=0, dtype=np.float64)


def off(found):
    return float(np.abs(found / exact - 1).max())


assert off(np.ascontiguousarray(columns.T).sum(axis=1)) < 5e-7
assert off(columns.sum(axis=0)) > 2e-6
assert off(torch.from_numpy(columns).sum(0).numpy()) < 1e-6
assert abs(np.cumsum(values)[-1] / values.sum(dtype=np.float64) - 1) > 2e-6

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
