# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:539; edit the page, not this file.

# %% [markdown]
# # A detour over NumPy
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:539`.
#
# What the page leaves open:
#
# - `x`: setup

# %% imports
import torch
import numpy as np

torch.manual_seed(0)
np.random.seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/Hardware/GPU.md:535
x = torch.randn(1 << 18, device=device)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:539
y = x.square()

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:547
from wiki_tools.probes import max_error

assert max_error(y, torch.from_numpy(np.square(x.cpu().numpy()))) == 0
if x.device.type == "cpu":
    assert x.cpu().data_ptr() == x.numpy().ctypes.data == x.data_ptr()

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
