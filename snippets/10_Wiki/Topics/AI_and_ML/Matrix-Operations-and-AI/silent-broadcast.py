# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:313; edit the page, not this file.

# %% [markdown]
# # Broadcasting that was not meant
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:313`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:313
prediction, target = torch.randn(2048, 1), torch.randn(2048)
wrong = (prediction - target).square()  # (2048, 2048)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:314
assert len(tuple(wrong.shape)) == 2 and tuple(wrong.shape) == (2048, 2048), 'docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:314: wrong has shape {}, the page says (2048, 2048)'.format(tuple(wrong.shape))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:315
right = (prediction.squeeze(1) - target).square()

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:319
assert right.shape == (2048,)
assert wrong.numel() == 2048 * right.numel()

# %% result
for _name in ('prediction', 'target', 'wrong', 'right'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
