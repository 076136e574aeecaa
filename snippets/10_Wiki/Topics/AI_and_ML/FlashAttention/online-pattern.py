# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:40; edit the page, not this file.

# %% [markdown]
# # The online softmax
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:40`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:40
def part(scores, values):
    top = scores.amax(dim=-1, keepdim=True)
    weights = (scores - top).exp()
    return top, weights.sum(dim=-1, keepdim=True), weights @ values


def merge(one, other):
    top = torch.maximum(one[0], other[0])
    ours, theirs = (one[0] - top).exp(), (other[0] - top).exp()
    return top, one[1] * ours + other[1] * theirs, one[2] * ours + other[2] * theirs


scores, values = 30 * torch.randn(16, 96), torch.randn(96, 8)
left, right = part(scores[:, :32], values[:32]), part(scores[:, 32:], values[32:])
_, total, summed = merge(left, right)
output = summed / total  # (16, 8)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:55
assert len(tuple(output.shape)) == 2 and tuple(output.shape) == (16, 8), 'docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:55: output has shape {}, the page says (16, 8)'.format(tuple(output.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:59
from wiki_tools.probes import max_error

exact = scores.double().softmax(dim=-1) @ values.double()
assert max_error(output, exact) < 1e-5
swapped = merge(right, left)
assert max_error(swapped[2] / swapped[1], exact) < 1e-5
middle = part(scores[:, 32:64], values[32:64])
end = part(scores[:, 64:], values[64:])
one, other = merge(merge(left, middle), end), merge(left, merge(middle, end))
assert max_error(one[2] / one[1], other[2] / other[1]) < 1e-5
assert scores.exp().sum().isinf()  # without the maximum it would overflow

# %% result
for _name in ('scores', 'values', 'left', 'right', 'total', 'summed', 'output'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
