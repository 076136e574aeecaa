# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:58; edit the page, not this file.

# %% [markdown]
# # Half the matrix, half the operations
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:58`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:58
def lu(A):
    """Gaussian elimination without pivots: L below the diagonal, U on it and above."""
    packed = A.clone()
    for k in range(len(A) - 1):
        packed[k + 1 :, k] /= packed[k, k]
        packed[k + 1 :, k + 1 :] -= packed[k + 1 :, k : k + 1] @ packed[k : k + 1, k + 1 :]
    return packed


def cholesky(A):
    L = torch.zeros_like(A)
    for k in range(len(A)):
        column = A[k:, k] - L[k:, :k] @ L[k, :k]
        L[k:, k] = column / column[0].sqrt()
    return L


half = torch.randn(64, 64, dtype=torch.float64)
S = half @ half.T + 64 * torch.eye(64, dtype=torch.float64)
packed, L = lu(S), cholesky(S)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:81
from wiki_tools.probes import flops

n, eye = 64, torch.eye(64, dtype=torch.float64)
assert torch.allclose((packed.tril(-1) + eye) @ packed.triu(), S)
assert torch.allclose(L @ L.T, S) and torch.equal(L, L.tril())
assert flops(lambda: lu(S)) == n * (n - 1) * (2 * n - 1) / 3
assert flops(lambda: cholesky(S)) == (n**3 - n) / 3

# %% result
for _name in ('half', 'S', 'packed', 'L'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
