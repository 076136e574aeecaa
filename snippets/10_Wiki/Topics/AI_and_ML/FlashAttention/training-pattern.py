# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:338; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — A training step
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:338`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `formula`: #same-operations

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:326
S = 1536
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))
for each in (Q, K, V):
    each.requires_grad_()

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:338
out = F.scaled_dot_product_attention(Q, K, V)
gradients = torch.autograd.grad(out.square().sum(), (Q, K, V))

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:343
from wiki_tools.probes import flops, max_error

step = lambda f: torch.autograd.grad(f(Q, K, V).square().sum(), (Q, K, V))
for ours, theirs in zip(gradients, step(formula)):
    assert max_error(ours, theirs) < 1e-5
flash = F.scaled_dot_product_attention
assert 6 * flops(lambda: step(flash)) == 7 * flops(lambda: step(formula))

# %% result
for _name in ('out', 'gradients'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
