# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:349; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Rotary positions as complex numbers (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:349`.
#
# What the page leaves open:
#
# - `x`: setup
# - `cos`: setup
# - `sin`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:340
S, d = 512, 64
x = torch.randn(1, 8, S, d, device=device)
pair = torch.arange(0, d, 2, device=device, dtype=torch.float64)
angle = torch.outer(torch.arange(S, device=device), 10000.0 ** (-pair / d))
cos, sin = angle.cos().float(), angle.sin().float()
turn = torch.complex(cos, sin)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:349
a, b = x[..., ::2], x[..., 1::2]
rotated = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

# %% result
for _name in ('a', 'b', 'rotated'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
