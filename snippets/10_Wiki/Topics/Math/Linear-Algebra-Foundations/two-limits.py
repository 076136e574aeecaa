# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:37; edit the page, not this file.

# %% [markdown]
# # One product under two limits
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:37`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:37
A, B, v = torch.randn(1024, 1024), torch.randn(1024, 1024), torch.randn(1024)
vector = A @ v  # (1024,)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:38
assert len(tuple(vector.shape)) == 1 and tuple(vector.shape) == (1024,), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:38: vector has shape {}, the page says (1024,)'.format(tuple(vector.shape))

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:39
matrix = A @ B  # (1024, 1024)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:39
assert len(tuple(matrix.shape)) == 2 and tuple(matrix.shape) == (1024, 1024), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:39: matrix has shape {}, the page says (1024, 1024)'.format(tuple(matrix.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:43
from wiki_tools.probes import bound, flops, intensity

assert flops(lambda: A @ B) == 1024 * flops(lambda: A @ v) == 2 * 1024**3
assert abs(intensity(lambda: A @ v) - 1 / 2) < 0.01
assert abs(intensity(lambda: A @ B) - 1024 / 6) < 0.01
assert torch.allclose(matrix[:, 0], A @ B[:, 0], atol=1e-2)
assert bound(lambda: A @ v) == "memory"
assert bound(lambda: A @ B) == "compute"

# %% result
for _name in ('A', 'B', 'v', 'vector', 'matrix'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
