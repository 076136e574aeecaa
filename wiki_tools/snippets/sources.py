"""What may fill a name: a piece of program text with the names that it provides and needs."""

from dataclasses import dataclass
from typing import Literal

from wiki_tools.protocol import Cell
from wiki_tools.snippets.fixtures import Fixture
from wiki_tools.snippets.types import Missing

Kind = Literal["fixture", "setup", "context", "import", "run"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """Something that a program takes in; compared by identity."""

    kind: Kind
    label: str
    """How the page says where a name came from."""
    order: int = 0
    """The page's line, for fences: they keep the page's order."""
    provides: frozenset[str] = frozenset()
    needs: tuple["Source", ...] = ()
    """What has to stand before it."""
    cells: tuple[Cell, ...] = ()
    imports: tuple[str, ...] = ()
    fixture: Fixture | None = None
    framework: str = ""
    missing: tuple[Missing, ...] = ()


_RANK: dict[Kind, int] = {"run": 0, "import": 0, "fixture": 1, "setup": 2, "context": 3}


def in_order(wanted: tuple[Source, ...]) -> list[Source]:
    """List sources and what they need so that each stands behind what it needs.

    Within that, fixtures come first, then set-up, then earlier fences in the page's order.
    """
    reached: dict[int, Source] = {}
    todo = list(reversed(wanted))
    while todo:
        source = todo.pop()
        if id(source) not in reached:
            reached[id(source)] = source
            todo.extend(reversed(source.needs))
    waiting = sorted(reached.values(), key=lambda s: (_RANK[s.kind], s.order))
    placed: list[Source] = []
    done: set[int] = set()
    while waiting:
        ready = next((s for s in waiting if all(id(n) in done for n in s.needs)), waiting[0])
        waiting.remove(ready)
        placed.append(ready)
        done.add(id(ready))
    return placed
