"""The rules, in the order in which they look."""

from wiki_tools.checks.codes import CODES
from wiki_tools.checks.identity import (
    find_canonical_faults,
    find_duplicate_ids,
    find_duplicate_names,
)
from wiki_tools.checks.links import (
    find_broken_links,
    find_links_to_duplicates,
    find_orphans,
    find_self_links,
)
from wiki_tools.checks.matter import find_aged_pages, find_category_mismatches, find_problems
from wiki_tools.checks.parents import find_parent_cycles
from wiki_tools.checks.snippets import (
    find_drifted_snippets,
    find_fences_without_code,
    find_incomplete_snippets,
    find_unbacked_claims,
)
from wiki_tools.checks.translations import find_differing_translations, find_translation_ids
from wiki_tools.checks.types import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        codes=(
            "unreadable-file",
            "not-utf-8",
            "nul-byte",
            "unclosed-frontmatter",
            "broken-frontmatter",
            "duplicate-key",
            "frontmatter-value",
            "unknown-key",
            "unclosed-fence",
            "unknown-role",
            "unknown-attribute",
            "several-roles",
            "bad-attribute",
        ),
        find=find_problems,
    ),
    Rule(codes=("category-mismatch",), find=find_category_mismatches),
    Rule(codes=("aged-page",), find=find_aged_pages),
    Rule(
        codes=(
            "wanted-page",
            "ambiguous-link",
            "missing-heading",
            "missing-block",
            "missing-file",
        ),
        find=find_broken_links,
    ),
    Rule(codes=("self-link",), find=find_self_links),
    Rule(codes=("link-to-duplicate",), find=find_links_to_duplicates),
    Rule(codes=("orphan-page",), find=find_orphans),
    Rule(codes=("duplicate-id",), find=find_duplicate_ids),
    Rule(codes=("duplicate-title", "duplicate-alias"), find=find_duplicate_names),
    Rule(
        codes=("missing-canonical", "canonical-chain", "canonical-cycle"),
        find=find_canonical_faults,
    ),
    Rule(codes=("parent-cycle",), find=find_parent_cycles),
    Rule(codes=("translation-id",), find=find_translation_ids),
    Rule(codes=("translation-differs",), find=find_differing_translations),
    Rule(codes=("fence-not-code",), find=find_fences_without_code),
    Rule(codes=("incomplete-snippet",), find=find_incomplete_snippets),
    Rule(codes=("drifted-snippet",), find=find_drifted_snippets),
    Rule(codes=("unbacked-claim",), find=find_unbacked_claims),
)

__all__ = ["CODES", "RULES"]
