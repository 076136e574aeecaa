"""What code imports: modules of the vault itself, and packages that are installed."""

import ast
import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wiki_tools.code import nodes_of
from wiki_tools.tree import VaultFiles


class Module(NamedTuple):
    """A Python file of the vault that code imports."""

    name: str
    """Its path from the folder in which it was looked for: what an import says."""
    path: str
    """Its path from the vault's root."""
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a program takes in from elsewhere."""

    packages: tuple[str, ...] = ()
    """Top-level names of what is not Python's own: packages, unless only the vault has them."""
    modules: tuple[Module, ...] = ()


def digest_modules(modules: Iterable[Module]) -> str:
    """Stand for what files hold, to the letter."""
    texts = [f"{module.path}\0{module.code}\0" for module in modules]
    return hashlib.sha256("".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def digest_now(paths: Iterable[str], root: Path) -> str:
    """The same of what the files hold by now."""
    files = VaultFiles()
    return digest_modules(Module("", path, files.text(root / path) or "") for path in paths)


def find_imported(
    codes: Iterable[str], folders: Sequence[Path], files: VaultFiles, root: Path
) -> Imported:
    """Follow the imports of code through the vault's own modules, which lie in `folders`.

    Which of a module and a package that bear one name is taken depends on the machine: both count.
    """
    packages: set[str] = set()
    modules: dict[str, Module] = {}
    todo = [name for code in codes for name in imports_of(code)]
    seen: set[str] = set()
    while todo:
        top = todo.pop().partition(".")[0]
        if top in seen or top in sys.stdlib_module_names:
            continue
        seen.add(top)
        packages.add(top)
        found = {module.path: module for module in _modules(top, folders, files, root)}
        modules |= found
        todo += (name for module in found.values() for name in imports_of(module.code))
    return Imported(
        packages=tuple(sorted(packages)), modules=tuple(modules[path] for path in sorted(modules))
    )


def _modules(name: str, folders: Sequence[Path], files: VaultFiles, root: Path) -> Iterator[Module]:
    """The file of a module, or all that are below its folder, in each folder that has either."""
    for folder in folders:
        for path in (f"{name}.py", *files.python_below(folder / name)):
            code = files.text(folder / path)
            if code is not None:
                file = (folder / path).relative_to(root).as_posix()
                yield Module(name=path, path=file, code=code)


@functools.lru_cache(maxsize=4096)
def imports_of(code: str) -> tuple[str, ...]:
    """Give the modules that code imports from the top, by statement or by a literal name."""
    if "import" not in code:
        return ()
    found: dict[str, None] = {}
    for node in nodes_of(code):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found[node.module] = None
        elif isinstance(node, ast.Call) and _is_import(node.func) and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found[name.value] = None
    return tuple(name for name in found if name.partition(".")[0].isidentifier())


def _is_import(function: ast.expr) -> bool:
    """Whether a call is `__import__` or `importlib.import_module`."""
    name = getattr(function, "attr", None) or getattr(function, "id", "")
    return name in ("__import__", "import_module")
