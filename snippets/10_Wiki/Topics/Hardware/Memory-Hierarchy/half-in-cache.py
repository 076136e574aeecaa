# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:466; edit the page, not this file.

# %% [markdown]
# # Half the bytes, in the cache
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:466`.
#
# What the page leaves open:
#
# - `half_a`: setup
# - `half_b`: setup
# - `a`: setup
# - `b`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:456
a, b = torch.randint(0, 100, (2, 1 << 14)).float()
half_a, half_b = a.bfloat16(), b.bfloat16()

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:466
c = half_a + half_b
head = c[:8].float()

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:471
assert c.dtype is torch.bfloat16 and c.nbytes == 1 << 15
assert torch.equal(c.float(), a + b) and head.shape == (8,)

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
