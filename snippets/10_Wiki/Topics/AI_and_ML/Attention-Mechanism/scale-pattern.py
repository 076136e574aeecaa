# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:94; edit the page, not this file.

# %% [markdown]
# # Why divide by √d
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:94`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:94
d = 256
q, k = torch.randn(256, d), torch.randn(512, d)
raw = q @ k.T  # (256, 512)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:96
assert len(tuple(raw.shape)) == 2 and tuple(raw.shape) == (256, 512), 'docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:96: raw has shape {}, the page says (256, 512)'.format(tuple(raw.shape))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:97
scaled = raw / d**0.5
hard, soft = raw.softmax(dim=-1), scaled.softmax(dim=-1)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:102
assert 0.9 < raw.var() / d < 1.1
assert 0.9 < scaled.var() < 1.1
assert hard.amax(dim=-1).mean() > 0.75  # one key of 512 takes nearly everything
assert soft.amax(dim=-1).mean() < 0.1
slopes = [(p * (1 - p)).sum(dim=-1).mean() for p in (soft, hard)]
assert slopes[0] > 3 * slopes[1]

# %% result
for _name in ('d', 'q', 'k', 'raw', 'scaled', 'hard', 'soft'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
