# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77; edit the page, not this file.

# %% [markdown]
# # Exact, and with no operation less
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77`.

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:84
assert len(tuple(written.shape)) == 4 and tuple(written.shape) == (1, 4, 256, 32), 'docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:84: written has shape {}, the page says (1, 4, 256, 32)'.format(tuple(written.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:88
from wiki_tools.probes import flops, max_error

flash = F.scaled_dot_product_attention
exact = formula(q.double(), k.double(), v.double())
assert max_error(written, exact) < 2e-6 and max_error(flash(q, k, v), exact) < 2e-6
product = 2 * heads * length**2 * depth
for f in (formula, flash):
    assert flops(lambda: f(q, k, v)) == 2 * product
train = lambda f: torch.autograd.grad(f(q, k, v).sum(), (q, k, v))
assert flops(lambda: train(formula)) == (2 + 4) * product
assert flops(lambda: train(flash)) == (2 + 5) * product

# %% result
for _name in ('heads', 'length', 'depth', 'shape', 'q', 'k', 'v', 'written'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
