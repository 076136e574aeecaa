# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:400; edit the page, not this file.

# %% [markdown]
# # Blocking what is blocked
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:400`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:391
A = torch.randn(2048, 2048)
B = torch.empty_like(A)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:400
for i in range(0, 2048, 128):
    for j in range(0, 2048, 128):
        B[j:j + 128, i:i + 128] = A[i:i + 128, j:j + 128].T

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:406
assert torch.equal(B, A.T)
