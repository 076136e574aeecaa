# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:433; edit the page, not this file.

# %% [markdown]
# # Long rows
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:433`.
#
# What the page leaves open:
#
# - `rows`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:425
rows = torch.randn(2, 1 << 22, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:433
sums = rows.sum(dim=1)  # (2,)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:433
assert len(tuple(sums.shape)) == 1 and tuple(sums.shape) == (2,), 'docs/10_Wiki/Topics/Hardware/GPU.md:433: sums has shape {}, the page says (2,)'.format(tuple(sums.shape))

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:437
assert torch.allclose(sums, torch.stack([row.sum() for row in rows]), atol=0.1)

# %% result
for _name in ('sums',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
