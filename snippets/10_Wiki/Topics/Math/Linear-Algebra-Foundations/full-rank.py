# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:428; edit the page, not this file.

# %% [markdown]
# # Factors that are not thin
#
# From `docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:428`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup
# - `U`: setup
# - `V`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:422
X = torch.randn(256, 1024)
U, V = torch.randn(1024, 768), torch.randn(768, 1024)
W = U @ V

# %% pattern: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:428
Y = X @ W  # (256, 1024)

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:428
assert len(tuple(Y.shape)) == 2 and tuple(Y.shape) == (256, 1024), 'docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:428: Y has shape {}, the page says (256, 1024)'.format(tuple(Y.shape))

# %% check: docs/10_Wiki/Topics/Math/Linear-Algebra-Foundations.md:436
from wiki_tools.probes import flops

assert flops(lambda: X @ U @ V) == 1.5 * flops(lambda: X @ W)

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
