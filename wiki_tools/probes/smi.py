"""Asks nvidia-smi about the one card that programs see; where there is none, it says nothing."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep

SECONDS = 20
"""That it may take: without a daemon that keeps the driver loaded, some on a host of many cards."""


def shown_card(variables: Mapping[str, str]) -> str | None:
    """Name the first card that CUDA shows to programs: its number or UUID, as nvidia-smi takes it.

    Empty where CUDA_VISIBLE_DEVICES names none that nvidia-smi knows; None where it hides all.
    """
    named = variables.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        return "0"
    first = named.split(",")[0].strip()
    if first.isdecimal() or first.startswith("GPU-"):
        return first
    return "" if first.startswith("MIG-") else None


def ask_card(
    fields: Sequence[str], meanwhile: Callable[[], object] = lambda: sleep(0.01)
) -> dict[str, str]:
    """Ask for some fields of `nvidia-smi --query-gpu`; what it does not tell is left out.

    Args:
        fields: by its own names.
        meanwhile: called again and again until it has answered: an idle card has other clocks.
    """
    card = shown_card(os.environ)
    if card is None:
        return {}
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    text = _output([*command, *([f"--id={card}"] if card else [])], meanwhile)
    values = [value.strip() for value in text.partition("\n")[0].split(",")]
    if len(values) != len(fields):
        return {}
    return {name: v[:80] for name, v in zip(fields, values, strict=True) if v and v[0] != "["}


def _output(command: Sequence[str], meanwhile: Callable[[], object]) -> str:
    """What a program prints; nothing where it fails, takes too long or is not there."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    end = monotonic() + SECONDS
    with process:
        try:
            while process.poll() is None and monotonic() < end:
                meanwhile()
        finally:
            process.kill()
        text = process.stdout.read(4096) if process.stdout else b""
    return "" if process.returncode else text.decode("utf-8", "replace")
