# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:256; edit the page, not this file.

# %% [markdown]
# # Pattern 3 — Batch requests of like length
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:256`.
#
# What the page leaves open:
#
# - `requests`: setup
# - `answer`: setup
# - `model`: setup

# %% imports
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)

# %% context: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:36
class Block(nn.Module):
    def __init__(self, D, H):
        super().__init__()
        self.heads = H
        self.before, self.between = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv = nn.Linear(D, 3 * D, bias=False)
        self.out = nn.Linear(D, D, bias=False)
        self.up = nn.Linear(D, 4 * D, bias=False)
        self.down = nn.Linear(4 * D, D, bias=False)

    def forward(self, x, past=None):
        parts = self.qkv(self.before(x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        if past:  # then x is one new token, which sees all
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=not past)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.between(x)))), (k, v)


class Decoder(nn.Module):
    def __init__(self, V=512, D=256, H=4, L=2, longest=512):
        super().__init__()
        self.token, self.place = nn.Embedding(V, D), nn.Embedding(longest, D)
        self.blocks = nn.ModuleList(Block(D, H) for _ in range(L))
        self.last = nn.LayerNorm(D)

    def forward(self, ids, past=None):
        start = past[0][0].shape[2] if past else 0
        x = self.token(ids) + self.place.weight[start : start + ids.shape[1]]
        present = []
        for block, known in zip(self.blocks, past or [None] * len(self.blocks)):
            x, made = block(x, known)
            present.append(made)
        return self.last(x) @ self.token.weight.T, present


model = Decoder().eval().requires_grad_(False)
ids = torch.randint(512, (2, 64))
logits = model(ids)[0]  # (2, 64, 512)

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:241
model = Decoder().eval().requires_grad_(False)
requests = [torch.randint(512, (n,)) for n in [16] * 12 + [128] * 4]


def answer(batch):
    padded = nn.utils.rnn.pad_sequence(batch, batch_first=True)
    ends = torch.tensor([len(request) - 1 for request in batch])
    return model(padded)[0][torch.arange(len(batch)), ends]

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:256
short = [request for request in requests if len(request) <= 64]
long = [request for request in requests if len(request) > 64]
final = torch.cat([answer(short), answer(long)])  # (16, 512)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:258
assert len(tuple(final.shape)) == 2 and tuple(final.shape) == (16, 512), 'docs/10_Wiki/Topics/AI_and_ML/Transformer.md:258: final has shape {}, the page says (16, 512)'.format(tuple(final.shape))

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:262
from wiki_tools.probes import flops, max_error

alone = torch.cat([model(request[None])[0][:, -1] for request in requests])
assert max_error(final, alone) < 1e-3
tokens = sum(len(request) for request in requests)
assert (len(short), len(long), tokens) == (12, 4, 704)
assert 1 - tokens / (16 * 128) > 0.65  # padding in one batch; in two there is none
apart = flops(lambda: (answer(short), answer(long)))
assert 2.8 < flops(lambda: answer(requests)) / apart < 3.1

# %% result
for _name in ('short', 'long', 'final'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
