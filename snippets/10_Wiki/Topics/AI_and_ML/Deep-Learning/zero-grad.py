# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:561; edit the page, not this file.

# %% [markdown]
# # Gradients that nobody clears
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:561`.

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:561
layer, x = nn.Linear(16, 1), torch.randn(32, 16)
layer(x).mean().backward()
once = layer.weight.grad.clone()
layer(x).mean().backward()
twice = layer.weight.grad

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:569
assert torch.allclose(twice, 2 * once)
assert torch.allclose(once, x.mean(0, keepdim=True), atol=1e-6)
layer.zero_grad()
for half in x.chunk(2):
    (layer(half).mean() / 2).backward()
assert torch.allclose(layer.weight.grad, once, atol=1e-6)

# %% result
for _name in ('layer', 'x', 'once', 'twice'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
