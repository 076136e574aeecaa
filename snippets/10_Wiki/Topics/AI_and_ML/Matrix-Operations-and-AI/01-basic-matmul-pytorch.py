# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:90; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Basic MatMul (PyTorch)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:90`.
#
# The page names a card; this uses one where there is one.

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:90
import torch
A = torch.randn(128, 256, device=device)
B = torch.randn(256, 512, device=device)
C = A @ B  # or torch.matmul(A, B)
# Batched: (B, M, K) @ (B, K, N) -> (B, M, N)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md:98
from wiki_tools.probes import flops, max_error

assert C.shape == (128, 512)
assert flops(lambda: A @ B) == 2 * 128 * 512 * 256
assert max_error(C, torch.stack([row @ B for row in A])) < 1e-3
assert (torch.randn(8, 128, 256) @ torch.randn(8, 256, 512)).shape == (8, 128, 512)

# %% result
for _name in ('A', 'B', 'C'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
