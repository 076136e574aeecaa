"""What every world shares in JAX."""

from collections.abc import Callable

import jax
import jax.numpy as jnp


def dtype() -> object:
    """The precision that arrays have by default."""
    return jnp.float32


def key() -> jax.Array:
    """A random key."""
    return jax.random.key(0)


def rng(key: jax.Array) -> jax.Array:
    """The random key under another name."""
    return key


def rng_key(key: jax.Array) -> jax.Array:
    """The random key under another name."""
    return key


def params(W1: jax.Array, W2: jax.Array) -> dict[str, jax.Array]:  # noqa: N803
    """The weights of a feed-forward block: W1, b1, W2, b2."""
    return {
        "W1": W1,
        "b1": jnp.zeros(W1.shape[-1]),
        "W2": W2,
        "b2": jnp.zeros(W2.shape[-1]),
    }


def model(W1: jax.Array, W2: jax.Array) -> Callable[..., jax.Array]:  # noqa: N803
    """A feed-forward block as a function of its input, or of its weights and its input."""

    def apply(*inputs: jax.Array) -> jax.Array:
        return jax.nn.gelu(inputs[-1] @ W1) @ W2

    return apply


def loss_fn() -> Callable[..., jax.Array]:
    """The mean squared error of a feed-forward block, of its weights, an input and a target."""

    def loss(params: dict[str, jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
        hidden = jax.nn.gelu(x @ params["W1"] + params["b1"])
        return jnp.mean((hidden @ params["W2"] + params["b2"] - y) ** 2)

    return loss


def dataloader(x: jax.Array, y: jax.Array) -> list[tuple[jax.Array, jax.Array]]:
    """Two batches of inputs and what a model should give for them."""
    return [(x, y), (x, y)]


def grads(params: dict[str, jax.Array]) -> dict[str, jax.Array]:
    """As large as the weights."""
    return {name: jnp.ones_like(value) for name, value in params.items()}
