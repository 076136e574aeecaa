# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:324; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — One product for Q, K and V
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:324`.
#
# What the page leaves open:
#
# - `x`: setup
# - `fused`: setup
# - `to_v`: setup
# - `to_q`: setup

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:313
x = torch.randn(1, 256, 256, device=device)
layers = [nn.Linear(256, 256, bias=False).to(device) for _ in range(3)]
to_q, to_k, to_v = (layer.requires_grad_(False) for layer in layers)
fused = torch.cat([to_q.weight, to_k.weight, to_v.weight])

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:324
q, k, v = F.linear(x, fused).chunk(3, dim=-1)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:328
from wiki_tools.probes import calls, flops, max_error

assert max_error(v, to_v(x)) < 1e-5 and max_error(q, to_q(x)) < 1e-5
assert flops(lambda: F.linear(x, fused)) == 3 * flops(lambda: to_q(x)) == 6 * 256**3
assert calls(lambda: F.linear(x, fused), "matmul") == 1

# %% result
for _name in ('q', 'k', 'v'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
