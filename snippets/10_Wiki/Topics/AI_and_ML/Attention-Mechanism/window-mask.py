# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:364; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — A window's mask is not a window
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:364`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `near`: setup
# - `w`: setup
# - `attend`: #formula
# - `causal`: setup
# - `S`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:353
S, w = 1024, 64
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))
causal = torch.ones(S, S, dtype=torch.bool, device=device).tril()
near = causal.triu(1 - w)

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:364
first = F.scaled_dot_product_attention(Q, K, V, attn_mask=near)[:, :, :w]

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:368
from wiki_tools.probes import flops, max_error

assert max_error(first, attend(Q, K, V, near)[:, :, :w]) < 1e-5
assert causal.sum() / near.sum() > 8  # so much fewer scores are wanted
under = lambda mask: flops(lambda: F.scaled_dot_product_attention(Q, K, V, mask))
assert under(near) == under(causal) == 4 * 4 * S * S * 64

# %% result
for _name in ('first',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
