"""Findings in what pages are called, and in what they say."""

from collections.abc import Iterator
from dataclasses import replace

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.similar import similar_pairs
from wiki_tools.checks.types import Wiki
from wiki_tools.graph import Outline, fold


def find_duplicate_ids(wiki: Wiki) -> Iterator[Diagnostic]:
    """Ids that two pages claim; translations share theirs."""
    first: dict[str, Outline] = {}
    for page in wiki.pages:
        if not page.id:
            continue
        known = first.setdefault(fold(page.id), page)
        if known.stem != page.stem:
            message = f"The id {page.id!r} is that of {known.path} already."
            yield finding("duplicate-id", page.path, message, *page.place("id"))


def find_duplicate_titles(wiki: Wiki) -> Iterator[Diagnostic]:
    """Titles that more than one page claims; translations and duplicates may share theirs.

    Files of one name, titled by it, are told apart by their folders: good to know at most.
    """
    group = wiki.canonical
    first: dict[str, Outline] = {}
    for page in wiki.pages:
        if not page.titled:
            continue
        known = first.setdefault(fold(page.title), page)
        if group[known.key] != group[page.key]:
            message = f"The title {page.title!r} is that of {known.path} as well."
            found = finding("duplicate-title", page.path, message, *page.place("title"))
            named = _is_file_name(known) and _is_file_name(page)
            yield replace(found, severity="info") if named else found


def _is_file_name(page: Outline) -> bool:
    """Whether a page's title is its file's name."""
    return fold(page.title) == fold(page.stem.rpartition("/")[2])


def find_duplicate_aliases(wiki: Wiki) -> Iterator[Diagnostic]:
    """Aliases that another page bears as its title, id, file name or alias, and so may lose."""
    group = wiki.canonical
    first: dict[str, Outline] = {}
    for page in wiki.pages:
        for name in (page.title, page.id, page.stem.rpartition("/")[2]):
            first.setdefault(fold(name), page)
    for page in wiki.pages:
        for index, alias in enumerate(page.aliases):
            known = first.setdefault(fold(alias), page)
            if group[known.key] != group[page.key]:
                message = f"The alias {alias!r} is a name of {known.path} as well."
                place = page.place("aliases", index)
                yield finding("duplicate-alias", page.path, message, *place)


def find_similar_pages(wiki: Wiki) -> Iterator[Diagnostic]:
    """Pages most of whose text stands on another page that they do not declare to be theirs."""
    group = wiki.canonical
    groups = {path: group[key] for path, key in wiki.keys.items()}
    for row in similar_pairs(wiki.signatures, groups):
        percent = int(row.share * 100)
        share = "All" if percent == 100 else f"{percent}%"
        yield finding("similar-pages", row.path, f"{share} of its text is that of {row.other}.")
