# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:479; edit the page, not this file.

# %% [markdown]
# # A softmax of one's own (antipattern)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:479`.
#
# What the page leaves open:
#
# - `scores`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:471
scores = torch.randn(8, 512, 512, device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:479
shifted = (scores - scores.amax(dim=-1, keepdim=True)).exp()
weights = shifted / shifted.sum(dim=-1, keepdim=True)

# %% result
for _name in ('shifted', 'weights'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
