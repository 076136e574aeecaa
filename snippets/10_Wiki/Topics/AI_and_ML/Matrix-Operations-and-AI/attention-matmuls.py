# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:60; edit the page, not this file.

# %% [markdown]
# # Counting attention's matmuls
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:60`.

# %% imports
import torch
from torch import nn

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:60
def attend(q, k, v):
    weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / q.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(weights, v)


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))

    def forward(self, x):
        return self.out(attend(self.q(x), self.k(x), self.v(x)))


layer = Layer(64)
sequence = torch.randn(2, 16, 64)
attended = layer(sequence)  # (2, 16, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:76
assert len(tuple(attended.shape)) == 3 and tuple(attended.shape) == (2, 16, 64), 'docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:76: attended has shape {}, the page says (2, 16, 64)'.format(tuple(attended.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:80
from wiki_tools.probes import calls

assert calls(lambda: attend(sequence, sequence, sequence), "bmm") == 2
assert calls(lambda: layer(sequence), "mm") + calls(lambda: layer(sequence), "bmm") == 6

# %% result
for _name in ('layer', 'sequence', 'attended'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
