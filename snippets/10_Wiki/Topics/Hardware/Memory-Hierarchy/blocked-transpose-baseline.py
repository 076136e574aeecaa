# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:225; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Transpose in squares (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:225`.
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

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:225
B[:] = A.T
