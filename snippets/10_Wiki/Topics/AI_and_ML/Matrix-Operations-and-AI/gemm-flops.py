# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:37; edit the page, not this file.

# %% [markdown]
# # Counting the operations
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:37`.

# %% imports
import torch

torch.manual_seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:37
M, N, K = 96, 160, 224
left, right = torch.randn(M, K), torch.randn(K, N)
product = left @ right  # (96, 160)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:39
assert len(tuple(product.shape)) == 2 and tuple(product.shape) == (96, 160), 'docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:39: product has shape {}, the page says (96, 160)'.format(tuple(product.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:43
from wiki_tools.probes import flops

assert flops(lambda: left @ right) == 2 * M * N * K

# %% result
for _name in ('M', 'N', 'K', 'left', 'right', 'product'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
