# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:469; edit the page, not this file.

# %% [markdown]
# # Asking for the weights
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:469`.
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

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:464
S = 1536
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:469
out = F.scaled_dot_product_attention(Q, K, V)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:478
from wiki_tools.probes import max_error, peak_memory

assert max_error(out, formula(Q, K, V)) < 2e-6
flash = F.scaled_dot_product_attention
peaks = [peak_memory(lambda: f(Q, K, V)) for f in (formula, flash)]
assert peaks[0] > 10 * peaks[1]

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
