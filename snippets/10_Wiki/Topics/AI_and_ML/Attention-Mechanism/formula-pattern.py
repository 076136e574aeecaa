# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36; edit the page, not this file.

# %% [markdown]
# # The formula, written out
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36`.

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:36
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ v


queries = torch.randn(2, 4, 96, 32)
keys, values = torch.randn(2, 4, 160, 32), torch.randn(2, 4, 160, 32)
attended = attend(queries, keys, values)  # (2, 4, 96, 32)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:45
assert len(tuple(attended.shape)) == 4 and tuple(attended.shape) == (2, 4, 96, 32), 'docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:45: attended has shape {}, the page says (2, 4, 96, 32)'.format(tuple(attended.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:49
from wiki_tools.probes import max_error

fused = F.scaled_dot_product_attention(queries, keys, values)
assert max_error(attended, fused) < 1e-5
assert (attended <= values.amax(dim=2, keepdim=True)).all()
assert (attended >= values.amin(dim=2, keepdim=True)).all()
order = torch.randperm(160)
shuffled = attend(queries, keys[:, :, order], values[:, :, order])
assert max_error(attended, shuffled) < 1e-5
seen = torch.rand(96, 160) < 0.5
seen[:, 0] = True  # a row that may see nothing has no mean
fused = F.scaled_dot_product_attention(queries, keys, values, attn_mask=seen)
assert max_error(attend(queries, keys, values, seen), fused) < 1e-5

# %% result
for _name in ('queries', 'keys', 'values', 'attended'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
