# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:115; edit the page, not this file.

# %% [markdown]
# # Why subtract the maximum
#
# From `docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:115`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:115
scores = torch.tensor([[90.0, 89.0, 0.0]])
plain = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
shifted = (scores - scores.amax(dim=-1, keepdim=True)).exp()
stable = shifted / shifted.sum(dim=-1, keepdim=True)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Attention-Mechanism.md:122
from wiki_tools.probes import max_error

assert plain.isnan().any()
assert torch.tensor([88.0, 89.0]).exp().isinf().tolist() == [False, True]
assert max_error(stable, scores.softmax(dim=-1)) < 1e-7
assert max_error(stable, (scores - 1000).softmax(dim=-1)) < 1e-7

# %% result
for _name in ('scores', 'plain', 'shifted', 'stable'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
