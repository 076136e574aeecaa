# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:518; edit the page, not this file.

# %% [markdown]
# # All logits for the next token
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:518`.
#
# What the page leaves open:
#
# - `hidden`: setup
# - `vocabulary`: setup

# %% imports
import torch

torch.manual_seed(0)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:514
hidden, vocabulary = torch.randn(1, 128, 256), torch.randn(8000, 256)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:518
following = hidden[:, -1] @ vocabulary.T  # (1, 8000)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:518
assert len(tuple(following.shape)) == 2 and tuple(following.shape) == (1, 8000), 'docs/10_Wiki/Topics/AI_and_ML/Transformer.md:518: following has shape {}, the page says (1, 8000)'.format(tuple(following.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:526
from wiki_tools.probes import flops, max_error

assert max_error(following, (hidden @ vocabulary.T)[:, -1]) < 1e-3
every, last = (flops(lambda: h @ vocabulary.T) for h in (hidden, hidden[:, -1]))
assert every == 128 * last

# %% result
for _name in ('following',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
