# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:355; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — NumPy knows a matrix times its own transpose (baseline)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:355`.
#
# What the page leaves open:
#
# - `X`: setup
# - `twin`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:348
import numpy as np

X = np.random.default_rng(0).standard_normal((1024, 512))
twin = X.copy()

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:355
G = X.T @ twin

# %% result
for _name in ('G',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
