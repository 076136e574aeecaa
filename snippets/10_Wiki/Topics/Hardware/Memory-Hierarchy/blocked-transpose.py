# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:229; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Transpose in squares
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:229`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup

# %% imports
import numpy as np

np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:220
A = np.random.default_rng(0).standard_normal((2048, 2048), dtype=np.float32)
B = np.empty_like(A)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:229
for i in range(0, 2048, 128):
    for j in range(0, 2048, 128):
        B[j:j + 128, i:i + 128] = A[i:i + 128, j:j + 128].T

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:237
assert np.array_equal(B, A.T)
assert B.flags.c_contiguous and B[3, 5] == A[5, 3]
