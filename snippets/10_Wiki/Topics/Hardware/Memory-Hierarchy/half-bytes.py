# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:280; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Move half the bytes
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:280`.
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

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:270
a, b = torch.randint(0, 100, (2, 1 << 23), dtype=torch.float32)
half_a, half_b = a.bfloat16(), b.bfloat16()

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:280
c = half_a + half_b
head = c[:8].float()

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:289
from wiki_tools.probes import bytes_moved, max_error

assert 2 * bytes_moved(lambda: half_a + half_b) == bytes_moved(lambda: a + b) == 12 * (1 << 23)
assert c.dtype is torch.bfloat16 and head.shape == (8,)
assert max_error(c, a + b) == 0
assert max_error(torch.tensor(257.0).bfloat16(), 257.0) == 1

# %% result
for _name in ('c', 'head'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
