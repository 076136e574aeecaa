# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:287; edit the page, not this file.

# %% [markdown]
# # A non-contiguous matmul
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:287`.
#
# What the page leaves open:
#
# - `packed`: setup
# - `W`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:281
strided = torch.randn(768, 768).T
packed = strided.contiguous()
W = torch.randn(768, 768)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:287
Y = packed @ W

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
