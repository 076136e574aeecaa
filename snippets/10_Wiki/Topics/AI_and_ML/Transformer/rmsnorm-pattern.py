# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:398; edit the page, not this file.

# %% [markdown]
# # Pattern 7 — RMSNorm is not faster here
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:398`.
#
# What the page leaves open:
#
# - `rms_norm`: setup
# - `x`: setup
# - `layer_norm`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:387
x = torch.randn(1024, 512, device=device)
x = x - x.mean(dim=-1, keepdim=True)
layer_norm = nn.LayerNorm(512, eps=1e-5).to(device).requires_grad_(False)
rms_norm = nn.RMSNorm(512, eps=1e-5).to(device).requires_grad_(False)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:398
y = rms_norm(x)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:402
from wiki_tools.probes import calls, max_error

root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
assert max_error(y, x / root) < 1e-5
assert calls(lambda: layer_norm(x), "native_layer_norm") == 1
# with a mean they differ
assert max_error(rms_norm(x + 1), layer_norm(x + 1)) > 0.1

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
