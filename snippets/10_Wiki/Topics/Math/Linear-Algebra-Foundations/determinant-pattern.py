# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:486; edit the page, not this file.

# %% [markdown]
# # The determinant as a test for singularity
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:486`.

# %% imports
import torch
import math

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:486
harmless = 0.1 * torch.eye(100)
dangerous = torch.diag(torch.tensor([1e5, 1e-5], dtype=torch.float64))
determinants = torch.linalg.det(harmless), torch.linalg.det(dangerous)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:492
assert determinants[0] == 0 and torch.linalg.cond(harmless) == 1
assert abs(determinants[1] - 1) < 1e-12 and torch.linalg.cond(dangerous) > 9e9
assert abs(torch.linalg.slogdet(harmless).logabsdet - 100 * math.log(0.1)) < 1e-3

# %% result
for _name in ('harmless', 'dangerous', 'determinants'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
