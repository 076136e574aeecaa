# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:410; edit the page, not this file.

# %% [markdown]
# # A Python loop over small systems
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:410`.
#
# What the page leaves open:
#
# - `A`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:405
A = torch.randn(512, 8, 8) + 8 * torch.eye(8)
b = torch.randn(512, 8)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:410
x = torch.linalg.solve(A, b)  # (512, 8)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:410
assert len(tuple(x.shape)) == 2 and tuple(x.shape) == (512, 8), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:410: x has shape {}, the page says (512, 8)'.format(tuple(x.shape))

# %% result
for _name in ('x',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
