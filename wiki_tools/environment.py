"""Says what machine this is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Device, driver, library versions, processor and operating system."""

    device: str
    """`cpu` or `cuda`."""
    device_name: str
    """`NVIDIA H200`; for a CPU its model's name."""
    capability: str = ""
    """CUDA compute capability, such as `9.0`."""
    driver: str = ""
    processor: str
    cores: int
    system: str
    """`Linux 6.18`, for instance."""
    python: str
    torch: str = ""
    jax: str = ""
    numpy: str = ""
    compiler: str = ""
    """The C++ compiler that torch.compile would use; empty where there is none."""
