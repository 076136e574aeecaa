"""What else names a page that is renamed: files that go with it, and what a person should know."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from wiki_tools.config import Config
from wiki_tools.edits.edit import read_source
from wiki_tools.edits.patch import Change
from wiki_tools.edits.world import World
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import canonical_keys
from wiki_tools.ledger import evidence_file
from wiki_tools.pages import Page, find_files, key_of
from wiki_tools.snippets.files import FIXTURES

_HTML = re.compile(
    r"""<[A-Za-z][^<>]{0,500}?\s(?:src|href)\s*=\s*["']?((?![A-Za-z][\w+.-]*:|[/#])[^\s"'>]+)"""
)


def follow_fixtures(config: Config, world: World, moves: Mapping[str, str]) -> Iterator[Change]:
    """The page's own fixture file, which is found by the page's name, gets its new name."""
    old, new = (_stem(config, next(iter(paths))) for paths in (moves, moves.values()))
    file = config.snippets / FIXTURES / f"{old}.py"
    shared = any(
        _stem(config, page.path) == old for page in world.outlines if page.path not in moves
    )
    if old not in (new, "wiki") and not shared and file.is_file():
        path, goal = (file.with_name(f"{name}.py").relative_to(config.root) for name in (old, new))
        yield Change(path=path.as_posix(), to=goal.as_posix(), before=file.read_bytes())


def follow_navigation(config: Config, moves: Mapping[str, str]) -> Iterator[Change]:
    """The paths of the pages in mkdocs.yml, whose `nav` and redirects list them."""
    file = config.root / "mkdocs.yml"
    if not file.is_file():
        return
    data = file.read_bytes()
    names = [re.escape(path) for path in moves]
    listed = re.compile(rf"(?<![^\s\"'\[,:])(?:{'|'.join(names)})(?![^\s\"'\],#:])")
    source = read_source("mkdocs.yml", data)
    edits = tuple(
        source.edit(match.start(), match.end(), moves[match[0]])
        for match in listed.finditer(source.clean)
    )
    if edits:
        yield Change(path="mkdocs.yml", to="mkdocs.yml", before=data, edits=edits)


def follow_canvases(config: Config, moves: Mapping[str, str]) -> Iterator[Change]:
    """The paths of the pages on Obsidian's canvases, from the docs folder or from above it on."""
    prefix = f"{config.docs.name}/"
    goals: dict[str, str] = {}
    for path, goal in moves.items():
        for form in (path, unicodedata.normalize("NFC", path)):
            for before in ("", prefix):
                goals[_json(before + form)] = _json(before + goal)
    listed = re.compile("|".join(map(re.escape, goals)))
    for name in find_files(config.docs)[1]:
        if not name.endswith(".canvas"):
            continue
        path = prefix + name
        try:
            source = read_source(path, data := (config.docs / name).read_bytes())
        except (OSError, UsageError):  # no text: it names no page
            continue
        matches = listed.finditer(source.clean)
        edits = tuple(source.edit(*match.span(), goals[match[0]]) for match in matches)
        if edits:
            yield Change(path=path, to=path, before=data, edits=edits)


def _json(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)


def notes_on(config: Config, world: World, after: World, moves: Mapping[str, str]) -> Iterator[str]:
    """What is found by a path and does not move with it, a sentence each."""
    keys = {page.path: page.key for page in after.outlines}
    page = next(page for page in world.outlines if page.path in moves)
    if keys[moves[page.path]] != page.key and _has_evidence(config, page.key):
        yield (
            f"{page.path}: has no id, so that its evidence is found by its path; give it an id, "
            "or run wiki verify to record it anew"
        )
    folder = config.snippets / PurePosixPath(key_of(next(iter(moves)), config))
    if folder.is_dir() and any(folder.glob("*.py")):
        yield f"{folder.relative_to(config.root)}: lies where the page lay; run wiki extract"
    yield from _notes_on_standing(world, after, moves)
    yield from _notes_on_others(config, moves)


def notes_on_html(page: Page, goal: str) -> Iterator[str]:
    """Relative paths in raw HTML of a page that goes to another folder: nothing mends them."""
    if page.path.rpartition("/")[0] == goal.rpartition("/")[0]:
        return
    text = page.markup.text
    code = [fence.span for fence in page.markup.fences]
    for match in _HTML.finditer(text, page.markup.body):
        if not any(span.start <= match.start() < span.end for span in code):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{page.path}:{line}: {printable(match[1])} stands in HTML; correct it by hand"


def _notes_on_standing(world: World, after: World, moves: Mapping[str, str]) -> Iterator[str]:
    """Pages that stand for another one than before: an id is found now, or no longer."""
    stood = {moves.get(path, path): moves.get(end, end) for path, end in _standing(world).items()}
    for path, end in _standing(after).items():
        if stood.get(path, end) != end:
            yield f"{path}: stood for {printable(stood[path])}; now for {printable(end)}"


def _standing(world: World) -> dict[str, str]:
    """Path to the page that it stands for, itself where there is no other."""
    first = {page.key: page.path for page in reversed(world.outlines)}
    keys = canonical_keys(world.outlines)
    return {
        page.path: page.path if keys[page.key] == page.key else first[keys[page.key]]
        for page in world.outlines
    }


def _notes_on_others(config: Config, moves: Mapping[str, str]) -> Iterator[str]:
    """Files beside the docs folder that name a page by its path."""
    files = {*config.root.glob("*.md"), *([config.baseline] if config.baseline else [])}
    for file in sorted(files):
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        known = file == config.baseline
        for path in moves:
            whole = path if known else f"{config.docs.name}/{path}"
            if whole in text or quote(whole) in text:
                what = "run wiki check --update-baseline" if known else "correct it by hand"
                yield f"{file.relative_to(config.root)}: names {printable(whole)}; {what}"


def _has_evidence(config: Config, key: str) -> bool:
    folders = [folder.name for folder in config.evidence.glob("*") if folder.is_dir()]
    return any(evidence_file(config.evidence, name, key).is_file() for name in folders)


def _stem(config: Config, path: str) -> str:
    return key_of(path, config).rpartition("/")[2]
