# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:206; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — The table is slow because it is new
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:206`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `scores`: setup
# - `weights`: setup
# - `V`: setup
# - `attend`: #formula

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:196
S = 1024
Q, K, V = (torch.randn(1, 8, S, 64, device=device) for _ in range(3))
scores, weights = torch.empty(2, 1, 8, S, S, device=device)

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:206
torch.matmul(Q, K.transpose(-2, -1), out=scores)
scores.div_(Q.shape[-1] ** 0.5)
torch.softmax(scores, dim=-1, out=weights)
out = weights @ V

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:213
from wiki_tools.probes import flops, max_error, peak_memory


def reuse():
    torch.matmul(Q, K.transpose(-2, -1), out=scores)
    torch.softmax(scores.div_(Q.shape[-1] ** 0.5), dim=-1, out=weights)
    return weights @ V


assert max_error(out, F.scaled_dot_product_attention(Q, K, V)) < 1e-5
assert max_error(reuse(), out) == 0
assert flops(reuse) == flops(lambda: attend(Q, K, V))
assert scores.nbytes == 32 * 2**20
assert peak_memory(lambda: attend(Q, K, V)) >= 2 * scores.nbytes
assert peak_memory(reuse) < scores.nbytes / 8

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
