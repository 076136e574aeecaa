# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:106; edit the page, not this file.

# %% [markdown]
# # Shared memory: threads that queue for a bank
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:106`.

# %% imports
import numpy as np
import math

np.random.seed(0)

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:106
def turns(stride):
    words = np.arange(32) * stride
    return np.bincount(np.unique(words) % 32).max()


queue = {stride: int(turns(stride)) for stride in (1, 2, 31, 32, 33)}

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:115
assert queue == {1: 1, 2: 2, 31: 1, 32: 32, 33: 1}
assert turns(0) == 1
assert all(turns(stride) == math.gcd(stride, 32) for stride in range(1, 65))

# %% result
for _name in ('queue',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
