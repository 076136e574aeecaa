# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:432; edit the page, not this file.

# %% [markdown]
# # Factors that are not thin (antipattern)
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:432`.
#
# What the page leaves open:
#
# - `X`: setup
# - `U`: setup
# - `V`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:422
X = torch.randn(256, 1024)
U, V = torch.randn(1024, 768), torch.randn(768, 1024)
W = U @ V

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:432
Y = X @ U @ V

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
