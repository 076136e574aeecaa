# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Roofline.md:170; edit the page, not this file.

# %% [markdown]
# # Fusing moves to the right as well
#
# From `docs/10_Wiki/Labs/Roofline.md:170`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Roofline.md:160
x = torch.randn(1 << 23, device=device)

# %% pattern: docs/10_Wiki/Labs/Roofline.md:170
y = torch.empty_like(x)
for part, into in zip(x.split(1 << 15), y.split(1 << 15)):
    torch.mul(part, 0.5, out=into).add_(1)
    for _ in range(3):
        into.mul_(0.5).add_(1)

# %% check: docs/10_Wiki/Labs/Roofline.md:178
assert torch.allclose(y[:5], x[:5] / 16 + 2 - 1 / 8)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
