# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:522; edit the page, not this file.

# %% [markdown]
# # All logits for the next token (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:522`.
#
# What the page leaves open:
#
# - `hidden`: setup
# - `vocabulary`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:514
hidden, vocabulary = torch.randn(1, 128, 256), torch.randn(8000, 256)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:522
following = (hidden @ vocabulary.T)[:, -1]

# %% result
for _name in ('following',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
