# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:204; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Run a chain of operations block by block (antipattern)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:204`.
#
# What the page leaves open:
#
# - `x`: setup
# - `squash`: setup
# - `out`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:183
BLOCK = 32_768
x = np.random.default_rng(0).standard_normal(1 << 23, dtype=np.float32)
out = np.empty_like(x)


def squash(x):
    return x / np.sqrt(x * x + 1)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:204
for i in range(0, x.size, 256):
    out[i:i + 256] = squash(x[i:i + 256])
