# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:366; edit the page, not this file.

# %% [markdown]
# # Numbers too small to be normal
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:366`.
#
# What the page leaves open:
#
# - `h`: setup
# - `W`: setup
# - `faded`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:361
W, h = torch.randn(256, 256), torch.randn(32, 256)
faded = h * 2.0**-127

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:366
out = h @ W  # (32, 256)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:366
assert len(tuple(out.shape)) == 2 and tuple(out.shape) == (32, 256), 'docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:366: out has shape {}, the page says (32, 256)'.format(tuple(out.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:376
tiny = torch.finfo(torch.float32).tiny
assert 0 < faded.abs().max() < 8 * tiny and faded.abs().median() < tiny
assert (h * 2.0**-100).abs().median() > tiny
if torch.set_flush_denormal(True):
    flushed = torch.full((4,), tiny) / 2
    torch.set_flush_denormal(False)
    assert flushed.count_nonzero() == 0

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
