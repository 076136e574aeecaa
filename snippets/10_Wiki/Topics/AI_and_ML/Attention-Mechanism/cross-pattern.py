# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:396; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — Cross-attention: make keys and values once
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:396`.
#
# What the page leaves open:
#
# - `q`: setup
# - `k`: setup
# - `v`: setup
# - `attend`: #formula
# - `to_keys`: setup
# - `source`: setup
# - `to_values`: setup

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:381
source = torch.randn(1, 256, 512, device=device)
to_keys, to_values = nn.Linear(512, 512).to(device), nn.Linear(512, 512).to(device)
split = lambda x: x.view(1, -1, 8, 64).transpose(1, 2)
q = torch.randn(1, 8, 1, 64, device=device)
with torch.no_grad():
    k, v = split(to_keys(source)), split(to_values(source))

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:396
with torch.no_grad():
    out = F.scaled_dot_product_attention(q, k, v)  # (1, 8, 1, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:397
assert len(tuple(out.shape)) == 4 and tuple(out.shape) == (1, 8, 1, 64), 'docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:397: out has shape {}, the page says (1, 8, 1, 64)'.format(tuple(out.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:401
from wiki_tools.probes import flops, max_error

assert max_error(out, attend(q, k, v)) < 1e-5
asking = flops(lambda: F.scaled_dot_product_attention(q, k, v))
making = flops(lambda: (to_keys(source), to_values(source)))
assert asking == 4 * 256 * 512 and making == 4 * 256 * 512**2
assert making == 512 * asking

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
