"""Pages that share a name, arranged so that the nearest to a folder are found without a search."""

from collections.abc import Sequence

from wiki_tools.graph.names import Row
from wiki_tools.graph.outline import Outline

Folders = tuple[str, ...]
"""Folders, each with a `/` at its end; the docs folder is empty."""


class Crowd:
    """Knows for every folder which of the pages below it lie least deep.

    Ten thousand pages called `README` link to each other by that name: comparing each with each
    would take an hour.
    """

    def __init__(self, rows: Sequence[Row], pages: Sequence[Outline]) -> None:
        self.rows = rows
        self._below: dict[str, tuple[int, list[Row]]] = {}
        for row in rows:
            path = pages[row[1]].path
            depth = path.count("/")
            for folder in _ancestors(path):
                least, found = self._below.setdefault(folder, (depth, []))
                if depth < least:
                    self._below[folder] = depth, [row]
                elif depth == least:
                    found.append(row)

    def nearest(self, path: str) -> Folders:
        """The folders below which, least deep, the pages lie that are fewest steps from a page.

        Seen from a folder above, pages seem at most farther than they are, so that the least
        number of steps is the true one.
        """
        best = -1
        found: list[str] = []
        for folder in _ancestors(path):
            if folder in self._below:
                steps = path.count("/") + self._below[folder][0] - 2 * folder.count("/")
                if best < 0 or steps < best:
                    best, found = steps, []
                if steps == best:
                    found.append(folder)
        return tuple(found)

    def least_deep(self, folders: Folders) -> list[Row]:
        """The pages that lie least deep below folders, in the order of their paths."""
        if len(folders) == 1:
            return self._below[folders[0]][1]
        return sorted((row for folder in folders for row in self._below[folder][1]), key=_index)


def _index(row: Row) -> int:
    return row[1]


def _ancestors(path: str) -> list[str]:
    """The folders that a path lies in, the docs folder last."""
    ends = [at for at, character in enumerate(path) if character == "/"]
    return [*(path[: at + 1] for at in reversed(ends)), ""]
