# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:445; edit the page, not this file.

# %% [markdown]
# # Tiny blocks
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:445`.
#
# What the page leaves open:
#
# - `blockwise`: #blocks
# - `Q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:136
S = 1024
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:440
S = 512
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:145
def blockwise(Q, K, V, size=128):
    rows = []
    for q in (Q * Q.shape[-1] ** -0.5).split(size, dim=-2):
        m = q.new_full((*q.shape[:-1], 1), float("-inf"))
        l, o = torch.zeros_like(m), torch.zeros_like(q)
        for k, v in zip(K.split(size, dim=-2), V.split(size, dim=-2)):
            s = q @ k.transpose(-2, -1)
            top = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            p, old = (s - top).exp(), (m - top).exp()
            l, o, m = l * old + p.sum(dim=-1, keepdim=True), o * old + p @ v, top
        rows.append(o / l)
    return torch.cat(rows, dim=-2)


out = blockwise(Q, K, V)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:445
out = blockwise(Q, K, V, size=256)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:453
from wiki_tools.probes import calls, max_error

assert max_error(out, F.scaled_dot_product_attention(Q, K, V)) < 2e-6
assert calls(lambda: blockwise(Q, K, V, size=16), "bmm") == 2 * 32**2

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
