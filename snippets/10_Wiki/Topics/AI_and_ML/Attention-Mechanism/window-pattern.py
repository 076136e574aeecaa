# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:329; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — A sliding window, in blocks
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:329`.
#
# What the page leaves open:
#
# - `S`: setup
# - `B`: setup
# - `w`: setup
# - `K`: setup
# - `V`: setup
# - `near`: setup
# - `Q`: setup
# - `attend`: #formula

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:319
S, B, w = 2048, 128, 64
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))
near = torch.ones(S, S, dtype=torch.bool, device=device).tril().triu(1 - w)

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:329
parts = []
for start in range(0, S, B):
    rows, columns = slice(start, start + B), slice(max(0, start - w + 1), start + B)
    keys, values, allowed = K[:, :, columns], V[:, :, columns], near[rows, columns]
    part = F.scaled_dot_product_attention(Q[:, :, rows], keys, values, allowed)
    parts.append(part)
out = torch.cat(parts, dim=2)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:339
from wiki_tools.probes import flops, max_error

assert near.sum(dim=1).tolist() == [min(i + 1, w) for i in range(S)]
assert max_error(out, attend(Q, K, V, near)) < 1e-5
whole = flops(lambda: F.scaled_dot_product_attention(Q, K, V, attn_mask=near))
block = flops(lambda: F.scaled_dot_product_attention(Q[:, :, rows], keys, values))
assert whole / (S // B * block) > 10

# %% result
for _name in ('parts', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
