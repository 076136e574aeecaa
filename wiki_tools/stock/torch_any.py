"""What every world shares in PyTorch."""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import nn


def dtype() -> torch.dtype:
    """The precision that arrays have by default."""
    return torch.float32


def net(model: nn.Module) -> nn.Module:
    """The model under another name."""
    return model


def optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """AdamW over the model's parameters."""
    return torch.optim.AdamW(model.parameters(), lr=1e-3)


def opt(optimizer: torch.optim.Optimizer) -> torch.optim.Optimizer:
    """The optimizer under another name."""
    return optimizer


def scheduler(optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LRScheduler:
    """A cosine schedule of 100 steps."""
    return torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)


def scaler(device: str = "cpu") -> torch.amp.GradScaler:
    """A gradient scaler, which does nothing away from a card."""
    return torch.amp.GradScaler(device, enabled=device != "cpu")


def loss_fn(criterion: nn.Module) -> nn.Module:
    """The criterion under another name."""
    return criterion


def loss(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """A scalar that depends on every parameter of the model."""
    return model(x).square().mean()


def dataset(x: torch.Tensor, y: torch.Tensor) -> torch.utils.data.Dataset:
    """Pairs of an input and what a model should give for it."""
    return torch.utils.data.TensorDataset(x, y)


class _Batch(tuple[torch.Tensor, torch.Tensor]):
    """Inputs and targets, which a page unpacks, counts or asks for by name."""

    def __getitem__(self, key: Any) -> Any:
        """Give a part by its number, or by a name: one that speaks of targets gives those."""
        if isinstance(key, str):
            said = ("target", "label", "y", "gt", "truth", "answer")
            key = int(any(word in key.lower() for word in said))
        return super().__getitem__(key)


def dataloader(x: torch.Tensor, y: torch.Tensor) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Two batches of inputs and what a model should give for them."""
    return [_Batch((x, y)), _Batch((x, y))]


def Net(model: nn.Module) -> Callable[..., nn.Module]:  # noqa: N802
    """A class whose every call gives a new copy of the model, whatever it is asked for."""
    return lambda *_arguments, **_options: copy.deepcopy(model)
