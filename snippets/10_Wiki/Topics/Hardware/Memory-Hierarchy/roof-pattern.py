# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:46; edit the page, not this file.

# %% [markdown]
# # The roof over four operations
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:46`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:46
N = 1024
a, b = torch.randn(N, N), torch.randn(N, N)
v = torch.randn(N)
product = a @ b  # (1024, 1024)

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:49
assert len(tuple(product.shape)) == 2 and tuple(product.shape) == (1024, 1024), 'docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:49: product has shape {}, the page says (1024, 1024)'.format(tuple(product.shape))

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:53
from wiki_tools.probes import bound, bytes_moved, intensity, max_error, operations

assert intensity(lambda: a + b) == 1 / 12
assert intensity(lambda: torch.softmax(a, dim=-1)) == 5 / 8
assert operations(lambda: a @ v) == 2 * N * N
assert bytes_moved(lambda: a @ v) == 4 * (N * N + 2 * N)
assert intensity(lambda: a @ b) == N / 6
for needy in (lambda: a + b, lambda: torch.softmax(a, dim=-1), lambda: a @ v):
    assert bound(needy) == "memory"
assert bound(lambda: a @ b) == "compute"
assert max_error(product[:, 7], a @ b[:, 7]) < 1e-3

# %% result
for _name in ('N', 'a', 'b', 'v', 'product'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
