# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Roofline.md:143; edit the page, not this file.

# %% [markdown]
# # Moving to the right
#
# From `docs/10_Wiki/Labs/Roofline.md:143`.
#
# What the page leaves open:
#
# - `M`: setup
# - `V`: setup
# - `N`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Roofline.md:129
N = 64
M = torch.randn(1024, 1024, device=device)
V = torch.randn(1024, N, device=device)

# %% pattern: docs/10_Wiki/Labs/Roofline.md:143
Y = M @ V

# %% check: docs/10_Wiki/Labs/Roofline.md:147
from wiki_tools.probes import bytes_moved, flops

assert flops(lambda: M @ V) == N * flops(lambda: M @ V[:, 0])
assert bytes_moved(lambda: M @ V) < bytes_moved(lambda: M @ V[:, 0]) * N / 20
assert torch.allclose(M @ V[:, :1], (M @ V)[:, :1], atol=1e-3)

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
