# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:69; edit the page, not this file.

# %% [markdown]
# # What it costs
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:69`.
#
# What the page leaves open:
#
# - `attend`: #formula

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% context: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:69
width, heads, length = 64, 4, 128  # S = 2W: where both parts cost the same
project = nn.Linear(width, 4 * width, bias=False)
tokens = torch.randn(1, length, width)
split = project(tokens).view(1, length, 4, heads, width // heads)
q, k, v, _ = split.permute(2, 0, 3, 1, 4)
mixed = attend(q, k, v)  # (1, 4, 128, 16)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:74
assert len(tuple(mixed.shape)) == 4 and tuple(mixed.shape) == (1, 4, 128, 16), 'docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:74: mixed has shape {}, the page says (1, 4, 128, 16)'.format(tuple(mixed.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:78
from wiki_tools.probes import flops

fused = lambda: F.scaled_dot_product_attention(q, k, v)
assert flops(lambda: attend(q, k, v)) == 4 * length**2 * width
assert flops(fused) == 4 * length**2 * width
assert flops(lambda: project(tokens)) == 8 * length * width**2
assert flops(lambda: project(tokens)) == flops(lambda: attend(q, k, v))
half = tuple(t[:, :, : length // 2] for t in (q, k, v))
assert flops(lambda: attend(*half)) * 4 == flops(lambda: attend(q, k, v))

# %% result
for _name in ('width', 'heads', 'length', 'project', 'tokens', 'split', 'q', 'k'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
