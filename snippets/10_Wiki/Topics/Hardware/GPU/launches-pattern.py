# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:180; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — One launch instead of many
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:180`.
#
# What the page leaves open:
#
# - `rows`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:171
WIDTH = 64
rows = torch.randn(128, WIDTH, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:180
sums = rows.sum(dim=1)  # (128,)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:180
assert len(tuple(sums.shape)) == 1 and tuple(sums.shape) == (128,), 'docs/10_Wiki/Topics/Hardware/GPU.md:180: sums has shape {}, the page says (128,)'.format(tuple(sums.shape))

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:186
from wiki_tools.probes import calls, max_error

assert calls(lambda: rows.sum(dim=1), "sum") == 1
assert calls(lambda: [row.sum() for row in rows], "sum") == 128
assert max_error(sums, torch.stack([row.sum() for row in rows])) < 1e-3

# %% result
for _name in ('sums',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
