"""A card as torch and JAX give access to it: when it is done, what it holds, how it is driven cold.

Nothing here imports a framework, and nothing starts one: a card that no code has used is not asked.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

UNKNOWN = 256 << 20
"""Bytes that are overwritten where nothing tells how large the cache is."""
OTHERS = ("cupy", "numba.cuda", "pycuda", "tensorflow")
"""Modules that reach a card on their own, and are not asked what they did there."""
SWEPT = 2
"""Caches' worth of bytes that are overwritten, so that none of what lay there before is left."""


class Cuda:
    """The first card that this process sees.

    Args:
        modules: where torch and JAX are looked for; tests put a fake one there.
    """

    def __init__(self, modules: Mapping[str, Any] | None = None) -> None:
        self._modules = sys.modules if modules is None else modules
        self._sweep: Any = None
        self._swept = 0

    @property
    def torch(self) -> Any:
        """Torch, where some code has used the card through it; else None."""
        torch = self._modules.get("torch")
        cuda = getattr(torch, "cuda", None)
        return torch if cuda is not None and cuda.is_initialized() else None

    @property
    def jax(self) -> Any:
        """JAX, where some code has used the card through it; else None."""
        jax, bridge = self._modules.get("jax"), self._modules.get("jax._src.xla_bridge")
        if jax is None or bridge is None or not bridge.backends_are_initialized():
            return None
        return jax if jax.default_backend() == "gpu" else None

    @property
    def in_use(self) -> bool:
        """Whether some code of this process has used it."""
        return self.torch is not None or self.jax is not None

    @property
    def cache(self) -> int:
        """Bytes of its level-2 cache; 0 where nothing tells: JAX does not."""
        if (torch := self.torch) is None:
            return 0
        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        return int(getattr(properties, "L2_cache_size", 0))

    def synchronise(self) -> None:
        """Wait until all is done that it was given, on every stream.

        An event would tell of one stream only: work on another one would cost nothing.
        JAX has no such call; its results are waited for, one after the other.
        """
        if (torch := self.torch) is not None:
            torch.cuda.synchronize()
        if (jax := self.jax) is not None:
            for array in jax.live_arrays():
                array.block_until_ready()

    def flush(self) -> int:
        """Overwrite more than its cache holds; gives the bytes."""
        count = SWEPT * (self.cache or UNKNOWN)
        if (torch := self.torch) is not None:
            if self._sweep is None:
                self._sweep = torch.empty(count, dtype=torch.uint8, device="cuda")
                self._swept = count
            self._sweep.zero_()
        elif (jax := self.jax) is not None:
            jax.numpy.zeros(count, "uint8").block_until_ready()
        else:
            return 0
        return count

    def held(self) -> int:
        """Bytes that tensors and arrays hold now, without what `flush` writes to."""
        found = -self._swept
        if (torch := self.torch) is not None:
            found += int(torch.cuda.memory_allocated())
        if (jax := self.jax) is not None:
            found += _jax_figure(jax, "bytes_in_use")
        return found

    def allocations(self) -> int:
        """Count the tensors and arrays that were ever laid into its memory."""
        found = 0
        if (torch := self.torch) is not None:
            found += int(torch.cuda.memory_stats().get("allocation.all.allocated", 0))
        if (jax := self.jax) is not None:
            found += _jax_figure(jax, "num_allocs") or _jax_figure(jax, "bytes_in_use")
        return found

    @property
    def untouched(self) -> bool:
        """Whether this process has computed nothing on it, as far as anything tells."""
        return not self.allocations() and not any(name in self._modules for name in OTHERS)

    def has_room(self) -> bool:
        """Say whether half of its memory is free, other programs' share included."""
        if (torch := self.torch) is None:
            return True
        free, total = torch.cuda.mem_get_info()
        return bool(free + torch.cuda.memory_reserved() - torch.cuda.memory_allocated() > total / 2)

    def peak(self, work: Callable[[], object]) -> int:
        """Give the most bytes that `work` holds at once beyond what was held before.

        JAX's mark only ever rises: of work that stays below it, nothing is known, which is 0.
        """
        self.synchronise()
        if (torch := self.torch) is not None:
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            work()
            self.synchronise()
            return int(torch.cuda.max_memory_allocated() - before)
        if (jax := self.jax) is None:
            return 0
        before, mark = _jax_figure(jax, "bytes_in_use"), _jax_figure(jax, "peak_bytes_in_use")
        work()
        self.synchronise()
        peak = _jax_figure(jax, "peak_bytes_in_use")
        return peak - before if peak > mark else 0


def _jax_figure(jax: Any, name: str) -> int:
    """A figure of the allocator of JAX's first device, which may keep none."""
    return int((jax.local_devices()[0].memory_stats() or {}).get(name, 0))
