"""What a page asserts about its snippets."""

from wiki_tools.claims.find import all_claims, claims_of_fence, find_claims, stated_claims
from wiki_tools.claims.types import Claim
from wiki_tools.markup.ranges import parse_range

__all__ = [
    "Claim",
    "all_claims",
    "claims_of_fence",
    "find_claims",
    "parse_range",
    "stated_claims",
]
