# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:454; edit the page, not this file.

# %% [markdown]
# # A diagonal as a matrix (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:454`.
#
# What the page leaves open:
#
# - `d`: setup
# - `A`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:446
A, d = torch.randn(512, 512), torch.randn(512)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:454
scaled = torch.diag(d) @ A

# %% result
for _name in ('scaled',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
