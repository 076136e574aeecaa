# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:304; edit the page, not this file.

# %% [markdown]
# # Insisting on fp32
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:304`.
#
# What the page leaves open:
#
# - `network`: setup
# - `features`: setup
#
# The page names a card; this uses one where there is one.

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:299
network = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512)).eval().to(device)
features = torch.randn(512, 512, device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:304
with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16):
    out = network(features)

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
