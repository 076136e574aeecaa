"""What can be fixed without asking what was meant: a row for each code of findings."""

from wiki_tools.edits.case import Fix
from wiki_tools.edits.fence_fixes import fix_attribute, fix_role, fix_unclosed_fence
from wiki_tools.edits.link_fixes import (
    fix_cut_link,
    fix_duplicate,
    fix_heading,
    fix_missing_file,
    fix_wanted_page,
)
from wiki_tools.edits.matter_fixes import (
    fix_broken_matter,
    fix_chain,
    fix_key,
    fix_swallowed_value,
    fix_tight_item,
    fix_unclosed_matter,
    fix_unquoted_link,
    fix_value,
)

FIXES: dict[str, Fix] = {
    "unclosed-frontmatter": fix_unclosed_matter,
    "broken-frontmatter": fix_broken_matter,
    "unspaced-item": fix_tight_item,
    "unquoted-link": fix_unquoted_link,
    "swallowed-value": fix_swallowed_value,
    "unknown-key": fix_key,
    "frontmatter-value": fix_value,
    "unclosed-fence": fix_unclosed_fence,
    "unknown-role": fix_role,
    "unknown-attribute": fix_attribute,
    "cut-link": fix_cut_link,
    "wanted-page": fix_wanted_page,
    "missing-heading": fix_heading,
    "missing-file": fix_missing_file,
    "link-to-duplicate": fix_duplicate,
    "canonical-chain": fix_chain,
}
"""Code to its fix. A fix is taken only where it leaves no finding that was not there before."""
