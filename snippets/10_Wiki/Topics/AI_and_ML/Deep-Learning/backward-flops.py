# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:39; edit the page, not this file.

# %% [markdown]
# # Backward is twice forward, by count
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:39`.

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:39
model = nn.Sequential(
    nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
)
x, y = torch.randn(128, 256), torch.randint(10, (128,))
loss = F.cross_entropy(model(x), y)
loss.backward()

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:48
from wiki_tools.probes import calls, flops


def forward():
    return F.cross_entropy(model(x), y)


def step():
    forward().backward()


lowest = 2 * 128 * 256 * 512
assert flops(forward) == 2 * 128 * (256 * 512 + 512 * 512 + 512 * 10)
assert flops(step) == 3 * flops(forward) - lowest
assert calls(forward, "matmul") == 3 and calls(step, "matmul") == 3 + 3 + 2
assert all(p.grad.shape == p.shape for p in model.parameters())

# %% result
for _name in ('model', 'x', 'y', 'loss'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
