# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:354; edit the page, not this file.

# %% [markdown]
# # Pattern 6 — Rotary positions as complex numbers
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:354`.
#
# What the page leaves open:
#
# - `x`: setup
# - `turn`: setup
# - `d`: setup
# - `cos`: setup
# - `sin`: setup

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:340
S, d = 512, 64
x = torch.randn(1, 8, S, d, device=device)
pair = torch.arange(0, d, 2, device=device, dtype=torch.float64)
angle = torch.outer(torch.arange(S, device=device), 10000.0 ** (-pair / d))
cos, sin = angle.cos().float(), angle.sin().float()
turn = torch.complex(cos, sin)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:354
pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
rotated = torch.view_as_real(pairs * turn).flatten(-2)  # (1, 8, 512, 64)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:355
assert len(tuple(rotated.shape)) == 4 and tuple(rotated.shape) == (1, 8, 512, 64), 'docs/10_Wiki/Topics/AI_and_ML/Transformer.md:355: rotated has shape {}, the page says (1, 8, 512, 64)'.format(tuple(rotated.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:359
from wiki_tools.probes import max_error


def rotate(x, first):
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turn[first : first + x.shape[-2]]).flatten(-2)


assert max_error(rotate(x, 0), rotated) == 0
# turned, not stretched
assert max_error(rotated.norm(dim=-1), x.norm(dim=-1)) < 1e-4
assert max_error(rotated[:, :, 0], x[:, :, 0]) == 0
q, k = x[:, :, :9], x[:, :, 9:18]
near = rotate(q, 0) @ rotate(k, 5).transpose(-2, -1)
far = rotate(q, 300) @ rotate(k, 305).transpose(-2, -1)
assert max_error(near, far) < 1e-3  # only the distance counts
# Pairs of a first and a second half, as in many libraries: the same, reordered.
order = torch.cat([torch.arange(0, d, 2), torch.arange(1, d, 2)])
low, high = x[..., order].chunk(2, dim=-1)
halves = torch.cat([low * cos - high * sin, low * sin + high * cos], dim=-1)
assert max_error(halves, rotated[..., order]) < 1e-5

# %% result
for _name in ('pairs', 'rotated'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
