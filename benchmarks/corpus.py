"""Outside pages: the READMEs and documentation that packages carry in their sdists on PyPI.

`PACKAGES="einops optax"` takes some of them only.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple


class Pinned(NamedTuple):
    """A package whose pages are read, in the version that everyone gets."""

    name: str
    version: str
    holds: str


PAGES = (
    Pinned("einops", "0.8.2", "a README of five frameworks"),
    Pinned("vector-quantize-pytorch", "1.32.0", "a README of a class a section"),
    Pinned("ema-pytorch", "0.8.3", "a README with placeholders"),
    Pinned("lion-pytorch", "0.2.5", "a README of an optimizer"),
    Pinned("performer-pytorch", "1.1.4", "a README of a class a section"),
    Pinned("reformer-pytorch", "1.4.4", "a README of a class a section"),
    Pinned("torchtyping", "0.1.5", "a README of type annotations"),
    Pinned("lovely-tensors", "0.1.22", "a notebook as a README: each fence goes on from the last"),
    Pinned("torchinfo", "1.8.0", "a README with outputs"),
    Pinned("lightning", "2.6.6", "a README of a framework that is not installed"),
    Pinned("chex", "0.1.92", "a README of assertions in JAX"),
    Pinned("optax", "0.2.8", "a README of an optimizer in JAX"),
    Pinned("penzai", "0.2.5", "guides in JAX"),
    Pinned("flax", "0.12.8", "87 guides and proposals in JAX, many of them notebooks"),
)
LIBRARIES = (
    *("einops==0.8.2", "einx==0.4.3", "vector-quantize-pytorch==1.32.0", "ema-pytorch==0.8.3"),
    *("lion-pytorch==0.2.5", "torchinfo==1.8.0", "flax==0.12.8", "optax==0.2.8", "chex==0.1.92"),
    *("frozendict", "torch-einops-utils", "loguru", "absl-py", "msgpack", "toolz", "treescope"),
)
"""What is importable beside torch, JAX and NumPy: where a page needs more, it is not eligible."""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "wiki_tools-benchmarks")
_FENCED = ("```py", "``` py", "```{.py", "~~~py")


def gather() -> tuple[dict[str, Path], str]:
    """Give a folder of Markdown for each package, and what to say of those that are not there."""
    folders: dict[str, Path] = {}
    absent: list[str] = []
    wanted = os.environ.get("PACKAGES", "").split() or [package.name for package in PAGES]
    for package in (package for package in PAGES if package.name in wanted):
        name = f"{package.name}-{package.version}"
        folder = CACHE / "pages" / name
        if not folder.is_dir() and (sdist := _download(package)):
            _extract(sdist, folder)
        if folder.is_dir():
            folders[name] = folder
        else:
            absent.append(name)
    return folders, f"not reached: {', '.join(absent)}" if absent else ""


def install_libraries() -> None:
    """Make the packages importable, here and in the processes that this one starts."""
    folder = CACHE / "libraries"
    if not folder.is_dir():
        _pip("install", "--target", str(folder), *LIBRARIES)
    sys.path.append(str(folder))
    paths = [*filter(None, [os.environ.get("PYTHONPATH")]), str(folder)]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def _download(package: Pinned) -> Path | None:
    """Fetch a package's sdist; None where there is no network or no such version."""
    folder = CACHE / "sdists" / f"{package.name}-{package.version}"
    if not any(folder.glob("*.tar.gz")):
        wanted = f"{package.name}=={package.version}"
        _pip("download", "--no-binary", ":all:", "--dest", str(folder), wanted)
    return next(folder.glob("*.tar.gz"), None)


def _pip(*arguments: str) -> bool:
    command = [sys.executable, "-m", "pip", "--quiet", arguments[0], "--no-deps", *arguments[1:]]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0


def _extract(sdist: Path, folder: Path) -> None:
    """Take the Markdown that holds Python out of an sdist."""
    aside = folder.with_suffix(".part")
    with tarfile.open(sdist) as archive:
        for name, data in _pages(archive, archive.getmembers()):
            file = aside / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    if aside.is_dir():
        shutil.move(aside, folder)


def _pages(
    archive: tarfile.TarFile, members: Iterable[tarfile.TarInfo]
) -> Iterator[tuple[str, bytes]]:
    for member in members:
        inside = PurePosixPath(*PurePosixPath(member.name).parts[1:])
        if member.isfile() and inside.suffix == ".md" and ".." not in inside.parts:
            data = archive.extractfile(member)
            text = data.read() if data else b""
            if any(mark.encode() in text for mark in _FENCED):
                yield str(inside), text
