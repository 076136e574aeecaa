# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:542; edit the page, not this file.

# %% [markdown]
# # Sorting to find fifty
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:542`.
#
# What the page leaves open:
#
# - `logits`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:538
logits = torch.randn(8, 32000)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:542
likely = logits.topk(50, dim=-1).values  # (8, 50)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:542
assert len(tuple(likely.shape)) == 2 and tuple(likely.shape) == (8, 50), 'docs/10_Wiki/Topics/AI_and_ML/Transformer.md:542: likely has shape {}, the page says (8, 50)'.format(tuple(likely.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:550
assert torch.equal(likely, logits.sort(dim=-1, descending=True).values[:, :50])
assert (likely[:, :-1] >= likely[:, 1:]).all()
assert ((logits >= likely[:, -1:]).sum(dim=-1) == 50).all()

# %% result
for _name in ('likely',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
