# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:396; edit the page, not this file.

# %% [markdown]
# # Blocking what is blocked (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:396`.
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

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:396
B[:] = A.T
