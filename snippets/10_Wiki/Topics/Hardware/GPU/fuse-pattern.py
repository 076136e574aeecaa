# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:240; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Fuse what only passes through
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:240`.
#
# What the page leaves open:
#
# - `swish`: setup
# - `x`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:228
x = torch.randn(1 << 21, device=device)


def swish(x):
    return x * torch.sigmoid(1.5 * x) + 0.1 * x

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:240
@torch.compile
def fused(x):
    return swish(x)


y = fused(x)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:249
from wiki_tools.probes import bytes_moved, max_error

assert bytes_moved(lambda: swish(x)) == (7 + 5) * 4 * (1 << 21)
assert max_error(y, swish(x)) < 1e-4

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
