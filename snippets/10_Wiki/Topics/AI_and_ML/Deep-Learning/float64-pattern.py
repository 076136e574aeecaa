# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:513; edit the page, not this file.

# %% [markdown]
# # float64 by accident
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:513`.
#
# What the page leaves open:
#
# - `x`: setup
# - `W`: setup
# - `x64`: setup

# %% imports
import torch
import numpy as np

torch.manual_seed(0)
np.random.seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:508
x, W = torch.randn(256, 512), torch.randn(512, 512)
x64, W64 = torch.from_numpy(x.numpy().astype("float64")), W.double()

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:513
out = x @ W  # (256, 512)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:513
assert len(tuple(out.shape)) == 2 and tuple(out.shape) == (256, 512), 'docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:513: out has shape {}, the page says (256, 512)'.format(tuple(out.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:521
import numpy as np

assert torch.from_numpy(np.random.default_rng(0).random(3)).dtype is torch.float64
assert x64.nbytes == 2 * x.nbytes

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
