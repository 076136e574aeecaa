# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:474; edit the page, not this file.

# %% [markdown]
# # A Kronecker product, built (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:474`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup
# - `X`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:466
A, B, X = torch.randn(48, 48), torch.randn(48, 48), torch.randn(48, 48)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:474
y = torch.kron(A, B) @ X.flatten()

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
