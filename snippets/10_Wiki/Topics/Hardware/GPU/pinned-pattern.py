# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:351; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — Copy from pinned memory
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:351`.
#
# What the page leaves open:
#
# - `pinned`: setup
# - `pageable`: setup
#
# The page names a card; this uses one where there is one.

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:342
pageable = torch.randn(1 << 22)
pinned = torch.empty(1 << 22, pin_memory=torch.cuda.is_available()).copy_(pageable)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:351
there = pinned.to(device, non_blocking=True)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:355
assert torch.equal(there.cpu(), pageable)
assert pinned.is_pinned() == torch.cuda.is_available()

# %% result
for _name in ('there',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
