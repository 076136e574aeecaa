# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:453; edit the page, not this file.

# %% [markdown]
# # One query at a time
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:453`.
#
# What the page leaves open:
#
# - `attend`: #formula
# - `Q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:448
S = 256
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:453
out = attend(Q, K, V)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:461
from wiki_tools.probes import max_error

assert max_error(out, F.scaled_dot_product_attention(Q, K, V)) < 1e-5

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
