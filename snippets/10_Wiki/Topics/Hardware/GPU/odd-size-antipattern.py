# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:569; edit the page, not this file.

# %% [markdown]
# # A size of 8193 (antipattern)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:569`.
#
# What the page leaves open:
#
# - `x`: setup
# - `odd`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:559
x = torch.randn(64, 512, device=device).bfloat16()
odd = torch.randn(8193, 512, device=device).bfloat16()
even = F.pad(odd, (0, 0, 0, 63))

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:569
logits = x @ odd.T  # (64, 8193)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:569
assert len(tuple(logits.shape)) == 2 and tuple(logits.shape) == (64, 8193), 'docs/10_Wiki/Topics/Hardware/GPU.md:569: logits has shape {}, the page says (64, 8193)'.format(tuple(logits.shape))

# %% result
for _name in ('logits',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
