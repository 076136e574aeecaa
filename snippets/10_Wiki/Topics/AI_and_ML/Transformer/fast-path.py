# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:430; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — The fast path of TransformerEncoderLayer
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:430`.
#
# What the page leaves open:
#
# - `encoder`: setup
# - `x`: setup

# %% imports
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:418
x = torch.randn(1, 128, 256, device=device)
how = dict(activation="gelu", batch_first=True)
encoder = nn.TransformerEncoderLayer(256, 4, 1024, **how)
encoder = encoder.to(device).eval().requires_grad_(False)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:430
torch.backends.mha.set_fastpath_enabled(True)
y = encoder(x)  # (1, 128, 256)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:431
assert len(tuple(y.shape)) == 3 and tuple(y.shape) == (1, 128, 256), 'docs/10_Wiki/Topics/AI_and_ML/Transformer.md:431: y has shape {}, the page says (1, 128, 256)'.format(tuple(y.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:435
from torch.profiler import ProfilerActivity, profile
from wiki_tools.probes import flops, max_error


def operators():
    with profile(activities=[ProfilerActivity.CPU]) as seen:
        encoder(x)
    return {event.key for event in seen.key_averages()}


assert "aten::_transformer_encoder_layer_fwd" in operators()
torch.backends.mha.set_fastpath_enabled(False)
assert "aten::_transformer_encoder_layer_fwd" not in operators()
assert max_error(encoder(x), y) < 1e-4
assert flops(lambda: encoder(x)) == 128 * (24 * 256**2 + 4 * 128 * 256)

# %% result
for _name in ('y',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
