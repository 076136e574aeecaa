"""What rendering a page may ask about the wiki it belongs to."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wiki_tools.config import Config
from wiki_tools.graph import (
    BrokenLink,
    FileLink,
    LinkGraph,
    ResolvedLink,
    backlinks,
    canonical_keys,
    declaration_of,
    declared_target,
    wanted,
)
from wiki_tools.graph.sentences import Sentence, split_sentence
from wiki_tools.pages import Page
from wiki_tools.parallel import spread
from wiki_tools.report import PageReport
from wiki_tools.snippets import snippet_file

Found = ResolvedLink | BrokenLink | FileLink
"""A link as the graph has it, in any of its buckets."""

_PAGES = (".md", ".markdown")
ENOUGH = 200
"""Pages from which on work on them is spread over all cores."""
_SAID = ("parent", "application", "adjacent")
"""Relations that say why a page links to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A wiki, indexed for rendering."""

    config: Config
    pages: Mapping[str, Page]
    """Path to page."""
    translations: Mapping[str, Mapping[str, Page]]
    """Key to language to page."""
    links: Mapping[str, Sequence[Found]]
    """Path to the links that stand there."""
    incoming: Mapping[str, Sequence[ResolvedLink]]
    """Key to the links that lead to it, duplicates followed."""
    wanted: Mapping[str, Sequence[BrokenLink]]
    """Target that no page answers to, the most wanted first, to the links that ask for it."""
    duplicates: Mapping[str, str]
    """Key of each duplicate to the key of the page that its readers are sent to."""
    sentences: Mapping[tuple[str, int], Sentence]
    """Path and offset of a link whose relation does not say it all to the sentence around it."""
    by_path: Mapping[str, PageReport]
    """Path to the report of that page, translations included."""
    reports: Mapping[str, PageReport]
    """Key to the report of the page that its snippets come from."""
    media: Mapping[str, Path]
    """Path in the tree to the file of the vault that is no page: images and the like."""
    files: Mapping[str, str]
    """Snippet id to the path of its runnable file in the tree."""
    notebooks: Mapping[str, str]
    """Path of a page with snippets to the path of its notebook in the tree."""
    own: Mapping[str, str]
    """`status`, `wanted`, `notebooks`, `snippets`, `assets` to a name in the tree that no page
    of the vault has."""

    def report(self, page: Page) -> PageReport | None:
        """The report of a page: its own, else the one that its translations share."""
        return self.by_path.get(page.path) or self.reports.get(page.key)

    def page_for(self, key: str, language: str) -> Page | None:
        """The page with a key, in a language where there is such a translation."""
        found = self.translations.get(key)
        if not found:
            return None
        return found.get(language) or next(iter(found.values()))

    def landing(self, found: ResolvedLink, language: str) -> tuple[str, str]:
        """The path and the anchor that a link leads to; a duplicate's readers are sent on."""
        target = self.pages.get(found.target_path)
        key = self.duplicates.get(target.key) if target else None
        page = self.page_for(key, language) if key else None
        return (page.path, "") if page else (found.target_path, found.anchor)

    def localized(self, name: str, language: str) -> str:
        """The path of a generated page in a language."""
        suffix = "" if language == self.config.languages[0] else f".{language}"
        return f"{self.own[name]}{suffix}.md"


def index_site(
    config: Config, pages: Sequence[Page], graph: LinkGraph, reports: Iterable[PageReport]
) -> Site:
    """Index a wiki for rendering."""
    links: dict[str, list[Found]] = defaultdict(list)
    every: list[Found] = [*graph.resolved, *graph.broken, *graph.files]
    for found in every:
        if found.link.form != "html":  # it stays as its author wrote it
            links[found.path].append(found)
    translations: dict[str, dict[str, Page]] = defaultdict(dict)
    for page in sorted(
        pages,
        key=lambda p: (
            config.languages.index(p.language) if p.language in config.languages else 99,
            p.path,
        ),
    ):
        translations[page.key].setdefault(page.language, page)
    duplicates = dict(_duplicates(pages))
    by_path = {r.page.path: r for r in reports if r.page.key not in duplicates}
    by_key = _by_key(by_path.values())
    own = _free_names(config.docs, pages)
    return Site(
        config=config,
        pages={page.path: page for page in pages},
        translations=translations,
        links=links,
        incoming=backlinks(graph),
        wanted=wanted(graph),
        duplicates=duplicates,
        sentences=find_sentences(pages, graph),
        by_path=by_path,
        reports=by_key,
        media=dict(find_media(config.docs)),
        files=dict(_files(config, by_key.values(), own["snippets"])),
        notebooks=dict(_notebooks(pages, by_path, by_key, own["notebooks"])),
        own=own,
    )


def named_by(found: ResolvedLink, title: str) -> str:
    """What a link without words of its own shows: the title of its page; empty where it has words.

    An alias is what its author chose to say, and so is a title in another case.
    """
    link = found.link
    if link.display or not link.target or found.resolution == "alias":
        return ""
    if link.target.casefold() == title.casefold():
        title = link.target
    return f"{title} › {link.heading.lstrip('^')}" if link.heading else title


def find_sentences(pages: Sequence[Page], graph: LinkGraph) -> dict[tuple[str, int], Sentence]:
    """Find the sentences that backlinks quote, page by page: each is read once for it."""
    by_path: dict[str, list[ResolvedLink]] = defaultdict(list)
    titles = {page.path: page.title for page in pages}
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for found in graph.resolved:
        if named := named_by(found, titles.get(found.target_path, "")):
            names[found.path][found.link.text] = named
        if found.relation not in _SAID and found.source != found.canonical:
            by_path[found.path].append(found)
    sources = [page for page in pages if page.path in by_path]

    def find(first: int, last: int) -> list[tuple[str, int, Sentence]]:
        return [
            (page.path, found.link.span.start, split_sentence(page, found.link, names[page.path]))
            for page in sources[first:last]
            for found in by_path[page.path]
        ]

    parts = spread(find, len(sources), least=ENOUGH)
    return {(path, at): sentence for part in parts for path, at, sentence in part if any(sentence)}


def _files(config: Config, reports: Iterable[PageReport], folder: str) -> Iterator[tuple[str, str]]:
    for report in reports:
        for snippet in report.snippets:
            if not snippet.skip and not all(program.missing for program in snippet.programs):
                file = snippet_file(config, snippet).relative_to(config.snippets)
                yield snippet.id, f"{folder}/{file.as_posix()}"


def _notebooks(
    pages: Sequence[Page],
    by_path: Mapping[str, PageReport],
    by_key: Mapping[str, PageReport],
    folder: str,
) -> Iterator[tuple[str, str]]:
    for page in pages:
        report = by_path.get(page.path) or by_key.get(page.key)
        if report and any(not snippet.skip for snippet in report.snippets):
            yield page.path, f"{folder}/{PurePosixPath(page.path).with_suffix('.ipynb')}"


def find_media(docs: Path) -> Iterator[tuple[str, Path]]:
    """Find the files of a vault that are no pages; hidden ones and ways out of it are left."""
    root = os.path.realpath(docs)
    for folder, folders, files in os.walk(docs):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            file = Path(folder, name)
            inside = os.path.realpath(file).startswith(root + os.sep) and file.is_file()
            if inside and not name.startswith(".") and not name.lower().endswith(_PAGES):
                path = file.relative_to(docs).as_posix()
                yield path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), file


def _duplicates(pages: Sequence[Page]) -> Iterator[tuple[str, str]]:
    rows = [declaration_of(page) for page in pages]
    canonical = canonical_keys(rows)
    for page in rows:
        if canonical[page.key] != page.key and declared_target(page)[0] == "duplicate_of":
            yield page.key, canonical[page.key]


def _by_key(reports: Iterable[PageReport]) -> dict[str, PageReport]:
    found: dict[str, PageReport] = {}
    for report in reports:
        original = any(snippet.path == report.page.path for snippet in report.snippets)
        if original or report.page.key not in found:
            found[report.page.key] = report
    return found


def _free_names(docs: Path, pages: Sequence[Page]) -> dict[str, str]:
    tops = {PurePosixPath(page.path).parts[0].split(".")[0].casefold() for page in pages}
    if docs.is_dir():
        tops |= {entry.name.split(".")[0].casefold() for entry in docs.iterdir()}
    names = ("status", "wanted", "notebooks", "snippets", "assets")
    return {name: name if name not in tops else f"wiki-{name}" for name in names}
