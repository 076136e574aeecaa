# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:248; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — Causal by a flag
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:248`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `S`: setup
# - `attend`: #formula

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:239
S = 1024
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:248
last = F.scaled_dot_product_attention(Q, K, V, is_causal=True)[:, :, -1]

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:259
from wiki_tools.probes import max_error

triangle = torch.ones(S, S, dtype=torch.bool).tril()
causal = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
assert max_error(causal, attend(Q, K, V, triangle)) < 1e-5
assert max_error(last, attend(Q, K, V)[:, :, -1]) < 1e-5
assert max_error(causal[:, :, 0], V[:, :, 0]) < 1e-6  # the first sees only itself
changed = V.clone()
changed[:, :, -1] += 1
after = F.scaled_dot_product_attention(Q, K, changed, is_causal=True)
assert max_error(causal[:, :, :-1], after[:, :, :-1]) == 0  # nobody sees the future

# %% result
for _name in ('last',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
