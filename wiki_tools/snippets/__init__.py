"""Extracts runnable code, each piece with an id and a digest."""

from wiki_tools.snippets.context import fixture_stem, module_folders
from wiki_tools.snippets.digest import normalized
from wiki_tools.snippets.export import export
from wiki_tools.snippets.extract import (
    Extracted,
    chosen_pages,
    extract_all,
    extract_snippets,
    extract_wiki,
)
from wiki_tools.snippets.files import drifted, snippet_file, write_snippets
from wiki_tools.snippets.guesses import explain_guess, is_worth_trying
from wiki_tools.snippets.missing import describe_missing
from wiki_tools.snippets.modules import digest_now
from wiki_tools.snippets.program import complete
from wiki_tools.snippets.sections import check_fences, is_pattern, snippet_ids
from wiki_tools.snippets.slices import share_statements
from wiki_tools.snippets.types import Missing, Program, Snippet, Variant

__all__ = [
    "Extracted",
    "Missing",
    "Program",
    "Snippet",
    "Variant",
    "check_fences",
    "chosen_pages",
    "complete",
    "describe_missing",
    "digest_now",
    "drifted",
    "explain_guess",
    "export",
    "extract_all",
    "extract_snippets",
    "extract_wiki",
    "fixture_stem",
    "is_pattern",
    "is_worth_trying",
    "module_folders",
    "normalized",
    "share_statements",
    "snippet_file",
    "snippet_ids",
    "write_snippets",
]
