"""Keeps the files below `snippets/` as the pages would have them."""

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from wiki_tools.config import Config
from wiki_tools.pages import key_of
from wiki_tools.snippets.export import MARK, export
from wiki_tools.snippets.types import Snippet

FIXTURES = "fixtures"
"""The folder below `snippets/` that people write and nothing overwrites."""
_PLACE = re.compile(r"([ps])(\d+)(.*)\Z")
_NUMBERED = re.compile(r"^\W*(?:pattern|패턴)\s*#?\s*\d+\s*[—–:.)-]*\s*", re.IGNORECASE)
_LONGEST = 60


def snippet_file(config: Config, snippet: Snippet) -> Path:
    """Say where a snippet's file lies: `snippets/<page>/<NN>-<slug>.py`.

    No name can be imported: beside a `select.py` or a `triton.py`, neither its neighbours nor
    what they import would find the module of that name.
    """
    folder = PurePosixPath(key_of(snippet.path, config))
    if folder.parts[:1] == (FIXTURES,):
        folder = PurePosixPath(f"{FIXTURES}_", *folder.parts[1:])
    name = _name(snippet)
    if name.isidentifier():
        name += "-pattern"
    return config.snippets / folder / f"{name}.py"


def _name(snippet: Snippet) -> str:
    place = snippet.id.rpartition("#")[2]
    found = _PLACE.match(place)
    if found is None or (snippet.heading and snippet.heading.slug):
        return place
    number = found[2] if found[1] == "p" else f"s{found[2]}"
    title = _NUMBERED.sub("", snippet.heading.text) if snippet.heading else ""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title).lower())
    slug = "-".join(words)[:_LONGEST].rstrip("-")
    return (f"{number}-{slug}" if slug else number) + found[3]


def write_snippets(
    config: Config, snippets: Iterable[Snippet], choices: Mapping[str, int]
) -> tuple[Path, ...]:
    """Write every snippet's file and remove those that no page has any more.

    Args:
        config: where the vault lies.
        snippets: all of the wiki's.
        choices: snippet id to the index of the program that the evidence says works.

    Returns:
        What was written or removed.
    """
    wanted = _texts(config, snippets, choices)
    changed = [path for path, text in wanted.items() if _read(path) != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8", newline="\n")
    extra = [path for path in _written(config) if path not in wanted]
    for path in extra:
        path.unlink()
        _remove_empty(path.parent, config.snippets)
    return tuple(sorted([*changed, *extra]))


def drifted(
    config: Config, snippets: Iterable[Snippet], choices: Mapping[str, int]
) -> tuple[Path, ...]:
    """List the files that `write_snippets` would write or remove."""
    wanted = _texts(config, snippets, choices)
    changed = [path for path, text in wanted.items() if _read(path) != text]
    return tuple(sorted([*changed, *(path for path in _written(config) if path not in wanted)]))


def _texts(
    config: Config, snippets: Iterable[Snippet], choices: Mapping[str, int]
) -> dict[Path, str]:
    """What every file should hold; what is not run, or misses a name, has none."""
    texts: dict[Path, str] = {}
    for snippet in snippets:
        programs = snippet.programs
        program = programs[min(choices.get(snippet.id, 0), len(programs) - 1)]
        if snippet.skip or program.missing:
            continue
        path = snippet_file(config, snippet)
        root = Path(os.path.relpath(config.root, path.parent)).as_posix()
        texts[path] = export(snippet, program, root)
    return texts


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _written(config: Config) -> list[Path]:
    """List the files below `snippets/` that bear our mark."""
    fixtures = config.snippets / FIXTURES
    files = [p for p in config.snippets.rglob("*.py") if fixtures not in p.parents]
    return [p for p in files if f"\n{MARK}" in (_read(p) or "")[:2000]]


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and top in folder.parents and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
