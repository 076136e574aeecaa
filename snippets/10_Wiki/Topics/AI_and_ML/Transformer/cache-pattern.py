# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Transformer.md:170; edit the page, not this file.

# %% [markdown]
# # Pattern 1 — Keep keys and values
#
# From `docs/10_Wiki/Topics/AI_and_ML/Transformer.md:170`.
#
# What the page leaves open:
#
# - `model`: setup
# - `prompt`: setup
# - `T`: setup
# - `again`: setup

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

# %% setup: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:153
T = 32
model = Decoder().eval().requires_grad_(False)
prompt = torch.randint(512, (1, 8))


def again(ids, T):
    for _ in range(T):
        new = model(ids)[0][:, -1:].argmax(dim=-1)
        ids = torch.cat([ids, new], dim=1)
    return ids

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:170
def go_on(ids, T):
    new, past = ids, None
    for _ in range(T):
        logits, past = model(new, past)
        new = logits[:, -1:].argmax(dim=-1)
        ids = torch.cat([ids, new], dim=1)
    return ids


written = go_on(prompt, T)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Transformer.md:183
from wiki_tools.probes import flops, max_error

assert written.shape == (1, 8 + T)
full, past = model(written[:, :-1])
assert torch.equal(full[:, 7:].argmax(dim=-1), written[:, 8:])
stepwise, _ = model(written[:, -1:], past)
assert max_error(stepwise[:, -1], model(written)[0][:, -1]) < 1e-3
passed = sum(range(8, 8 + T)) / (8 + T - 1)
saved = flops(lambda: again(prompt, T)) / flops(lambda: go_on(prompt, T))
assert 19 < passed < 20 and abs(saved / passed - 1) < 0.05
held = sum(k.nbytes + v.nbytes for k, v in past)
assert held == 2 * 2 * 256 * 4 * (8 + T - 1)  # 2 L D numbers of 4 bytes a token

# %% result
for _name in ('written',):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
