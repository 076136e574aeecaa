"""A classifier's parts in PyTorch."""

from torch import nn


def model(D: int = 512, F: int = 1024, K: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A classifier of two layers: (N, D) to (N, K)."""
    return nn.Sequential(nn.Linear(D, F), nn.ReLU(), nn.Linear(F, K)).to(device).eval()


def linear(D: int = 512, K: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A dense layer: (N, D) to (N, K)."""
    return nn.Linear(D, K, device=device)


def layer(D: int = 512, K: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """A dense layer: (N, D) to (N, K)."""
    return nn.Linear(D, K, device=device)


def embedding(N: int = 512, D: int = 512, device: str = "cpu") -> nn.Module:  # noqa: N803
    """Numbers of rows (N,) to vectors (N, D)."""
    return nn.Embedding(N, D, device=device)


def criterion() -> nn.Module:
    """The cross entropy of scores (N, K) and classes (N,)."""
    return nn.CrossEntropyLoss()
