"""Fixtures for the names that such pages use, for any vault."""

from wiki_tools.stock.kin import find_kin, find_literal
from wiki_tools.stock.sources import find_rank, find_size, find_source
from wiki_tools.stock.worlds import WORLDS, Array, World

__all__ = [
    "WORLDS",
    "Array",
    "World",
    "find_kin",
    "find_literal",
    "find_rank",
    "find_size",
    "find_source",
]
