"""What is seen of a vault's files before any of them is read as a page."""

import datetime
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wiki_tools.cache import digest
from wiki_tools.config import Config
from wiki_tools.parallel import spread
from wiki_tools.tree import find_files, load_file, see

_WORTH_LOOKING = 2000
"""Files from which on other cores help with looking at them: 2,000 take 30 ms."""


class Sight(NamedTuple):
    """The files of a vault as they lie there."""

    files: list[tuple[str, str]]
    """Path of each page, and where it lies, in the order of paths."""
    closed: list[tuple[str, str]]
    """Folders that cannot be listed, and why."""
    others: bytes
    """Stands for the names of all other files, and for the closed folders."""
    texts: Mapping[str, bytes]
    """Path to what the page holds in place of what its file does."""

    def load(self, path: str, file: str) -> tuple[bytes, str]:
        """What a page holds, and why nothing where it cannot be read."""
        return (self.texts[path], "") if path in self.texts else load_file(file)


def look_around(config: Config, texts: Mapping[str, bytes]) -> Sight:
    """See which files there are."""
    tree = find_files(config.docs)
    closed = (f"{path}\0{reason}" for path, reason in tree.closed)
    others = digest("\0".join((*tree.others, "", *closed)).encode())
    return Sight(tree.pages, tree.closed, others, texts)


def look_closely(sight: Sight) -> dict[str, bytes]:
    """Path to what is seen of each page now."""
    chunks = spread(partial(_look, sight), len(sight.files), least=_WORTH_LOOKING)
    looks = (seen for chunk in chunks for seen in chunk)
    return {path: seen for (path, _), seen in zip(sight.files, looks, strict=True)}


def state_of(sight: Sight, looks: Sequence[bytes], today: datetime.date) -> bytes:
    """Stands for everything that decides what is found, the pages' looks in their order."""
    rows = (
        path.encode() + b"\0" + seen for (path, _), seen in zip(sight.files, looks, strict=True)
    )
    return digest(b"\0".join((today.isoformat().encode(), sight.others, *rows)))


def _look(sight: Sight, start: int, stop: int) -> list[bytes]:
    return [see(*sight.load(*row)) for row in sight.files[start:stop]]
