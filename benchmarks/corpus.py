"""Outside pages to learn from: READMEs and documentation of packages, from PyPI."""

from pathlib import Path


def gather() -> tuple[dict[str, Path], str]:
    """Give a folder of Markdown for each package, and what to say of those that are not there."""
    return {}, ""
