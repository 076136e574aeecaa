"""Says what machine this is."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from wiki_tools.errors import UsageError
from wiki_tools.probes.smi import ask_card, shown_card
from wiki_tools.protocol import Environment

__all__ = [
    "DISTRIBUTIONS",
    "Card",
    "Environment",
    "compiler_name",
    "describe_environment",
    "find_card",
    "folder_name",
    "jax_uses_card",
    "processor_family",
    "processor_instructions",
    "processor_name",
    "resolve_versions",
    "usable_cores",
]


ARITHMETIC = re.compile(
    r"avx|amx|fma|f16c|fp16|fphp|bf16|neon|advsimd|asimd|sve|sme[2fi]|i8mm|dotprod"
)
"""How those of a processor's instruction sets begin that compute with many numbers at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A CUDA device."""

    name: str
    capability: str
    driver: str


def describe_environment(device: str) -> Environment:
    """Describe this machine without importing a framework.

    Args:
        device: `cpu` or `cuda`.

    Raises:
        UsageError: there is no such kind of device, or none in this machine.
    """
    if device not in ("cpu", "cuda"):
        raise UsageError(f"--device {device}: expected cpu or cuda")
    card = _need_card() if device == "cuda" else None
    processor = processor_name()
    return Environment(
        device=device,
        device_name=card.name if card else processor,
        capability=card.capability if card else "",
        driver=card.driver if card else "",
        processor=processor,
        instructions=processor_instructions(),
        cores=usable_cores(),
        system=f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        python=platform.python_version(),
        torch=_version("torch"),
        jax=_version("jax"),
        numpy=_version("numpy"),
        compiler=compiler_name(),
    )


def _need_card() -> Card:
    """Find a card that something here computes on.

    Raises:
        UsageError: there is none. What would then be skipped, pattern by pattern, is one mistake.
    """
    if shown_card(os.environ) is None:
        raise UsageError("--device cuda: CUDA_VISIBLE_DEVICES hides every card; unset it")
    card = find_card()
    if card is None:
        raise UsageError("--device cuda: nvidia-smi finds no card; use --device cpu")
    torch = _version("torch")
    if torch.endswith("+cpu") or not (torch or jax_uses_card()):
        found = f"torch {torch} is built for CPUs" if torch else "torch is not installed"
        remedy = "install the torch that comes from PyPI, as `make gpu` does"
        raise UsageError(f"--device cuda: {found}; {remedy}")
    return card


def jax_uses_card() -> bool:
    """Say whether the JAX that is installed has its plugin for cards: without, it takes the CPU."""
    return any(find_spec(f"jax_cuda{major}_plugin") for major in (12, 13))


def folder_name(environment: Environment) -> str:
    """Name the folder of an environment's evidence: lower case, safe in paths and URLs.

    It holds what decides whether numbers may be compared: the device (of a CPU the family),
    the operating system and minor versions. A kernel patch does not make a new one.
    """
    if environment.device == "cpu":
        device = f"cpu-{processor_family(environment.processor)}"
    else:
        device = _slug(environment.device_name)
    versions = [("py", environment.python), ("torch", environment.torch), ("jax", environment.jax)]
    named = [f"{name}{_minor(version)}" for name, version in versions if version]
    return "-".join([device, _slug(environment.system.split(" ")[0]), *named])


def processor_family(name: str) -> str:
    """Reduce a processor's model name to its family, such as `intel-xeon` or `amd-epyc`."""
    words = re.sub(r"\((?:r|tm|c)\)|@.*", " ", name.lower()).split()
    words = [re.sub(r"-?\d{3,}\w*$", "", word) for word in words]
    noise = re.compile(
        r"cpu|processor|v\d|\d+-core|with|gen|\d+(th|st|nd|rd)|[\d.]+ghz|e\d|"
        r"platinum|gold|silver|bronze|"
    )
    return _slug("-".join(w for w in words if not noise.fullmatch(w))) or "unknown"


@cache
def resolve_versions(packages: tuple[str, ...]) -> Mapping[str, str]:
    """Say which versions code gets that imports packages, without importing them.

    `python` is one of them, to its minor version, as in the folder's name; JAX brings `jaxlib`.
    A package that is not there has an empty version.
    """
    names = {*packages}
    names |= {"jaxlib"} if "jax" in names else set()
    versions = {name: _module_version(name) for name in sorted(names)}
    return versions | {"python": _minor(platform.python_version())}


DISTRIBUTIONS = {
    "PIL": "pillow",
    "cv2": "opencv-python",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
}
"""Module to the package that ships it, where the names differ."""


@cache
def _module_version(name: str) -> str:
    """The version of the package that ships a module; of one that none ships, its file's state."""
    if version := _version(DISTRIBUTIONS.get(name, name)):
        return version
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return ""
    if spec is None:
        return ""
    from importlib import metadata  # 20 ms, for what nobody has named

    shipped = metadata.packages_distributions().get(name)
    if shipped:
        return _version(shipped[0])
    file = Path(spec.origin or "")
    if not spec.origin or Path.cwd() in (file.parent, file.parent.parent):
        return ""  # a folder, or what lies beside us and not beside a snippet
    try:
        return f"of {file.stat().st_mtime_ns}"
    except OSError:
        return "unknown"


def find_card() -> Card | None:
    """Ask nvidia-smi for the first card that CUDA shows to programs; None where there is none."""
    told = ask_card(("name", "compute_cap", "driver_version"))
    if len(told) != 3:
        return None
    return Card(name=told["name"], capability=told["compute_cap"], driver=told["driver_version"])


def processor_name() -> str:
    """The processor's model name, else its architecture."""
    if platform.system() == "Darwin":
        return _output(["sysctl", "-n", "machdep.cpu.brand_string"]) or platform.machine()
    if not (text := _processor_text()):
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return " ".join(found[1].split()) if found else platform.machine()


def processor_instructions() -> tuple[str, ...]:
    """Name the processor's sets of instructions that decide how fast it computes.

    Linux lists them as `flags` or, on Arm, `Features`; macOS as `hw.optional.avx2_0: 1` or
    `hw.optional.arm.FEAT_BF16: 1`.
    """
    if platform.system() == "Darwin":
        told = _output(["sysctl", "hw.optional"])
        names = re.findall(
            r"^hw\.optional\.(?:arm\.)?(?:FEAT_)?(\w+?)(?:_0)?: 1$", told, re.MULTILINE
        )
    else:
        found = re.search(r"^(?:flags|Features)\s*:(.*)$", _processor_text(), re.MULTILINE)
        names = found[1].split() if found else []
    return tuple(sorted({name.lower() for name in names if ARITHMETIC.match(name.lower())}))


@cache
def _processor_text() -> str:
    """What Linux tells of the processor, a block a core, which it takes its time to write."""
    try:
        return Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return ""


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compiler_name() -> str:
    """The C++ compiler that torch.compile takes, `CXX` or g++ (clang++ on macOS), and its version.

    As `cpp.cxx` of torch/_inductor/config.py says.
    """
    name = os.environ.get("CXX") or ("clang++" if platform.system() == "Darwin" else "g++")
    if shutil.which(name) is None:
        return ""
    return f"{Path(name).name} {_output([name, '-dumpfullversion', '-dumpversion'])}".strip()


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip()


def _version(package: str) -> str:
    """The version of a package that is installed; empty where it is not.

    What pip leaves says it. Python's own reader of that takes 20 ms to load, and is asked only of
    packages that were installed in another way.
    """
    wanted = _plain(package)
    for folder in sys.path:
        for name in _installed(folder):
            if _plain(name.partition("-")[0]) == wanted and (
                version := _version_in(Path(folder, name, "METADATA"))
            ):
                return version
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _installed(folder: str) -> list[str]:
    try:
        names = os.listdir(folder or ".")  # noqa: PTH208 - texts, 300 of them
    except OSError:
        return []
    return [name for name in names if name.endswith(".dist-info")]


def _version_in(file: Path) -> str:
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:  # it is being installed, or removed
        return ""
    found = re.search(r"^Version: *(\S+)", text, re.MULTILINE)
    return found[1] if found else ""


def _plain(package: str) -> str:
    """A package's name as all its spellings have it."""
    return re.sub(r"[-_.]+", "_", package).lower()


def _minor(version: str) -> str:
    return ".".join(re.findall(r"\d+", version)[:2])


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")
