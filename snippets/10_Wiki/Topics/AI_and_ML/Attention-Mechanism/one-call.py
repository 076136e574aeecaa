# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:146; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — One call in place of the formula
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:146`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `attend`: #formula
# - `S`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:135
S = 1536
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

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:146
out = F.scaled_dot_product_attention(Q, K, V)  # (1, 4, 1536, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:146
assert len(tuple(out.shape)) == 4 and tuple(out.shape) == (1, 4, 1536, 64), 'docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:146: out has shape {}, the page says (1, 4, 1536, 64)'.format(tuple(out.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:150
from wiki_tools.probes import max_error, peak_memory

exact = attend(Q.double(), K.double(), V.double())
assert max_error(out, exact) < 1e-5
table = 4 * S * S * 4  # heads, queries, keys, bytes
assert peak_memory(lambda: attend(Q, K, V)) > 2 * table
assert peak_memory(lambda: F.scaled_dot_product_attention(Q, K, V)) < table

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
