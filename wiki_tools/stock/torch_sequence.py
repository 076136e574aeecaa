"""A sequence model's parts in PyTorch."""

import torch
from torch import nn


def model(D: int = 512, F: int = 2048, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A feed-forward block: (B, S, D) to (B, S, D)."""
    return nn.Sequential(nn.Linear(D, F), nn.GELU(), nn.Linear(F, D)).to(device).eval()


def linear(D: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A dense layer: (B, S, D) to (B, S, D)."""
    return nn.Linear(D, D, device=device)


def layer(D: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A dense layer: (B, S, D) to (B, S, D)."""
    return nn.Linear(D, D, device=device)


def layer_norm(D: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A norm over the last dimension: (B, S, D) to (B, S, D)."""
    return nn.LayerNorm(D, device=device)


def embedding(V: int = 1000, D: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """Token ids (B, S) to vectors (B, S, D)."""
    return nn.Embedding(V, D, device=device)


def criterion() -> nn.Module:
    """The mean squared error between (B, S, D) and (B, S, D)."""
    return nn.MSELoss()


def params(D: int = 512, F: int = 2048, device: str = "cpu") -> dict[str, torch.Tensor]:  # noqa: N803
    """The weights of a feed-forward block: W1 (D, F), b1 (F,), W2 (F, D), b2 (D,)."""
    return {
        "W1": torch.randn(D, F, device=device) / D**0.5,
        "b1": torch.zeros(F, device=device),
        "W2": torch.randn(F, D, device=device) / F**0.5,
        "b2": torch.zeros(D, device=device),
    }
