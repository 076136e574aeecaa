"""Reads the Markdown files of a vault."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from wiki_tools.collector import without_collector
from wiki_tools.config import Config
from wiki_tools.markup import Heading, Markup, Problem, parse_markup
from wiki_tools.pages.conflicts import find_conflicts
from wiki_tools.pages.decode import decode_page, find_encoding_notes
from wiki_tools.pages.frontmatter import find_json, read_frontmatter
from wiki_tools.pages.keys import Claimant, assign_keys
from wiki_tools.pages.links import find_links
from wiki_tools.pages.types import Page, Section
from wiki_tools.tree import SUFFIXES, find_files, load_file

_SYMBOLS = {"So", "Sk", "Cf", "Cs", "Co", "Cn", "Me"}


def read_pages(config: Config) -> tuple[Page, ...]:
    """Read every page below the docs folder, in the order of their paths.

    Hidden folders and files are left out, and links of the file system that lead out of the
    tree are not followed. A file that cannot be read becomes an empty page with a problem.
    """
    reader = PageReader(config)
    with without_collector():
        files = find_files(config.docs).pages
        pages = [reader.read(path, *load_bytes(file)) for path, file in files]
    return give_keys(pages, config)


def read_page(config: Config, path: str, text: str | bytes) -> Page:
    """Read one page's text, which may be anything; `path` is relative to the docs folder.

    A translation without an id of its own gets its page's only in `read_pages`.
    """
    return PageReader(config).read(path, text)


class PageReader:
    """Reads pages one by one, each without regard to the others."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._words = _vocabulary(config)

    def read(self, path: str, text: str | bytes, problems: tuple[Problem, ...] = ()) -> Page:
        """Read a page's text, of which `problems` are known already."""
        return _read(self._config, self._words, path, text, problems)


def load_bytes(file: str) -> tuple[bytes, tuple[Problem, ...]]:
    """The bytes of a file, and why there are none where it cannot be read."""
    data, reason = load_file(file)
    return data, unreadable(reason)


def unreadable(reason: str) -> tuple[Problem, ...]:
    """The problem of a file that cannot be read for a reason; none where there is no reason."""
    if not reason:
        return ()
    problem = Problem(
        code="unreadable-file",
        line=1,
        column=1,
        message=f"The file cannot be read: {reason}.",
        hint="Mend its permissions, or remove it.",
    )
    return (problem,)


def key_of(path: str, config: Config) -> str:
    """The key of a page without an id: its path without its language and `.md`."""
    stem, language = _split(path, config.languages)
    return stem if language and not stem.endswith("/") else stem or path


def language_of(path: str, config: Config) -> str:
    """The language of a page's suffix, else the default one."""
    return _split(path, config.languages)[1] or config.languages[0]


@lru_cache(maxsize=64)
def _split(path: str, languages: tuple[str, ...]) -> tuple[str, str]:
    stem = next((path[: -len(s)] for s in SUFFIXES if path.lower().endswith(s)), path)
    name, dot, language = stem.rpartition(".")
    if dot and language in languages and name and not name.endswith("/"):
        return name, language
    return (stem if stem and not stem.endswith("/") else path), ""


def _read(
    config: Config,
    words: dict[str, str],
    path: str,
    text: str | bytes,
    problems: tuple[Problem, ...],
) -> Page:
    decoded = isinstance(text, bytes)
    if isinstance(text, bytes):
        text, said = decode_page(text)
        problems += said
    problems += (*_find_nameless(path), *find_encoding_notes(text))
    markup = parse_markup(text, decoded=decoded)
    matter, base = markup.frontmatter, _matter_start(markup)
    if matter is None and markup.text.startswith("{"):
        matter, base = find_json(markup.text), 0
    first_line = markup.text.count("\n", 0, base) + 1
    frontmatter, places, wrong = read_frontmatter(matter, first_line)
    if matter and "[[" in matter:
        links = find_links(matter, places, first_line, base)
        markup = replace(markup, links=links + markup.links)
    sections = tuple(_sections(markup.headings, words))
    stem = key_of(path, config)
    return Page(
        path=path,
        key=frontmatter.id or stem,
        language=language_of(path, config),
        title=frontmatter.title or _heading(markup, sections) or stem.rpartition("/")[2],
        frontmatter=frontmatter,
        markup=markup,
        sections=sections,
        places=places,
        problems=(*problems, *markup.problems, *wrong, *find_conflicts(markup)),
    )


def _matter_start(markup: Markup) -> int:
    """The offset of the front matter; above its `---` a conflict may begin."""
    if markup.frontmatter is None:
        return 0
    end = markup.text.find("\n")
    if markup.text[0] == "<":
        end = markup.text.find("\n", end + 1)
    return end + 1


def _find_nameless(path: str) -> tuple[Problem, ...]:
    if path.rpartition("/")[2] != ".md":
        return ()
    problem = Problem(
        code="nameless-page",
        line=1,
        column=1,
        message="The file has no name before its .md, so many tools hide it.",
        hint="Give it a name.",
        severity="warning",
    )
    return (problem,)


def _heading(markup: Markup, sections: tuple[Section, ...]) -> str:
    """The first heading of level 1, unless it opens a section that every page has.

    A daily note that begins with `## Log` is called as its file is.
    """
    known = {section.heading.span.start for section in sections}
    rows = (row for row in markup.headings if row.level == 1 and row.span.start not in known)
    return next((row.text for row in rows if row.text), "")


def _vocabulary(config: Config) -> dict[str, str]:
    """Heading, as it is compared, to the section that it opens."""
    return {_bare(word): name for name, words in config.sections.items() for word in words}


@lru_cache(maxsize=1024)
def _bare(text: str) -> str:
    """A heading without emoji and surrounding punctuation, case folded."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        text = "".join(" " if _is_symbol(c) else c for c in text)
    return " ".join(text.casefold().strip(" \t:.·-–—").split())


def _is_symbol(character: str) -> bool:
    return character > "\x7f" and (
        unicodedata.category(character) in _SYMBOLS or "\ufe00" <= character <= "\ufe0f"
    )


def _sections(headings: Iterable[Heading], words: dict[str, str]) -> Iterator[Section]:
    for heading in headings:
        name = words.get(_bare(heading.text))
        if name:
            yield Section(name=name, heading=heading)


def give_keys(pages: Sequence[Page], config: Config) -> tuple[Page, ...]:
    """Give translations one key, and every other page a key that no page has.

    A translation without an id has that of its page in the default language, or of any other.
    Of two pages that claim one id the first by path keeps it: `checks` reports the other.
    """
    rows = [Claimant(p.path, key_of(p.path, config), p.language, p.frontmatter.id) for p in pages]
    keys = assign_keys(rows, config.languages)
    return tuple(
        page if page.key == key else replace(page, key=key)
        for page, key in zip(pages, keys, strict=True)
    )
