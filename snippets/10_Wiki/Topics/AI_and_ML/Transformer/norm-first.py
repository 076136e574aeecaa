# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:127; edit the page, not this file.

# %% [markdown]
# # Norm first
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:127`.

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:127
def gradients(norm_first, L=96, D=32):
    how = dict(dropout=0.0, batch_first=True, norm_first=norm_first)
    layers = [nn.TransformerEncoderLayer(D, 2, 4 * D, **how) for _ in range(L)]
    h = torch.randn(2, 16, D)
    for one in layers:
        h = one(h)
    (F.layer_norm(h, (D,)) * torch.randn(2, 16, D)).sum().backward()
    return [one.linear1.weight.grad.norm() for one in layers]


before, behind = gradients(True), gradients(False)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:141
assert len(before) == len(behind) == 96
assert before[0] > 1.5 * before[-1]
assert before[0] / before[-1] > 1.5 * behind[0] / behind[-1]

# %% result
for _name in ('before', 'behind'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
