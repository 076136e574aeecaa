"""Findings in the names of files."""

import unicodedata
from collections.abc import Iterable, Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import Wiki


def find_case_clashes(wiki: Wiki) -> Iterator[Diagnostic]:
    """Files that are one on Windows and macOS: there a vault cannot hold both."""
    first: dict[str, str] = {}
    for page in wiki.pages:
        path = page.path if page.path.isascii() else unicodedata.normalize("NFC", page.path)
        other = first.setdefault(path.lower(), page.path)
        if other != page.path:
            same = path == unicodedata.normalize("NFC", other)
            difference = "in how its letters are composed" if same else "in upper and lower case"
            message = f"The file differs from {other} only {difference}."
            yield finding("case-clash", page.path, message)


def find_closed_folders(closed: Iterable[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Folders that cannot be listed, with the reason: their pages are not among those checked."""
    for path, reason in closed:
        message = f"The folder cannot be listed: {reason}; no page in it was looked at."
        yield finding("unreadable-file", path, message, hint="Mend its permissions, or move it.")
