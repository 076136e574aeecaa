"""Where evidence lies, and in which format."""

import re
from pathlib import Path
from urllib.parse import quote

from wiki_tools.tree import make_ignored

VERSION = 2
"""1: `environments` are listed once a file, `snippets` name theirs by its index.

2: a snippet also has `resolved`, `timeout` and `memory`, and a file has `account`.
"""

_ENDING = re.compile(r"\.(?=json\Z)", re.IGNORECASE)
LOCAL = "local"
"""The folder of what was measured on this machine and is not committed."""


def evidence_file(folder: Path, environment: str, page: str) -> Path:
    """Name the file of a page's evidence; a key's slashes make folders.

    Anything that is no plain file name is percent-quoted, so that no key leads elsewhere; so is
    what would make a folder look like the file of another page.
    """
    *folders, last = (_plain(part) for part in page.split("/"))
    return folder.joinpath(environment, *(_ENDING.sub("%2E", f) for f in folders), f"{last}.json")


def make_folder(folder: Path, environment: str) -> None:
    """Make the folder of an environment; git ignores what this machine alone has seen.

    Raises:
        OSError: it cannot be made.
    """
    if environment == LOCAL:
        make_ignored(folder / LOCAL)
    else:
        (folder / environment).mkdir(parents=True, exist_ok=True)


def _plain(part: str) -> str:
    """A file name that no system refuses or understands as something else."""
    quoted = quote(part, safe=" ") if not re.fullmatch(r"[\w\- .]*", part) else part
    if not quoted.strip(". "):
        quoted = "".join(f"%{byte:02X}" for byte in part.encode()) or "%"
    if len(quoted.encode()) > 200:  # file systems allow 255 bytes
        import hashlib

        quoted = f"{quoted[:40]}-{hashlib.sha256(part.encode()).hexdigest()[:16]}"
    return quoted
