"""Asks the rules of the whole wiki, each only if what it needs changed."""

import marshal
from collections.abc import Callable, Mapping
from typing import Any

from wiki_tools.cache import Cache, digest
from wiki_tools.checks.diagnostic import (
    Diagnostic,
    PackedDiagnostic,
    pack_diagnostics,
    read_diagnostics,
)
from wiki_tools.checks.rules import WIKI_RULES
from wiki_tools.checks.types import Wiki
from wiki_tools.graph.outline import STABLE

_NEEDS: dict[str, Callable[[Wiki], Any]] = {
    "reached": lambda wiki: [row.reached for row in wiki.links.values()],
    "parents": lambda wiki: [row.parents for row in wiki.links.values()],
    "wanted": lambda wiki: [row.wanted for row in wiki.links.values()],
    "near": lambda wiki: sorted(wiki.near.items()),
    "fences": lambda wiki: [tuple(map(tuple, rows)) for rows in wiki.fences.values()],
    "signatures": lambda wiki: list(wiki.signatures.values()),
    "today": lambda wiki: wiki.today.isoformat(),
}
"""What stands for everything that a rule may need, the pages apart."""
_OF_LINKS = {"reached", "parents", "wanted", "near"}
"""What is known only once links are resolved."""


class Judge:
    """Remembers what the rules found, and what they found it in."""

    def __init__(self, cache: Cache | None, pages: bytes) -> None:
        """Judge a wiki; `pages` stands for all outlines."""
        self._cache = cache
        self._known: Mapping[str, Any] = (cache and cache.load("rules")) or {}
        self._kept: dict[str, tuple[bytes, tuple[PackedDiagnostic, ...]]] = {}
        self._states = {"pages": pages}

    def look(self, wiki: Wiki, *, linked: bool) -> list[Diagnostic]:
        """What the rules find that need resolved links, or those that do not."""
        found: list[Diagnostic] = []
        for rule in WIKI_RULES:
            if linked is _OF_LINKS.isdisjoint(rule.needs):
                continue
            name = rule.codes[0]
            state = digest(b"".join(self._state(need, wiki) for need in rule.needs))
            saved = self._known.get(name)
            if saved is None or saved[0] != state:
                saved = (state, pack_diagnostics(rule.find(wiki)))
            self._kept[name] = saved
            found += read_diagnostics(saved[1])
        return found

    def keep(self) -> None:
        """Remember what was found."""
        if self._cache and self._kept != self._known:
            self._cache.save("rules", self._kept)

    def _state(self, need: str, wiki: Wiki) -> bytes:
        if need not in self._states:
            self._states[need] = digest(marshal.dumps(_NEEDS[need](wiki), STABLE))
        return self._states[need]
