# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "numpy"]
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:285; edit the page, not this file.

# %% [markdown]
# # Pattern 8 — Compile the step, not the layer (JAX)
#
# From `docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:285`.

# %% imports
import numpy as np

np.random.seed(0)

# %% pattern: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:285
import jax
import jax.numpy as jnp
import numpy as np


def loss_of(parameters, x, y):
    for weights, bias in parameters[:-1]:
        x = jax.nn.relu(x @ weights + bias)
    weights, bias = parameters[-1]
    scores = jax.nn.log_softmax(x @ weights + bias)
    return -jnp.take_along_axis(scores, y[:, None], axis=1).mean()


@jax.jit
def train_step(parameters, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, x, y)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)


sizes, normal = (64, 128, 128, 10), np.random.default_rng(0).standard_normal
parameters = jax.tree.map(
    jnp.float32,
    [(normal((m, n)) * (2 / m) ** 0.5, np.zeros(n)) for m, n in zip(sizes, sizes[1:])],
)
x, y = jnp.float32(normal((64, 64))), jnp.array(np.arange(64) % 10)
loss, updated = train_step(parameters, x, y)

# %% check: docs/10_Wiki/Topics/AI_and_ML/Deep-Learning.md:314
assert [weights.shape for weights, _ in parameters] == [(64, 128), (128, 128), (128, 10)]
before, after = jax.tree.leaves(parameters), jax.tree.leaves(updated)
assert all((old != new).any() for old, new in zip(before, after))
assert loss_of(updated, x, y) < loss and abs(loss - loss_of(parameters, x, y)) < 1e-5
for _ in range(300):
    loss, parameters = train_step(parameters, x, y)
assert loss < 0.1

# %% result
for _name in ('sizes', 'normal', 'parameters', 'x', 'y', 'loss', 'updated'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
