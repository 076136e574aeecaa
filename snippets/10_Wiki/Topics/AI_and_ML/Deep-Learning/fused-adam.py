# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:196; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — One kernel for the whole optimizer
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:196`.
#
# What the page leaves open:
#
# - `parameters`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:190
parameters = [torch.randn(256, 256, requires_grad=True) for _ in range(16)]
for p in parameters:
    p.grad = torch.randn(256, 256)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:196
optimizer = torch.optim.Adam(parameters, lr=1e-3, fused=True)
for _ in range(10):
    optimizer.step()

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:202
before = [p.detach().clone() for p in parameters]
optimizer.step()
moved = torch.stack([(p - old).abs().max() for p, old in zip(parameters, before)])
assert optimizer.defaults["fused"] and optimizer.state[parameters[0]]["step"] == 11
assert torch.allclose(moved, torch.full((16,), 1e-3), rtol=1e-2)

# %% result
for _name in ('optimizer',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
