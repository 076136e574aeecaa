# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95; edit the page, not this file.

# %% [markdown]
# # The condition number tells how many digits are lost
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95`.

# %% imports
import torch
import math

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:95
def conditioned(rows, columns, kappa):
    """A matrix whose singular values fall from 1 to 1 / kappa."""
    left = torch.linalg.qr(torch.randn(rows, columns, dtype=torch.float64)).Q
    right = torch.linalg.qr(torch.randn(columns, columns, dtype=torch.float64)).Q
    values = torch.logspace(0, -math.log10(kappa), columns, dtype=torch.float64)
    return left * values @ right.T


H = conditioned(64, 64, kappa=1e5)  # (64, 64)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:103
assert len(tuple(H.shape)) == 2 and tuple(H.shape) == (64, 64), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:103: H has shape {}, the page says (64, 64)'.format(tuple(H.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:107
def error_in_float32(kappa):
    matrix, x = conditioned(64, 64, kappa), torch.randn(64, dtype=torch.float64)
    found = torch.linalg.solve(matrix.float(), (matrix @ x).float())
    return float((found - x).norm() / x.norm())


assert abs(torch.linalg.cond(H) / 1e5 - 1) < 1e-3
assert abs(torch.linalg.svdvals(H)[0] - 1) < 1e-9
assert error_in_float32(1e1) < 1e-5
assert 1e-4 < error_in_float32(1e5) < 1e-1

# %% result
for _name in ('H',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
