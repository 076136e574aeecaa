# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:285; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — A cache with room (baseline)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:285`.
#
# What the page leaves open:
#
# - `K`: setup
# - `new_k`: setup
# - `V`: setup
# - `new_v`: setup
# - `q`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:278
n = 8192
q, new_k, new_v = (torch.randn(1, 8, 1, 64, device=device) for _ in range(3))
K, V = (torch.randn(1, 8, n, 64, device=device) for _ in range(2))
room_k, room_v = (F.pad(t, (0, 0, 0, n)) for t in (K, V))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:285
k, v = torch.cat([K, new_k], dim=2), torch.cat([V, new_v], dim=2)
out = F.scaled_dot_product_attention(q, k, v)

# %% result
for _name in ('k', 'v', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
