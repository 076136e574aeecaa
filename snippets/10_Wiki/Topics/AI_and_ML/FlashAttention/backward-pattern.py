# /// script
# requires-python = ">=3.11"
# dependencies = ["torch", "wiki_tools"]
# [tool.uv.sources]
# wiki_tools = { path = "../../../../.." }
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:278; edit the page, not this file.

# %% [markdown]
# # Pattern 5 — Backward: keep a number a row, make the rest again
#
# From `docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:278`.
#
# What the page leaves open:
#
# - `Q`: setup
# - `K`: setup
# - `V`: setup
# - `formula`: #same-operations

# %% imports
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% setup: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:266
S = 1024
Q, K, V = (torch.randn(1, 4, S, 64, device=device) for _ in range(3))
for each in (Q, K, V):
    each.requires_grad_()

# %% context: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:77
def formula(Q, K, V):
    return (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).softmax(dim=-1) @ V


heads, length, depth = 4, 256, 32
shape = (1, heads, length, depth)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
written = formula(q, k, v)  # (1, 4, 256, 32)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:278
class Recomputed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V):
        outputs, norms = [], []
        for q in Q.split(128, dim=-2):
            s = q @ K.transpose(-2, -1) * Q.shape[-1] ** -0.5
            norms.append(s.logsumexp(dim=-1, keepdim=True))
            outputs.append((s - norms[-1]).exp() @ V)
        O, L = torch.cat(outputs, dim=-2), torch.cat(norms, dim=-2)
        ctx.save_for_backward(Q, K, V, O, L)
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        scale, D = Q.shape[-1] ** -0.5, (dO * O).sum(dim=-1, keepdim=True)
        dQ, dK, dV = [], torch.zeros_like(K), torch.zeros_like(V)
        for q, g, n, d in zip(*(t.split(128, dim=-2) for t in (Q, dO, L, D))):
            p = (q @ K.transpose(-2, -1) * scale - n).exp()
            dS = p * (g @ V.transpose(-2, -1) - d) * scale
            dV += p.transpose(-2, -1) @ g
            dK += dS.transpose(-2, -1) @ q
            dQ.append(dS @ K)
        return torch.cat(dQ, dim=-2), dK, dV


out = Recomputed.apply(Q, K, V)
gradients = torch.autograd.grad(out.square().sum(), (Q, K, V))

# %% check: docs/10_Wiki/Topics/AI_and_ML/FlashAttention.md:309
from wiki_tools.probes import flops, max_error


def step(f):
    return torch.autograd.grad(f(Q, K, V).square().sum(), (Q, K, V))


for ours, theirs in zip(gradients, step(formula)):
    assert max_error(ours, theirs) < 1e-5
assert 6 * flops(lambda: step(Recomputed.apply)) == 7 * flops(lambda: step(formula))

# %% result
for _name in ('out', 'gradients'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
