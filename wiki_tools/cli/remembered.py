"""What `wiki verify` said when it had nothing to do, told again while it still has nothing to do.

Everything that decides what it says is looked at: every page, every file of the evidence, every
fixture and module that was asked for, the versions of the packages that snippets import, the
machine, the day, the command line and the terminal. Only reading and judging them is left out.
"""

import datetime
import io
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from wiki_tools.cache import Cache, digest
from wiki_tools.config import Config
from wiki_tools.environment import Environment, resolve_versions
from wiki_tools.tree import VaultFiles, find_files, load_file, see

_NAME = "verified"
_FEW = 4
"""Answers that are remembered."""
JOURNALS = ".*.journal"
"""As `wiki_tools.ledger.journal` names them; importing that takes as long as all the rest."""
_TERMINAL = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS")


class Answer(NamedTuple):
    """What a command printed, and how it ended."""

    text: str
    code: int


class Remembered:
    """The last answer to one command line in one vault on one machine."""

    def __init__(
        self,
        config: Config,
        cache: Cache,
        environment: Environment,
        asks: str,
        today: datetime.date | None = None,
    ) -> None:
        """Look at the vault as it is; `asks` is the command line."""
        self._config = config
        self._cache = cache
        today = today or datetime.datetime.now(datetime.UTC).date()
        self._asks = repr((asks, environment, _terminal(), today.isoformat()))
        self._state = self._see()

    def recall(self) -> Answer | None:
        """What was said, if all is as it was then."""
        saved = self._answers().get(self._state)
        if saved is None:
            return None
        asked, packages, text, code = saved
        if not VaultFiles().still(asked) or packages != _versions(packages):
            return None
        return Answer(text, code)

    def keep(self, answer: Answer, asked: Mapping[str, bytes], packages: set[str]) -> None:
        """Remember what was said, unless something has changed while it was being found."""
        if self._see() != self._state:
            return
        versions = _versions(dict.fromkeys(packages, ""))
        others = {state: row for state, row in self._answers().items() if state != self._state}
        kept = list(others.items())[1 - _FEW :]
        self._cache.save(_NAME, dict([*kept, (self._state, (dict(asked), versions, *answer))]))

    def _answers(self) -> dict[bytes, Any]:
        """The last answers: a person, an editor and a script may ask in turn."""
        saved: dict[bytes, Any] = self._cache.load(_NAME) or {}
        return saved

    def _see(self) -> bytes:
        """Stands for the pages, the evidence and all that is around them."""
        tree = find_files(self._config.docs)
        rows = [self._asks]
        rows += (f"{path}\0{reason}" for path, reason in tree.closed)
        rows += (f"{path}\0{see(*load_file(file)).hex()}" for path, file in tree.pages)
        evidence = self._config.evidence
        known = [*evidence.glob("*/**/*.json"), *evidence.glob(f"*/{JOURNALS}")]
        for file in sorted(map(os.fspath, known)):
            rows.append(f"{file}\0{see(*load_file(file)).hex()}")
        return digest("\n".join(rows).encode("utf-8", "surrogatepass"))


def _versions(packages: Mapping[str, str]) -> dict[str, str]:
    """The versions that there are of the packages that are named."""
    return dict(resolve_versions(tuple(sorted({*packages} - {"python", "jaxlib"}))))


def _terminal() -> tuple[Any, ...]:
    """What decides how text looks."""
    stream = sys.stdout
    variables = [os.environ.get(name) for name in _TERMINAL]
    size = shutil.get_terminal_size().columns
    return stream.isatty(), stream.encoding, size, variables, os.getcwd()  # noqa: PTH109


class _Copy(io.TextIOBase):
    """Keeps what is written, and passes it on."""

    def __init__(self, stream: Any, passing: bool) -> None:
        self.kept: list[str] = []
        self._stream, self._passing = stream, passing

    def write(self, text: str) -> int:
        if self._passing:
            self._stream.write(text)
        if not isinstance(text, str):  # click tries bytes, to see whether they pass
            raise TypeError("a text was expected")
        self.kept.append(text)
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        said: bool = self._stream.isatty()
        return said

    def fileno(self) -> int:
        number: int = self._stream.fileno()
        return number

    @property
    def encoding(self) -> str:  # type: ignore[override]
        name: str = self._stream.encoding
        return name


@contextmanager
def copied_output(*, passing: bool = True) -> Iterator[list[str]]:
    """Keep what is printed, piece by piece, instead of printing it where it is not `passing`."""
    copy = _Copy(sys.stdout, passing)
    sys.stdout = copy
    try:
        yield copy.kept
    finally:
        sys.stdout = copy._stream
