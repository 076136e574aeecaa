# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:133; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Look at the shapes that meet in the loss
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:133`.
#
# What the page leaves open:
#
# - `prediction`: setup
# - `target`: setup
# - `N`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:128
N = 1024
prediction, target = torch.randn(N, 1), torch.ones(N)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:133
loss = (prediction.squeeze(1) - target).square().mean()

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:143
import warnings

assert torch.isclose(loss, (prediction[:, 0] - target).square().mean())
target = torch.randn(N)
guess = prediction.clone().requires_grad_()
(guess - target).square().mean().backward()
towards_mean = 2 / N * (prediction - target.mean())
assert (prediction - target).shape == (N, N)
assert torch.allclose(guess.grad, towards_mean, atol=1e-6)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    F.mse_loss(prediction, target)
assert "broadcast" in str(caught[0].message)

# %% result
for _name in ('loss',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
