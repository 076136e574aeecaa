# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:121; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Mind the broadcasting
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:121`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:121
a = torch.randn(32, 1, 128)
b = torch.randn(1, 64, 128)
c = a + b  # (32, 64, 128) — a silent bug when the shapes do not match

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:123
assert len(tuple(c.shape)) == 3 and tuple(c.shape) == (32, 64, 128), 'docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:123: c has shape {}, the page says (32, 64, 128)'.format(tuple(c.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:129
prediction, target = torch.arange(4.0).reshape(4, 1), torch.arange(4.0)
assert (prediction - target).shape == (4, 4)
assert (prediction - target).square().mean() == 2.5
assert (prediction.squeeze(1) - target).square().mean() == 0

# %% result
for _name in ('a', 'b', 'c'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
