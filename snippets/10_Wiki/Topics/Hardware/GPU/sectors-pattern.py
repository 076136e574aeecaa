# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:86; edit the page, not this file.

# %% [markdown]
# # Coalescing: sectors a warp asks for
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:86`.

# %% imports
import numpy as np

np.random.seed(0)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:86
def sectors(stride, offset=0, size=4):
    addresses = (offset + np.arange(32) * stride) * size
    return np.unique(addresses // 32).size


asked = [sectors(stride) for stride in (1, 2, 4, 8, 32)]

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:95
assert asked == [4, 8, 16, 32, 32]
assert sectors(0) == 1
assert sectors(1, offset=1) == 5
assert sectors(1, size=2) == 2 and sectors(1, size=8) == 8

# %% result
for _name in ('asked',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
