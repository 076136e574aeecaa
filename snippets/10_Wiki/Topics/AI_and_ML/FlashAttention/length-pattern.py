# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:242; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — From which length on it pays
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:242`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:237
S = 256
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:242
out = F.scaled_dot_product_attention(Q, K, V)

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:246
from torch.nn.attention import SDPBackend, sdpa_kernel
from wiki_tools.probes import calls, max_error


def on(backend):
    with sdpa_kernel(backend):
        return F.scaled_dot_product_attention(Q, K, V)


flash, maths = SDPBackend.FLASH_ATTENTION, SDPBackend.MATH
assert max_error(on(flash), on(maths)) < 2e-6
assert torch.equal(out, on(flash))
assert calls(lambda: on(maths), "bmm") == 2 and calls(lambda: on(flash), "bmm") == 0

# %% result
for _name in ('out',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
