# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:165; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — An initialization that keeps the scale
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:165`.

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:165
def signal(gain, depth=60, width=256):
    h = torch.randn(64, width)
    for _ in range(depth):
        weights = torch.randn(width, width) * gain * (2 / width) ** 0.5
        h = F.relu(h @ weights)
    return h


h = signal(gain=1.0)  # (64, 256)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:173
assert len(tuple(h.shape)) == 2 and tuple(h.shape) == (64, 256), 'docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:173: h has shape {}, the page says (64, 256)'.format(tuple(h.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:177
assert 0.01 < h.std() < 100
assert 0 < signal(gain=0.2).max() < torch.finfo(torch.float32).tiny
assert not signal(gain=5.0).isfinite().all()
assert abs(nn.Linear(256, 256).weight.var() / (2 / 256) - 1 / 6) < 0.01

# %% result
for _name in ('h',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
