"""Files of the rendered tree: only what changed is written, so that a rebuild is quick."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path


class Tree:
    """A folder that ends up holding exactly what was put into it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.changed: list[str] = []
        self._kept: set[str] = set()

    def write(self, path: str, text: str) -> None:
        """Put a text at a path; a file that already says the same keeps its time stamp."""
        file = self.root / path
        data = text.encode("utf-8", "replace")
        self._kept.add(path)
        if file.is_file() and file.read_bytes() == data:
            return
        self._replace(file, lambda target: target.write_bytes(data))
        self.changed.append(path)

    def carry(self, path: str, source: Path) -> None:
        """Copy a file of the vault, unless its copy has the same size and time."""
        file = self.root / path
        self._kept.add(path)
        found = source.stat()
        if file.is_file():
            ours = file.stat()
            if (ours.st_size, int(ours.st_mtime)) == (found.st_size, int(found.st_mtime)):
                return
        self._replace(file, lambda target: shutil.copy2(source, target))
        self.changed.append(path)

    def prune(self) -> None:
        """Remove every file that was not put here, and folders left empty."""
        for folder, folders, files in os.walk(self.root, topdown=False):
            here = Path(folder)
            for name in files:
                if (here / name).relative_to(self.root).as_posix() not in self._kept:
                    (here / name).unlink()
                    self.changed.append((here / name).relative_to(self.root).as_posix())
            for name in folders:
                if not any((here / name).iterdir()):
                    (here / name).rmdir()

    def _replace(self, file: Path, write: Callable[[Path], object]) -> None:
        for parent in file.parents:
            if parent == self.root:
                break
            if parent.is_file():  # a page became a folder
                parent.unlink()
        if file.is_dir():
            shutil.rmtree(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file)
