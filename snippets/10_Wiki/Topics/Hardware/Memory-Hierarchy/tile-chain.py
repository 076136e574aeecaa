# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:197; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Run a chain of operations block by block
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:197`.
#
# What the page leaves open:
#
# - `x`: setup
# - `BLOCK`: setup
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

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:197
for i in range(0, x.size, BLOCK):
    out[i:i + BLOCK] = squash(x[i:i + BLOCK])

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:209
from wiki_tools.probes import max_error

assert max_error(out, x / np.sqrt(x * x + 1)) == 0
assert 0.9 < abs(out).max() <= 1
