"""The values that extraction makes."""

from dataclasses import dataclass

from wiki_tools.markup import Fence, Heading
from wiki_tools.protocol import Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A free name that nothing provides."""

    name: str
    line: int
    """Of its first use: 1-based, in the page."""
    near: str = ""
    """The name that was probably meant, where the page or everyone has such a one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to fill names: which guesses are made."""

    world: str
    """The stock's world of shapes that is asked first: `sequence`, `matrix` or `image`."""
    earlier: bool = True
    """Whether earlier fences of the page may provide names."""
    sliced: bool = False
    """Of those fences only the statements that make a name run."""
    whole: bool = False
    """All that stands above runs first, as in a notebook."""
    driven: bool = True
    """Whether a function that comes last is called."""

    sizes: tuple[tuple[str, int], ...] = ()
    """Sizes of the stock that the page's own layers ask for."""

    @property
    def is_resort(self) -> bool:
        """Whether this is tried only where all else failed; no digest depends on it."""
        return self.sliced or self.whole or bool(self.sizes) or not self.driven


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A snippet completed: it runs on its own."""

    cells: Cells
    context: dict[str, str]
    """Free name to its origin: `setup`, `snippets/fixtures/wiki.py`, `#p03`, `stock: sequence`."""
    missing: tuple[Missing, ...] = ()
    retargeted: bool = False
    """It names a card and was told to use the run's device."""
    frameworks: tuple[str, ...] = ()
    """What must be imported to run it: `torch`, `jax`, `numpy`, `triton`."""
    sizes: tuple[str, ...] = ()
    """Names of the sizes that a sweep may vary, of all its fixtures."""
    variant: Variant = Variant(world="sequence")
    guesses: frozenset[str] = frozenset()
    """Parts of `variant` that had a say: `world`, `earlier`."""
    unchecked: tuple[str, ...] = ()
    """Assertion comments that cannot be checked, as `line: text`."""
    notes: tuple[str, ...] = ()
    """What a reader should know of a run of it, such as `not called: ...`."""


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
    """Empty for a pattern; `baseline`, `antipattern`, or `check` with no pattern to check."""
    fence: Fence
    programs: tuple[Program, ...]
    """At least one; the others are tried where the first fails for a guess."""
    skip: str = ""
    """Why it is not run (`no-run`, a traceback, a diff, mathematics, ...); empty when it is."""
    digest: str = ""
    """Of all programs and of what decides whether they pass."""
    pattern: str = ""
    """Id of the pattern that a `baseline` or `antipattern` is compared with; empty where none."""
    prints: str | None = None
    """What its fences must print: the text of its `out` fence."""
    raises: str = ""
    """The name of the exception that it must raise."""
    packages: tuple[str, ...] = ()
    """What its programs import and `needs` asks for, by top-level names; Python's own left out."""
    modules: tuple[str, ...] = ()
    """Python files of the vault that its programs import, relative to the root."""
    modules_digest: str = ""
    """Of what those held when they were looked at: a run imports them later."""
    lines: tuple[int, ...] = ()
    """Where the code of its own fences begins: the pattern, what continues it, checks, output."""
    setups: tuple[int, ...] = ()
    """The same of the set-up that runs before it."""
