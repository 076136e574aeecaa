"""A convolutional classifier's parts in PyTorch."""

from torch import nn


def model(C: int = 3, O: int = 16, K: int = 10, device: str = "cpu") -> nn.Module:  # noqa: E741, N803
    """A convolutional classifier: (N, C, H, W) to (N, K)."""
    convolutions = [nn.Conv2d(C, O, 3, padding=1), nn.ReLU(), nn.Conv2d(O, O, 3, padding=1)]
    head = [nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(O, K)]
    return nn.Sequential(*convolutions, *head).to(device).eval()


def conv(C: int = 3, O: int = 16, device: str = "cpu") -> nn.Module:  # noqa: E741, N803
    """A convolution: (N, C, H, W) to (N, O, H, W)."""
    return nn.Conv2d(C, O, 3, padding=1, device=device)


def layer(C: int = 3, O: int = 16, device: str = "cpu") -> nn.Module:  # noqa: E741, N803
    """A convolution: (N, C, H, W) to (N, O, H, W)."""
    return nn.Conv2d(C, O, 3, padding=1, device=device)


def criterion() -> nn.Module:
    """The cross entropy of scores (N, K) and classes (N,)."""
    return nn.CrossEntropyLoss()
