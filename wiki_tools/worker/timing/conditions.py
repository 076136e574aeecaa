"""Notes what a card was like while something was timed on it, and changes nothing of it."""

import sys
from collections.abc import Callable
from typing import Any

from wiki_tools.probes.smi import ask_card
from wiki_tools.protocol import Conditions
from wiki_tools.worker.timing.crew import Crew
from wiki_tools.worker.timing.side import Side, quiet

CLOCKS = ("clocks.sm", "clocks.mem", "clocks.max.sm", "temperature.gpu", "power.draw")
"""Fields of `nvidia-smi --query-gpu`."""
PRECISIONS = (
    "float32_matmul_precision",
    "backends.cuda.matmul.fp32_precision",
    "backends.cudnn.conv.fp32_precision",
    "jax_default_matmul_precision",
)
"""Settings that decide how exactly a card multiplies."""
KERNELS = {
    "aten::_scaled_dot_product_flash_attention": "flash",
    "aten::_scaled_dot_product_flash_attention_for_cpu": "flash",
    "aten::_scaled_dot_product_efficient_attention": "efficient",
    "aten::_scaled_dot_product_cudnn_attention": "cudnn",
    "aten::_scaled_dot_product_fused_attention_overrideable": "overrideable",
    "aten::_scaled_dot_product_attention_math": "math",
}
"""Operators that `scaled_dot_product_attention` becomes, as torch's profiler names them."""
MENTIONS = ("attention", "transformer", "sdpa")
"""Code without any of these words is not called once more under the profiler."""


def note_conditions(baseline: Crew, candidate: Crew) -> Conditions:
    """Note them right after the timing; on a card that neither side has used there is nothing."""
    device = baseline.sides[0].machine.device
    if not device.in_use:
        return Conditions(timer="clock")
    ours, theirs = baseline.sides[0], candidate.sides[0]
    held, clocks = device.held(), ask_card(CLOCKS, ours.call)
    return Conditions(
        timer="clock",
        on_card=(ours.on_card, theirs.on_card),
        cache=device.cache,
        flushed=device.flush(),
        copies=len(baseline.sides),
        held=held,
        settings=(_precision(ours), _precision(theirs)),
        attention=(_attention(ours), _attention(theirs)),
        clocks=clocks,
    )


def _precision(side: Side) -> dict[str, str]:
    return {name: str(value) for name, value in side.settings if name in PRECISIONS}


def _attention(side: Side) -> str:
    if not any(word in cell.code.lower() for cell in side.cells for word in MENTIONS):
        return ""
    with side.told(), quiet():
        side.prepare()
        with side.off():
            return ", ".join(attention_kernels(lambda: side.run(1)))


def attention_kernels(work: Callable[[], object]) -> list[str]:
    """Name the kernels of attention that a call runs, as torch's profiler sees them.

    What a CUDA graph replays it does not see.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return []
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as recorded:
        work()
    names = {event.name() for event in recorded.profiler.kineto_results.events()}
    return sorted({kernel for name, kernel in KERNELS.items() if name in names})
