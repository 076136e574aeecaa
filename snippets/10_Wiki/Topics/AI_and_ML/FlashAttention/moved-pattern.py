# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:106; edit the page, not this file.

# %% [markdown]
# # What moves
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:106`.
#
# What the page leaves open:
#
# - `formula`: #same-operations

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:106
S = 1024
Q, K, V = (torch.randn(1, 4, S, 64) for _ in range(3))
table = 4 * S * S * 4  # bytes of all heads' scores
fused = F.scaled_dot_product_attention(Q, K, V)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:113
from wiki_tools.probes import bytes_moved, growth, intensity


def moved_by(f, n):
    return bytes_moved(lambda: f(Q[:, :, :n], K[:, :, :n], V[:, :, :n]))


assert 1.9 < growth(lambda n: moved_by(formula, n), 512, 1024) < 2
flash = F.scaled_dot_product_attention
assert growth(lambda n: moved_by(flash, n), 512, 1024) < 1.1
assert moved_by(formula, S) == 6 * table + 4 * Q.nbytes
assert 4 * Q.nbytes <= moved_by(flash, S) < 4.1 * Q.nbytes
by_flash = intensity(lambda: flash(Q, K, V))
assert by_flash > 8 * intensity(lambda: formula(Q, K, V))

# %% result
for _name in ('S', 'Q', 'K', 'V', 'table', 'fused'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
