# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "triton"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:294; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — A kernel of one's own, a row a block
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:294`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:285
x = torch.randn(4096, 1000, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:294
import triton
import triton.language as tl


@triton.jit
def softmax_rows(out, x, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    values = tl.load(x + row * width + columns, mask=inside, other=-float("inf"))
    e = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * width + columns, e / tl.sum(e, axis=0), mask=inside)


out = torch.empty_like(x)
softmax_rows[(4096,)](out, x, 1000, BLOCK=1024)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:313
assert torch.allclose(out, torch.softmax(x, dim=-1), atol=1e-6)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
