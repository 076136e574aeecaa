# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:290; edit the page, not this file.

# %% [markdown]
# # Pattern 4 — A cache with room
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:290`.
#
# What the page leaves open:
#
# - `new_k`: setup
# - `new_v`: setup
# - `room_k`: setup
# - `n`: setup
# - `room_v`: setup
# - `q`: setup
# - `K`: setup
# - `V`: setup

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:278
n = 8192
q, new_k, new_v = (torch.randn(1, 8, 1, 64, device=device) for _ in range(3))
K, V = (torch.randn(1, 8, n, 64, device=device) for _ in range(2))
room_k, room_v = (F.pad(t, (0, 0, 0, n)) for t in (K, V))

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:290
room_k[:, :, n], room_v[:, :, n] = new_k[:, :, 0], new_v[:, :, 0]
k, v = room_k[:, :, : n + 1], room_v[:, :, : n + 1]
out = F.scaled_dot_product_attention(q, k, v)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:296
from wiki_tools.probes import bytes_moved, max_error, peak_memory

assert k.data_ptr() == room_k.data_ptr()
k, v = torch.cat([K, new_k], dim=2), torch.cat([V, new_v], dim=2)
assert max_error(out, F.scaled_dot_product_attention(q, k, v)) < 1e-5
assert torch.equal(room_k[:, :, : n + 1], k)
assert torch.equal(room_v[:, :, : n + 1], v)
write = lambda: room_k[:, :, n].copy_(new_k[:, :, 0])
assert peak_memory(lambda: torch.cat([K, new_k], dim=2)) >= K.nbytes
assert bytes_moved(lambda: torch.cat([K, new_k], dim=2)) > 500 * bytes_moved(write)

# %% result
for _name in ('k', 'v', 'out'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
