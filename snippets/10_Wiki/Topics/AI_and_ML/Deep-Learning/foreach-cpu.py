# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:413; edit the page, not this file.

# %% [markdown]
# # foreach on a CPU
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:413`.
#
# What the page leaves open:
#
# - `parameters`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:407
parameters = [torch.randn(512, 512, requires_grad=True) for _ in range(8)]
for p in parameters:
    p.grad = torch.randn(512, 512)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:413
optimizer = torch.optim.Adam(parameters, lr=1e-3, foreach=True)
for _ in range(4):
    optimizer.step()

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:419
assert optimizer.defaults["foreach"] and optimizer.state[parameters[0]]["step"] == 4

# %% result
for _name in ('optimizer',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
