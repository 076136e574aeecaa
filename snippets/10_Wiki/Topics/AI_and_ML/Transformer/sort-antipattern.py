# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:546; edit the page, not this file.

# %% [markdown]
# # Sorting to find fifty (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:546`.
#
# What the page leaves open:
#
# - `logits`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:538
logits = torch.randn(8, 32000)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:546
likely = logits.sort(dim=-1, descending=True).values[:, :50]

# %% result
for _name in ('likely',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
