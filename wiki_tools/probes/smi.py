"""Asks nvidia-smi about the one card that programs see; where there is none, it says nothing."""

import os
import subprocess
from collections.abc import Mapping, Sequence

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


def ask_card(fields: Sequence[str]) -> dict[str, str]:
    """Ask for some fields of `nvidia-smi --query-gpu`; what it does not tell is left out."""
    card = shown_card(os.environ)
    if card is None:
        return {}
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    command += [f"--id={card}"] if card else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return {}
    values = [value.strip() for value in done.stdout.partition("\n")[0].split(",")]
    if len(values) != len(fields):
        return {}
    return {name: v[:80] for name, v in zip(fields, values, strict=True) if v and v[0] != "["}
