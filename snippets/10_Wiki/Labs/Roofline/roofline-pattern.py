# /// script
# requires-python = ">=3.11"
# dependencies = ["matplotlib", "torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Labs/Roofline.md:51; edit the page, not this file.

# %% [markdown]
# # Drawing it
#
# From `docs/10_Wiki/Labs/Roofline.md:51`.
#
# What the page leaves open:
#
# - `device`: run

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% pattern: docs/10_Wiki/Labs/Roofline.md:51
import matplotlib.pyplot as plt
import torch
from wiki_tools.probes import intensity, operations, roof, seconds

top = roof()
print(f"{torch.get_num_threads()} threads on {device}")
print(f"streaming    {top.bandwidth / 1e9:8.1f} GB/s")
print(f"multiplying  {top.compute / 1e9:8.1f} GFLOP/s")
print(f"ridge        {top.ridge:8.1f} FLOP/byte")

# %% pattern: docs/10_Wiki/Labs/Roofline.md:66
def square(n):
    return torch.randn(n, n, device=device)


large, small = square(4096), square(64)
vector = torch.randn(4096, device=device)
work = {
    "add, 4096²": (torch.add, large, large),
    "add, 64²": (torch.add, small, small),
    "softmax, 4096²": (lambda x: x.softmax(-1), large),
    "matrix · vector, 4096²": (torch.mv, large, vector),
}
for n in (16, 64, 256, 1024):
    work[f"matmul, {n}²"] = torch.mm, square(n), square(n)

reached = {}
for name, (f, *args) in work.items():
    at, speed = intensity(f, *args), operations(f, *args) / seconds(f, *args)
    reached[name] = at, speed
    print(f"{name:23}{at:8.2f} FLOP/byte{speed / 1e9:8.2f} GFLOP/s", end="")
    print(f"{speed / top.at(at):7.0%} of the roof")

# %% pattern: docs/10_Wiki/Labs/Roofline.md:92
figure, axes = plt.subplots(figsize=(7.5, 4.8))
span = [1 / 32, top.ridge, 1024]
axes.plot(span, [top.at(x) / 1e9 for x in span], color="black")
axes.axvline(top.ridge, color="grey", linestyle=":")
for name, (at, speed) in reached.items():
    axes.plot(at, speed / 1e9, "o")
    side = "center" if at < 100 else "left"
    place = {"textcoords": "offset points", "ha": side}
    axes.annotate(name, (at, speed / 1e9), (0, -12), fontsize=8, **place)
axes.set(xscale="log", xlabel="operations for each byte (dotted: the ridge)")
axes.set(yscale="log", ylabel="GFLOP/s reached")
axes.set_title(f"{torch.get_num_threads()} threads, float32")
axes.grid(alpha=0.3)

# %% check: docs/10_Wiki/Labs/Roofline.md:108
from wiki_tools.probes import bound

assert intensity(torch.add, large, large) == 1 / 12
assert intensity(lambda x: x.softmax(-1), large) == 5 / 8
assert abs(intensity(torch.mv, large, vector) - 1 / 2) < 0.001
for n in (16, 64, 256, 1024):
    assert abs(reached[f"matmul, {n}²"][0] - n / 6) < 1e-9
assert bound(torch.add, large, large) == "memory"
assert bound(torch.mv, large, vector) == "memory"
assert bound(torch.mm, large, large) == "compute"

# %% result
for _name in ('top', 'large', 'small', 'vector', 'work', 'reached', 'figure', 'axes'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
