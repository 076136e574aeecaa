# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:290; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Grouped queries (GQA)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:290`.
#
# What the page leaves open:
#
# - `q`: setup
# - `k`: setup
# - `v`: setup
# - `K`: setup
# - `V`: setup
# - `S`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:277
S = 1024
q = torch.randn(4, 16, 1, 64, device=device)
k, v = torch.randn(2, 4, 2, S, 64, device=device)
K, V = k.repeat_interleave(8, dim=1), v.repeat_interleave(8, dim=1)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:290
grouped = q.view(4, 2, 8, 64)  # 8 heads of a group as 8 rows
out = F.scaled_dot_product_attention(grouped, k, v).view(4, 16, 1, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:302
from wiki_tools.probes import bytes_moved, flops, max_error

assert 8 * (k.nbytes + v.nbytes) == K.nbytes + V.nbytes
built_in = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
assert max_error(out, built_in) < 1e-5
mha = lambda: F.scaled_dot_product_attention(q, K, V)
gqa = lambda: F.scaled_dot_product_attention(grouped, k, v)
# less to read, not less to compute
assert flops(mha) == flops(gqa) == 4 * 4 * 16 * S * 64
assert 7 < bytes_moved(mha) / bytes_moved(gqa) <= 8

# %% result
for _name in ('grouped', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
