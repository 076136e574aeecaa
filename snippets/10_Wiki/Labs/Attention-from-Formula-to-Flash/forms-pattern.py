# /// script
# requires-python = ">=3.11"
# dependencies = ["matplotlib", "torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:44; edit the page, not this file.

# %% [markdown]
# # Four ways
#
# From `docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:44`.
#
# What the page leaves open:
#
# - `device`: run

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:44
import math

import matplotlib.pyplot as plt
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention
from wiki_tools.probes import max_error, peak_memory, seconds


def formula(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v


def blockwise(q, k, v, block=128):
    top = torch.full_like(q[..., :1], -math.inf)
    out, total = torch.zeros_like(q), torch.zeros_like(top)
    for keys, values in zip(k.split(block, -2), v.split(block, -2)):
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        higher = torch.maximum(top, scores.amax(-1, keepdim=True))
        weights, old = (scores - higher).exp(), (top - higher).exp()
        out = out * old + weights @ values
        total = total * old + weights.sum(-1, keepdim=True)
        top = higher
    return out / total

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:75
def on(backend):
    def attend(q, k, v):
        with sdpa_kernel(backend):
            return scaled_dot_product_attention(q, k, v)

    return attend


forms = {
    "formula": formula,
    "library, math": on(SDPBackend.MATH),
    "blockwise": blockwise,
    "library, flash": on(SDPBackend.FLASH_ATTENTION),
}


def inputs(length):
    # A GPU's flash kernel takes half precision only.
    dtype = torch.float32 if device == "cpu" else torch.float16
    shape = 1, 4, length, 64
    return [torch.randn(shape, device=device, dtype=dtype) for _ in range(3)]

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:102
lengths = [128, 256, 512, 1024]
time = {name: [] for name in forms}
memory = {name: [] for name in forms}
for length in lengths:
    given = inputs(length)
    for name, attend in forms.items():
        assert max_error(attend(*given), formula(*given)) < 1e-2
        time[name].append(seconds(attend, *given))
        memory[name].append(peak_memory(attend, *given))
print(f"{'S = ' + str(lengths[-1]):16}{'ms':>9}{'MiB':>9}")
for name in forms:
    print(f"{name:16}{time[name][-1] * 1e3:9.2f}{memory[name][-1] / 2**20:9.2f}")

# %% pattern: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:120
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for name, mark in zip(forms, "os^D"):
    left.plot(lengths, [t * 1e3 for t in time[name]], marker=mark, label=name)
    right.plot(lengths, [m / 2**20 for m in memory[name]], marker=mark, label=name)
left.legend()
for axes, label in ((left, "milliseconds"), (right, "MiB beyond the inputs")):
    axes.set(xscale="log", yscale="log", xlabel="sequence length S", title=label)
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.minorticks_off()
    axes.grid(alpha=0.3)

# %% check: docs/10_Wiki/Labs/Attention-from-Formula-to-Flash.md:133
from wiki_tools.probes import flops

for name, attend in forms.items():
    assert max_error(attend(*given), formula(*given)) < 1e-2
    assert flops(attend, *given) == 4 * 4 * 64 * lengths[-1] ** 2
assert memory["formula"][-1] > 2 * given[0].element_size() * 4 * lengths[-1] ** 2
assert 3.5 < memory["formula"][-1] / memory["formula"][-2] < 4.5
assert 1.5 < memory["blockwise"][-1] / memory["blockwise"][-2] < 2.5
assert memory["library, flash"][-1] < memory["formula"][-1] / 8

# %% result
for _name in ('forms', 'lengths', 'time', 'memory', 'figure', 'left', 'right'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
