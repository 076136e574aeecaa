"""The rules, of each kind in the order in which they look."""

from wiki_tools.checks.files import find_case_clashes
from wiki_tools.checks.identity import (
    find_duplicate_aliases,
    find_duplicate_ids,
    find_duplicate_titles,
    find_similar_pages,
)
from wiki_tools.checks.links import (
    find_broken_links,
    find_distant_links,
    find_links_to_duplicates,
    find_orphans,
    find_self_links,
    find_wanted_pages,
)
from wiki_tools.checks.matter import find_aged_pages, find_category_mismatches, find_problems
from wiki_tools.checks.parents import find_parent_cycles
from wiki_tools.checks.snippets import (
    find_drifted_snippets,
    find_fences_without_code,
    find_idle_assertions,
    find_incomplete_snippets,
    find_unbacked_claims,
)
from wiki_tools.checks.standing import (
    find_canonical_chains,
    find_canonical_cycles,
    find_missing_canonicals,
)
from wiki_tools.checks.translations import find_differing_translations, find_translation_ids
from wiki_tools.checks.types import BackingRule, LinkRule, PageRule, Rule, WikiRule

PAGE_RULES = (
    PageRule(
        codes=(
            "unreadable-file",
            "not-utf-8",
            "nul-byte",
            "byte-order-mark",
            "mixed-line-endings",
            "conflict-marker",
            "nameless-page",
            "unclosed-frontmatter",
            "broken-frontmatter",
            "duplicate-key",
            "frontmatter-value",
            "unspaced-item",
            "unquoted-link",
            "swallowed-value",
            "json-frontmatter",
            "unknown-key",
            "cut-link",
            "unclosed-fence",
            "unknown-role",
            "unknown-attribute",
            "several-roles",
            "bad-attribute",
        ),
        find=find_problems,
    ),
    PageRule(codes=("category-mismatch",), find=find_category_mismatches),
    PageRule(codes=("fence-not-code", "syntax-error"), find=find_fences_without_code),
    PageRule(codes=("idle-assertion",), find=find_idle_assertions),
)
LINK_RULES = (
    LinkRule(
        codes=("ambiguous-link", "missing-heading", "missing-block", "missing-file"),
        find=find_broken_links,
    ),
    LinkRule(codes=("distant-link",), find=find_distant_links),
    LinkRule(codes=("self-link",), find=find_self_links),
    LinkRule(codes=("link-to-duplicate",), find=find_links_to_duplicates),
)
WIKI_RULES = (
    WikiRule(codes=("case-clash",), needs=("pages",), find=find_case_clashes),
    WikiRule(codes=("aged-page",), needs=("pages", "today"), find=find_aged_pages),
    WikiRule(codes=("wanted-page",), needs=("pages", "wanted", "near"), find=find_wanted_pages),
    WikiRule(codes=("orphan-page",), needs=("pages", "reached"), find=find_orphans),
    WikiRule(codes=("duplicate-id",), needs=("pages",), find=find_duplicate_ids),
    WikiRule(codes=("duplicate-title",), needs=("pages",), find=find_duplicate_titles),
    WikiRule(codes=("duplicate-alias",), needs=("pages",), find=find_duplicate_aliases),
    WikiRule(codes=("similar-pages",), needs=("pages", "signatures"), find=find_similar_pages),
    WikiRule(codes=("missing-canonical",), needs=("pages",), find=find_missing_canonicals),
    WikiRule(codes=("canonical-chain",), needs=("pages",), find=find_canonical_chains),
    WikiRule(codes=("canonical-cycle",), needs=("pages",), find=find_canonical_cycles),
    WikiRule(codes=("parent-cycle",), needs=("pages", "parents"), find=find_parent_cycles),
    WikiRule(codes=("translation-id",), needs=("pages",), find=find_translation_ids),
    WikiRule(
        codes=("translation-differs",), needs=("pages", "fences"), find=find_differing_translations
    ),
)
BACKING_RULES = (
    BackingRule(codes=("incomplete-snippet",), find=find_incomplete_snippets),
    BackingRule(codes=("drifted-snippet",), find=find_drifted_snippets),
    BackingRule(codes=("unbacked-claim",), find=find_unbacked_claims),
)
RULES: tuple[Rule, ...] = (*PAGE_RULES, *LINK_RULES, *WIKI_RULES, *BACKING_RULES)
