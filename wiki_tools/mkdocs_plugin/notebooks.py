"""Makes mkdocs-jupyter's notebooks pages like any other: light, offline, in every language."""

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_LINK = re.compile(r'href="([^":]+?\.md)(#[^"]*)?"')
_COPY = re.compile(
    r'<div class="zeroclipboard-container">.*?</clipboard-copy>\s*</div>'
    r'|<div [^>]*class="clipboard-copy-txt"[^>]*>.*?</div>',
    re.DOTALL,
)
_WRAPPER = '<div class="jupyter-wrapper">'


def restore_notebooks(files: Files, config: MkDocsConfig) -> Files:
    """Turn notebooks into pages again.

    mkdocs-jupyter wraps them in `on_files`, and mkdocs-static-i18n, which comes later, makes
    plain files of everything: without this a notebook is copied as `index.html`, as JSON.
    """
    jupyter, i18n = config.plugins.get("mkdocs-jupyter"), config.plugins.get("i18n")
    if jupyter is None or i18n is None:
        return files
    language = i18n.current_language or i18n.default_language
    prefix = "" if language == i18n.default_language else f"{language}/"
    for file in list(files):
        if file.src_uri.endswith(".ipynb") and not file.is_documentation_page():
            wrapped = _wrap(jupyter, file, config)
            if wrapped is not None:
                _place(wrapped, prefix, config)
                wrapped.alternates = {
                    one: _placed(jupyter, file, config, one, i18n.default_language)
                    for one in i18n.build_languages
                }
                wrapped.locale_alternate_of = language
                files.remove(file)
                files.append(wrapped)
    return files


def _wrap(jupyter: Any, file: File, config: MkDocsConfig) -> Any:
    found = next(iter(jupyter.on_files(Files([file]), config)))
    return found if found.is_documentation_page() else None


def _placed(jupyter: Any, file: File, config: MkDocsConfig, language: str, default: str) -> Any:
    wrapped = _wrap(jupyter, file, config)
    _place(wrapped, "" if language == default else f"{language}/", config)
    return wrapped


def _place(wrapped: Any, prefix: str, config: MkDocsConfig) -> None:
    parent, _, name = wrapped.src_uri.removesuffix(".ipynb").rpartition("/")
    stem = f"{prefix}{parent}/{name}" if parent else f"{prefix}{name}"
    wrapped.dest_uri = f"{stem}/index.html" if config.use_directory_urls else f"{stem}.html"
    wrapped.dest_path = wrapped.dest_uri
    wrapped.abs_dest_path = f"{config.site_dir}/{wrapped.dest_uri}"
    wrapped.url = wrapped._get_url(config.use_directory_urls)


def clean_notebook(html: str, page: Page, files: Files) -> str:
    """Cut a notebook's HTML down to its cells.

    mkdocs-jupyter puts 600 kB of styles into each page, and scripts from a public host; the
    theme's own colours serve as well, in both schemes. Links to pages become links to the site.
    """
    start = html.find(_WRAPPER)
    cells = html[start:] if start >= 0 else html
    cells = re.sub(r"<(script|style)\b.*?</\1>", "", cells, flags=re.DOTALL)
    cells = _COPY.sub("", cells).replace("highlight-ipynb", "highlight")
    return _LINK.sub(lambda match: _site_link(match, page, files), cells)


def _site_link(match: re.Match[str], page: Page, files: Files) -> str:
    import posixpath
    from urllib.parse import unquote

    folder = posixpath.dirname(page.file.src_uri)
    target = files.get_file_from_path(posixpath.normpath(posixpath.join(folder, unquote(match[1]))))
    if target is None:
        return match[0]
    return f'href="{target.url_relative_to(page.file)}{match[2] or ""}"'
