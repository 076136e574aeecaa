# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:221; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Blocks of rows: most of it in one line
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:221`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `formula`: #same-operations
# - `K`: setup
# - `V`: setup
# - `S`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:212
S = 2048
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:221
out = torch.cat([formula(q, K, V) for q in Q.split(128, dim=-2)], dim=-2)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:225
from wiki_tools.probes import flops, max_error

assert max_error(out, F.scaled_dot_product_attention(Q, K, V)) < 2e-6
block, whole = (flops(lambda: formula(q, K, V)) for q in (Q[:, :, :128], Q))
assert block * (S // 128) == whole

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
