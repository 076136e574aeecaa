# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:543; edit the page, not this file.

# %% [markdown]
# # Fresh memory for every result
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:543`.
#
# What the page leaves open:
#
# - `a`: setup
# - `b`: setup
# - `c`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:538
a, b = torch.rand(2, 10_000_000)
c = torch.zeros(10_000_000)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:543
c = torch.add(a, b, out=c)

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:551
place = c.data_ptr()
assert torch.add(a, b, out=c).data_ptr() == place != (a + b).data_ptr()
assert torch.equal(c, a + b)

# %% result
for _name in ('c',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
