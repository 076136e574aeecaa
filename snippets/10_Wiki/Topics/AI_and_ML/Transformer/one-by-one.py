# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:494; edit the page, not this file.

# %% [markdown]
# # One request at a time
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:494`.
#
# What the page leaves open:
#
# - `mlp`: setup
# - `tokens`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:488
mlp = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512))
mlp = mlp.to(device).requires_grad_(False)
tokens = torch.randn(16, 512, device=device)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:494
y = mlp(tokens)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:502
from wiki_tools.probes import bytes_moved, flops, max_error

assert max_error(y[5], mlp(tokens[5])) < 1e-5
assert flops(lambda: mlp(tokens)) == 16 * flops(lambda: mlp(tokens[:1]))
assert bytes_moved(lambda: mlp(tokens)) < 1.2 * bytes_moved(lambda: mlp(tokens[:1]))

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
