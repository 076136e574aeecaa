"""Extracts runnable code, each piece with an id and a digest."""

from dataclasses import dataclass

from wiki_tools.markup import Fence, Heading
from wiki_tools.protocol import Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A free name that nothing provides."""

    name: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A snippet completed: it runs on its own."""

    cells: Cells
    context: dict[str, str]
    """Free name to where it came from: `setup`, `snippets/fixtures/wiki.py`, `#p03`, `stock: sequence`, `import`."""
    missing: tuple[Missing, ...] = ()
    retargeted: bool = False
    """It names a card and was told to use the run's device."""
    frameworks: tuple[str, ...] = ()
    """What must be imported to run it: `torch`, `jax`, `numpy`, `triton`."""
    sizes: tuple[str, ...] = ()
    """Names of the sizes that a sweep may vary, of all its fixtures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A runnable fence with all that its section says of it."""

    id: str
    """The page's key, `#` and its place, such as `#p04`."""
    page: str
    """The page's key."""
    path: str
    """The page's path, in the default language where there is one."""
    heading: Heading | None
    role: str
    """Empty for a pattern; `baseline` and `antipattern` fences are snippets as well."""
    fence: Fence
    programs: tuple[Program, ...]
    """At least one; the others are tried where the first fails for a guess."""
    skip: str = ""
    """Why it is not run (`no-run`, a traceback, a diff, mathematics, ...); empty when it is."""
    digest: str = ""
    """Of all programs and of what decides whether they pass."""
