# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:178; edit the page, not this file.

# %% [markdown]
# # What the algorithm alone gains
#
# From `docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:178`.
#
# What the page leaves open:
#
# - `q`: setup
# - `k`: setup
# - `v`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:169
S = 1024
q, k, v = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:178
top = torch.full_like(q[..., :1], -torch.inf)
out, total = torch.zeros_like(q), torch.zeros_like(top)
for keys, values in zip(k.split(128, -2), v.split(128, -2)):
    scores = q @ keys.transpose(-2, -1) / 64**0.5
    higher = torch.maximum(top, scores.amax(-1, keepdim=True))
    weights, old = (scores - higher).exp(), (top - higher).exp()
    out = out * old + weights @ values
    total = total * old + weights.sum(-1, keepdim=True)
    top = higher
out = out / total

# %% result
for _name in ('top', 'out', 'total'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
