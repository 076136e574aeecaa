"""What is known of a page before its fences are completed: fixtures, frameworks, tabs, names."""

import ast
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from wiki_tools.code import find_kind, session_source, statements
from wiki_tools.config import Config
from wiki_tools.errors import nearest
from wiki_tools.markup import Fence
from wiki_tools.pages import Page
from wiki_tools.snippets.fixtures import read_fixtures
from wiki_tools.snippets.imports import (
    IMPORTS,
    array_framework,
    declared_framework,
    find_frameworks,
)
from wiki_tools.snippets.names import find_names
from wiki_tools.snippets.sections import Group, group_fences
from wiki_tools.snippets.tabs import find_tabs, framework_of
from wiki_tools.tree import VaultFiles

CLOSE = 82.0
"""How like a missing name another one must be to be what was meant, of 100."""


class PageContext:
    """A page's fences and fixture files, read once for all of its snippets.

    Raises:
        ConfigError: a fixture file cannot be read.
    """

    def __init__(self, config: Config, page: Page, files: VaultFiles | None = None) -> None:
        self.files = files or VaultFiles()
        self.root = config.root
        self.folders = module_folders(config, page.path)
        self.path = (config.docs / page.path).relative_to(config.root).as_posix()
        self.groups = group_fences(page)
        self.by_line = {group.fence.line: group for group in self.groups}
        self.setups = {s.line: s for group in self.groups for s in group.setups}
        folder = config.snippets / "fixtures"
        own = f"{fixture_stem(page.path, config)}.py"
        read = partial(read_fixtures, root=config.root, files=self.files)
        self.own_fixtures = read(folder / own) if own != "wiki.py" else {}
        self.wiki_fixtures = read(folder / "wiki.py")
        self.tabs = find_tabs(page.markup.text, page.markup.fences)
        self.frameworks = self._frameworks(page)
        self._binders: dict[str, list[Group]] | None = None

    def binders(self, name: str) -> Sequence[Group]:
        """The patterns that bind a name, in the page's order."""
        if self._binders is None:
            self._binders = {}
            for group in self.groups:
                for bound in find_names(code_of(group.fence)).bound:
                    self._binders.setdefault(bound, []).append(group)
        return self._binders.get(name, ())

    def nearest(self, name: str) -> str:
        """The name of the page, or the one that everyone knows, which was probably meant."""
        self.binders(name)
        setups = [find_names(code_of(setup)).bound for setup in self.setups.values()]
        known = {*(self._binders or ()), *IMPORTS}.union(*setups) - {name}
        near = nearest(name, known, CLOSE) or ""
        # `trainer` is no `Trainer`: a class is not meant where an object stands
        return near if near[:1].isupper() == name[:1].isupper() else ""

    def _frameworks(self, page: Page) -> dict[int, str]:
        """Say for each fence, by line, what makes its arrays: by itself, else by its nearest."""
        told = {
            fence.line: array_framework(find_frameworks(fence.code))
            or framework_of(self.tabs.get(fence.line, frozenset()))
            for fence in page.markup.fences
        }
        said = [(line, framework) for line, framework in told.items() if framework]
        default = declared_framework(page.frontmatter.tech_stack.get("framework", "")) or "torch"
        for line, framework in told.items():
            above = [f for at, f in said if at < line]
            below = [f for at, f in said if at > line]
            told[line] = framework or next(iter([*above[-1:], *below[:1]]), default)
        return told

    def framework(self, fence: Fence) -> str:
        """What makes the arrays of a fence."""
        return self.frameworks.get(fence.line, "torch")

    def is_earlier(self, group: Group, fence: Fence) -> bool:
        """Whether a pattern stands above a fence and speaks its framework."""
        return group.fence.line < fence.line and self.is_kin(group, fence)

    def is_kin(self, group: Group, fence: Fence) -> bool:
        """Whether a pattern may share names with a fence: neither framework nor tab differ."""
        here, there = self.tabs.get(fence.line), self.tabs.get(group.fence.line)
        if group.fence.role or (here and there and here.isdisjoint(there)):
            return False
        own = array_framework(find_frameworks(group.fence.code))
        return own in ("", self.framework(fence), *find_frameworks(fence.code))


def module_folders(config: Config, path: str) -> tuple[Path, ...]:
    """Where a page's code may find modules of the vault: beside it, then in `snippets/`."""
    return ((config.docs / path).parent, config.snippets)


def fixture_stem(path: str, config: Config) -> str:
    """What a page's own fixture file is called, without `.py`."""
    name = PurePosixPath(path).name.removesuffix(".md")
    for language in config.languages:
        name = name.removesuffix(f".{language}")
    return name


def definitions(code: str) -> frozenset[str]:
    """Functions and classes of code's top level."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in statements(code) if isinstance(node, kinds))


def code_of(fence: Fence) -> str:
    """What a fence runs: its text, dedented; of a session, its statements."""
    kind = find_kind(fence.code, fence.role, fence.line)
    return session_source(kind.code) if kind.session else kind.code
