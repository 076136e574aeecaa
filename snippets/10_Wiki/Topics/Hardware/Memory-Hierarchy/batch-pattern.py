# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:163; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Read the weights once for many vectors
#
# From `docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:163`.
#
# What the page leaves open:
#
# - `X`: setup
# - `W`: setup
# - `B`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:154
B = 8
W, X = torch.randn(1024, 4096), torch.randn(B, 4096)

# %% pattern: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:163
Y = X @ W.T  # (B, 1024)

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:163
assert len(tuple(Y.shape)) == 2 and tuple(Y.shape) == (tuple(Y.shape)[0], 1024), 'docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:163: Y has shape {}, the page says (B, 1024)'.format(tuple(Y.shape)); B_ = tuple(Y.shape)[0]

# %% check: docs/10_Wiki/Topics/Hardware/Memory-Hierarchy.md:169
from wiki_tools.probes import bound, bytes_moved, flops, max_error

assert flops(lambda: X @ W.T) == flops(lambda: [W @ x for x in X]) == 2 * B * 1024 * 4096
assert bytes_moved(lambda: X @ W.T) == 4 * (1024 * 4096 + B * 4096 + B * 1024)
assert bytes_moved(lambda: [W @ x for x in X]) == 4 * B * (1024 * 4096 + 4096 + 1024)
assert bound(lambda: W @ X[0]) == "memory"
assert max_error(Y, torch.stack([W @ x for x in X])) < 1e-2

# %% result
for _name in ('Y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
