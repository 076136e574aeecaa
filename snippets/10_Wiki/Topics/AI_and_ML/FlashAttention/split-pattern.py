# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:367; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — One query, many keys: cut the keys
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:367`.
#
# What the page leaves open:
#
# - `K`: setup
# - `S`: setup
# - `V`: setup
# - `q`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:357
S = 4096
q = torch.randn(1, 4, 1, 64, device=device)
K, V = torch.randn(2, 1, 4, S, 64, device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:367
keys, values = K.view(1, 4, 8, S // 8, 64), V.view(1, 4, 8, S // 8, 64)
scores = q.unsqueeze(2) @ keys.transpose(-2, -1) * 64**-0.5
L = scores.logsumexp(dim=-1, keepdim=True)
pieces = (scores - L).exp() @ values  # (1, 4, 8, 1, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:370
assert len(tuple(pieces.shape)) == 5 and tuple(pieces.shape) == (1, 4, 8, 1, 64), 'docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:370: pieces has shape {}, the page says (1, 4, 8, 1, 64)'.format(tuple(pieces.shape))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:371
out = (pieces * L.softmax(dim=2)).sum(dim=2)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:375
from wiki_tools.probes import max_error

assert max_error(out, F.scaled_dot_product_attention(q, K, V)) < 2e-6
third = F.scaled_dot_product_attention(q, keys[:, :, 3], values[:, :, 3])
assert max_error(pieces[:, :, 3], third) < 2e-6

# %% result
for _name in ('keys', 'values', 'scores', 'L', 'pieces', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
