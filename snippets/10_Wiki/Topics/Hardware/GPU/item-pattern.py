# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:513; edit the page, not this file.

# %% [markdown]
# # A value at every step
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:513`.
#
# What the page leaves open:
#
# - `device`: run
# - `batches`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:509
batches = torch.randint(0, 4, (50, 4096), device=device).float()

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:513
total = torch.zeros((), device=device)
for batch in batches:
    total += batch.square().mean()
total = total.item()

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:526
assert total == batches.square().mean(dim=1).sum().item()
assert 50 * 3.3 < total < 50 * 3.7

# %% result
for _name in ('total',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
