# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:359; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — NumPy knows a matrix times its own transpose
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:359`.
#
# What the page leaves open:
#
# - `X`: setup
# - `np`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:348
import numpy as np

X = np.random.default_rng(0).standard_normal((1024, 512))
twin = X.copy()

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:359
G = X.T @ X

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:363
assert G.shape == (512, 512)
assert np.array_equal(G, G.T)
assert np.linalg.eigvalsh(G).min() > 0

# %% result
for _name in ('G',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
