"""Every code that a finding can have, and what is to be known of it."""

from wiki_tools.checks.codes.table import CODES, GROUPS, finding

__all__ = ["CODES", "GROUPS", "finding"]
