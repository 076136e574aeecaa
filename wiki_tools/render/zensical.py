"""The rendered tree as Zensical builds it: a project of plain Markdown for each language.

Zensical runs no plugins of MkDocs. What they do for the site is done here: a translation gets the
place of its page in a folder of its own, and a notebook becomes a page.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from wiki_tools.render.figure import figure_svg
from wiki_tools.render.inline import with_formulas
from wiki_tools.render.site import Site
from wiki_tools.render.tree import Tree

EXTENSIONS: list[str | dict[str, Any]] = [
    *("abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables"),
    {"toc": {"permalink": True}},
    *("pymdownx.details", "pymdownx.highlight", "pymdownx.mark", "pymdownx.superfences"),
    {"pymdownx.tasklist": {"custom_checkbox": True}},
    {"pymdownx.tilde": {"subscript": False}},
]
"""What the tree's pages are written in; their headings say their anchors themselves."""
BUILT = "site"
"""Folder of a project that Zensical builds into: it takes none outside of the project."""
_LINK = re.compile(r"(?<=\]\()([^()\s#]+?)(?=#[^()\s]*\)|\))")
_FENCE = re.compile(
    r"^([ \t>]*)(`{3,}|~{3,})[^\n]*\n.*?^\1\2[`~]*[ \t]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What Zensical builds in one run."""

    language: str
    config: Path
    """Its `mkdocs.yml`, which Zensical reads."""
    place: str
    """Where its pages go in the whole site: empty, or `ko/`."""


def write_projects(
    site: Site, tree: Path, out: Path, settings: Mapping[str, Any]
) -> tuple[Project, ...]:
    """Write a project for each language that pages are written in, the default one first.

    Args:
        site: the wiki, indexed.
        tree: its rendered tree.
        out: the folder of the projects, which is this function's alone.
        settings: what mkdocs.yml says.

    Raises:
        OSError: a folder cannot be written.
    """
    written = {page.language for page in site.pages.values()}
    default = site.config.languages[0]
    spoken = [one for one in site.config.languages if one in written or one == default]
    sources = _sources(tree, site.config.languages)
    return tuple(_write(site, sources, out, settings, language, spoken) for language in spoken)


Sources = dict[str, dict[str, Path]]
"""Path without its language to language to file; files that are no pages are in all: `""`."""


def _sources(tree: Path, languages: tuple[str, ...]) -> Sources:
    found: Sources = {}
    for folder, _, names in os.walk(tree):
        for found_name in names:
            file = Path(folder, found_name)
            path, language = file.relative_to(tree).as_posix(), ""
            name, _, kind = path.rpartition(".")
            if kind in ("md", "ipynb"):
                stem, _, suffix = name.rpartition(".")
                known = bool(stem) and suffix in languages
                path, language = (f"{stem}.{kind}", suffix) if known else (path, languages[0])
            found.setdefault(path, {})[language] = file
    return found


def _write(
    site: Site,
    sources: Sources,
    out: Path,
    settings: Mapping[str, Any],
    language: str,
    spoken: list[str],
) -> Project:
    folder, default = out / language, site.config.languages[0]
    docs = Tree(folder / "docs")
    for path, files in sources.items():
        file = files.get(language) or files.get(default) or files.get("")
        if file is None:
            continue
        if path.endswith(".md"):
            docs.write(path, _translated(file.read_text(encoding="utf-8"), site.config.languages))
        elif path.endswith(".ipynb"):
            docs.write(f"{path[:-6]}.md", _translated(notebook_page(file), site.config.languages))
        else:
            docs.carry(path, file)
    docs.prune()
    config = {
        "site_name": _named(settings, language, "site_name") or "Wiki",
        "docs_dir": "docs",
        "site_dir": BUILT,
        "theme": _theme(settings, language),
        "extra_css": [f"{site.own['assets']}/wiki.css"],
        "markdown_extensions": EXTENSIONS,
        "extra": {"alternate": list(_alternates(settings, default, spoken))},
    }
    if isinstance(settings.get("nav"), list):
        config["nav"] = _navigation(settings["nav"], _named(settings, language, "nav_translations"))
    file = folder / "mkdocs.yml"
    file.write_text(yaml.safe_dump(config, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return Project(
        language=language, config=file, place="" if language == default else f"{language}/"
    )


def join_sites(projects: Sequence[Project], target: Path) -> None:
    """Put what was built together; as with MkDocs, the folder holds nothing else then.

    Raises:
        OSError: the folder cannot be written.
    """
    whole = Tree(target)
    for project in projects:
        built = project.config.parent / BUILT
        for folder, _, names in os.walk(built):
            for name in names:
                file = Path(folder, name)
                whole.carry(project.place + file.relative_to(built).as_posix(), file)
    whole.prune()


def _translated(text: str, languages: tuple[str, ...]) -> str:
    """Make links to translations and notebooks links to what stands in their place."""
    suffixes = tuple(f".{language}.md" for language in languages)

    def address(match: re.Match[str]) -> str:
        path = match[1]
        if path.endswith(".ipynb") and ":" not in path:
            path = f"{path[:-6]}.md"
        return path[:-3].rpartition(".")[0] + ".md" if path.endswith(suffixes) else path

    parts: list[str] = []
    at = 0
    for fence in _FENCE.finditer(text):
        parts += (_LINK.sub(address, text[at : fence.start()]), fence[0])
        at = fence.end()
    return "".join([*parts, _LINK.sub(address, text[at:])])


def notebook_page(file: Path) -> str:
    """Write a notebook of the tree, outputs included, as a page that no search lists."""
    notebook = json.loads(file.read_text(encoding="utf-8"))
    parts = ["---\nsearch:\n  exclude: true\n---"]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(with_formulas(cell["source"]))
            continue
        parts.append(_fenced("python", cell["source"]))
        for output in cell["outputs"]:
            parts += _output(output)
    return "\n\n".join(parts) + "\n"


def _output(output: Mapping[str, Any]) -> Iterator[str]:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        yield f"<div>{figure_svg(data['image/svg+xml'])}</div>"
    elif "image/png" in data:
        yield f"![](data:image/png;base64,{data['image/png'].strip()})"
    elif text := output.get("text") or data.get("text/plain"):
        yield _fenced("text", text)


def _fenced(language: str, code: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{code.rstrip()}\n{marks}"


def _theme(settings: Mapping[str, Any], language: str) -> dict[str, Any]:
    theme = settings.get("theme")
    known = dict(theme) if isinstance(theme, dict) else {"name": theme or "material"}
    return {**known, "language": language}


def _languages(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The languages as mkdocs-static-i18n has them."""
    for plugin in settings.get("plugins") or ():
        options = plugin.get("i18n") if isinstance(plugin, dict) else None
        if isinstance(options, dict):
            return [one for one in options.get("languages") or () if isinstance(one, dict)]
    return []


def _named(settings: Mapping[str, Any], language: str, key: str) -> Any:
    """What mkdocs.yml says for a language, else for all."""
    for one in _languages(settings):
        if one.get("locale") == language and one.get(key):
            return one[key]
    return settings.get(key)


def _navigation(items: list[Any], titles: Any) -> list[Any]:
    """A navigation as mkdocs.yml has it, its titles in the language of a project."""
    known = titles if isinstance(titles, dict) else {}

    def translated(item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        return {
            known.get(title, title): list(map(translated, inner))
            if isinstance(inner, list)
            else inner
            for title, inner in item.items()
        }

    return list(map(translated, items))


def _alternates(
    settings: Mapping[str, Any], default: str, spoken: list[str]
) -> Iterator[dict[str, str]]:
    names = {one.get("locale"): one.get("name") for one in _languages(settings)}
    if len(spoken) > 1:
        for language in spoken:
            link = "/" if language == default else f"/{language}/"
            yield {"name": str(names.get(language) or language), "link": link, "lang": language}
