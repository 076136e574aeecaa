# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:168; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Put the brackets first
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:168`.
#
# What the page leaves open:
#
# - `A`: setup
# - `B`: setup
# - `v`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:160
A, B, v = torch.randn(1024, 1024), torch.randn(1024, 1024), torch.randn(1024)

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:168
y = A @ (B @ v)  # (1024,)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:168
assert len(tuple(y.shape)) == 1 and tuple(y.shape) == (1024,), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:168: y has shape {}, the page says (1024,)'.format(tuple(y.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:174
from wiki_tools.probes import bound, flops

few, many = flops(lambda: A @ (B @ v)), flops(lambda: A @ B @ v)
assert few == 4 * 1024**2 and many == 2 * 1024**3 + 2 * 1024**2
assert flops(lambda: torch.linalg.multi_dot([A, B, v])) == few
assert bound(lambda: A @ (B @ v)) == "memory"
assert bound(lambda: A @ B @ v) == "compute"

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
