# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:369; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — Replay many small launches as one graph (baseline)
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:369`.
#
# What the page leaves open:
#
# - `net`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:364
net = nn.Sequential(*(nn.Linear(64, 64) for _ in range(20))).to(device).eval()
x = torch.randn(8, 64, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:369
with torch.inference_mode():
    y = net(x)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
