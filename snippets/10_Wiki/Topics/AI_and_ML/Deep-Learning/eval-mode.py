# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:532; edit the page, not this file.

# %% [markdown]
# # Training mode at inference
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:532`.

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:532
normed = nn.BatchNorm1d(8)
sample, others = torch.randn(1, 8), torch.randn(15, 8)
with torch.no_grad():
    alone = normed(torch.cat([sample, others]))[0]
    elsewhere = normed(torch.cat([sample, 3 * others]))[0]

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:540
def normalized(neighbours):
    batch = torch.cat([sample, neighbours])
    return (batch[0] - batch.mean(0)) / batch.std(0, unbiased=False)


assert sample.shape == (1, 8) and not torch.allclose(alone, elsewhere, atol=0.1)
assert torch.allclose(alone, normalized(others), atol=1e-3)
assert torch.allclose(elsewhere, normalized(3 * others), atol=1e-3)
normed.eval()
calm = normed(torch.cat([sample, others]))[0]
assert torch.allclose(calm, normed(torch.cat([sample, 3 * others]))[0])
dropped = nn.Dropout(0.5)(torch.ones(1000))
assert 300 < dropped.count_nonzero() < 700 and dropped.max() == 2
assert torch.equal(nn.Dropout(0.5).eval()(torch.ones(1000)), torch.ones(1000))

# %% result
for _name in ('normed', 'sample', 'others', 'alone', 'elsewhere'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
