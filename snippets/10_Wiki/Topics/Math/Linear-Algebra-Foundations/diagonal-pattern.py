# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:450; edit the page, not this file.

# %% [markdown]
# # A diagonal as a matrix
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:450`.
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

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:450
scaled = d[:, None] * A  # (512, 512)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:450
assert len(tuple(scaled.shape)) == 2 and tuple(scaled.shape) == (512, 512), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:450: scaled has shape {}, the page says (512, 512)'.format(tuple(scaled.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:458
assert torch.allclose(scaled, torch.diag(d) @ A)

# %% result
for _name in ('scaled',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
