# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:470; edit the page, not this file.

# %% [markdown]
# # A Kronecker product, built
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:470`.
#
# What the page leaves open:
#
# - `A`: setup
# - `X`: setup
# - `B`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:466
A, B, X = torch.randn(48, 48), torch.randn(48, 48), torch.randn(48, 48)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:470
y = (A @ X @ B.T).flatten()  # (2304,)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:470
assert len(tuple(y.shape)) == 1 and tuple(y.shape) == (2304,), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:470: y has shape {}, the page says (2304,)'.format(tuple(y.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:478
assert torch.allclose(y, torch.kron(A, B) @ X.flatten(), atol=1e-2)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
