# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:103; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — A loss takes logits
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:103`.
#
# What the page leaves open:
#
# - `logits`: setup
# - `targets`: setup

# %% imports
import torch
import torch.nn.functional as F
import math

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:95
logits, targets = torch.randn(2048, 1000), torch.randint(1000, (2048,))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:103
loss = F.cross_entropy(logits, targets)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:109
def gradient(loss):
    sure = torch.tensor([[200.0, 0.0]], requires_grad=True)
    value = loss(sure, torch.tensor([1]))
    value.backward()
    return value.item(), sure.grad


assert abs(loss - math.log(1000)) < 1
value, slope = gradient(F.cross_entropy)
assert value == 200 and torch.equal(slope, torch.tensor([[1.0, -1.0]]))
value, slope = gradient(lambda x, y: F.nll_loss(torch.log(torch.softmax(x, dim=1)), y))
assert value == math.inf and slope.isnan().any()

# %% result
for _name in ('loss',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
