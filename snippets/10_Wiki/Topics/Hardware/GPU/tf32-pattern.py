# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:326; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Let float32 products use the tensor cores
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:326`.
#
# What the page leaves open:
#
# - `left`: setup
# - `right`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:321
left = torch.randn(1024, 1024, device=device)
right = torch.randn(1024, 1024, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:326
torch.set_float32_matmul_precision('high')
product = left @ right  # (1024, 1024)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:327
assert len(tuple(product.shape)) == 2 and tuple(product.shape) == (1024, 1024), 'docs/10_Wiki/Topics/Hardware/GPU.md:327: product has shape {}, the page says (1024, 1024)'.format(tuple(product.shape))

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:331
from wiki_tools.probes import max_error

assert torch.get_float32_matmul_precision() == 'high'
assert max_error(product, left.double() @ right.double()) < 0.5

# %% result
for _name in ('product',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
