# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:425; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — The fast path of TransformerEncoderLayer (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:425`.
#
# What the page leaves open:
#
# - `encoder`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:418
x = torch.randn(1, 128, 256, device=device)
how = dict(activation="gelu", batch_first=True)
encoder = nn.TransformerEncoderLayer(256, 4, 1024, **how)
encoder = encoder.to(device).eval().requires_grad_(False)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:425
torch.backends.mha.set_fastpath_enabled(False)
y = encoder(x)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
