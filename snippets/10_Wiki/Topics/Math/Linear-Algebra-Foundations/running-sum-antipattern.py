# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:512; edit the page, not this file.

# %% [markdown]
# # A running sum in float32 (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:512`.
#
# What the page leaves open:
#
# - `np`: setup
# - `values`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:502
import numpy as np

values = np.random.default_rng(0).random(1_000_000, dtype=np.float32)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:512
total = np.cumsum(values)[-1]

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
