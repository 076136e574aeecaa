# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:99; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — A loss takes logits (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:99`.
#
# What the page leaves open:
#
# - `logits`: setup
# - `targets`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:95
logits, targets = torch.randn(2048, 1000), torch.randint(1000, (2048,))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:99
loss = F.nll_loss(torch.log(torch.softmax(logits, dim=1)), targets)

# %% result
for _name in ('loss',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
