# /// script
# requires-python = ">=3.11"
# dependencies = ["torch"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:209; edit the page, not this file.

# %% [markdown]
# # Pattern 2 — Compute both sides and select
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:209`.
#
# What the page leaves open:
#
# - `rare`: setup
# - `x`: setup
# - `PERCENT`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:198
PERCENT = 50
x = torch.rand(1 << 19, device=device)
rare = x < PERCENT / 100

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:209
y = torch.where(rare, torch.exp(-x), x)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:215
assert torch.equal(y[~rare], x[~rare])
assert torch.allclose(y[rare], torch.exp(-x[rare]))
assert abs(rare.float().mean() - PERCENT / 100) < 0.01
z = torch.tensor([0.0, 4.0], requires_grad=True)
torch.where(z > 0, z.sqrt(), z).sum().backward()
assert torch.isnan(z.grad).tolist() == [True, False]

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
