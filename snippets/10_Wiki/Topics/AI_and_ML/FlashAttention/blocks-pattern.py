# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:145; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Block by block, written out
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:145`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `formula`: #same-operations
# - `S`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:136
S = 1024
Q, K, V = (torch.randn(1, 2, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:145
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

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:163
from wiki_tools.probes import bytes_moved, calls, flops, max_error, peak_memory

assert max_error(out, formula(Q.double(), K.double(), V.double())) < 2e-6
assert max_error(out, F.scaled_dot_product_attention(Q, K, V)) < 2e-6
large = 30 * Q  # scores that overflow without the maximum
assert max_error(blockwise(large, K, V), formula(large, K, V)) < 1e-4
keys, values = K[:, :, :1000], V[:, :, :1000]
uneven = blockwise(Q, keys, values, size=96)
assert max_error(uneven, formula(Q, keys, values)) < 2e-6
assert calls(lambda: blockwise(Q, K, V), "bmm") == 2 * (S // 128) ** 2
assert flops(lambda: blockwise(Q, K, V)) == flops(lambda: formula(Q, K, V))
inputs = lambda n: (Q[:, :, :n], K[:, :, :n], V[:, :, :n])
peaks = [peak_memory(lambda: blockwise(*inputs(n))) for n in (512, 1024)]
tables = [peak_memory(lambda: formula(*inputs(n))) for n in (512, 1024)]
assert peaks[1] < 2 * peaks[0] and tables[1] > 3.9 * tables[0]
moved = [bytes_moved(lambda: f(Q, K, V)) for f in (blockwise, formula)]
assert moved[0] > 2 * moved[1]

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
