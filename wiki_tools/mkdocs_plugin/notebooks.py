"""Makes mkdocs-jupyter's notebooks pages like any other: light, offline, in every language."""

import base64
import posixpath
import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from typing import Any
from urllib.parse import quote, unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from wiki_tools.render.figure import figure_svg
from wiki_tools.render.maths import to_mathml
from wiki_tools.render.words import say

_LINK = re.compile(r'\b(href|src)="([^":#]+)(#[^"]*)?"')
_DRAWN = re.compile(r'<img [^>]*src="data:image/svg\+xml;base64,([^"]*)"[^>]*>')
_CODE = re.compile(r"(<pre\b.*?</pre>|<code\b.*?</code>)", re.DOTALL)
_DISPLAY = re.compile(r"\$\$((?:[^$<]|<(?!/p))+?)\$\$")
_HEADING = re.compile(r'(<h[1-6]) id="[^"]*"')
_ANCHOR = re.compile(r'<a class="anchor-link"[^>]*>.*?</a>')
_INLINE = re.compile(r"(?<![\\$\w])\$(?=[^\s$])([^$<>]*?[^\s$<>])\$(?![\d$])")
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
                _place(wrapped, prefix, config, i18n.build_languages)
                wrapped.alternates = {
                    one: _placed(jupyter, file, config, one, i18n) for one in i18n.build_languages
                }
                wrapped.locale_alternate_of = language
                files.remove(file)
                files.append(wrapped)
    return files


def _wrap(jupyter: Any, file: File, config: MkDocsConfig) -> Any:
    found = next(iter(jupyter.on_files(Files([file]), config)))
    return found if found.is_documentation_page() else None


def _placed(jupyter: Any, file: File, config: MkDocsConfig, language: str, i18n: Any) -> Any:
    wrapped = _wrap(jupyter, file, config)
    prefix = "" if language == i18n.default_language else f"{language}/"
    _place(wrapped, prefix, config, i18n.build_languages)
    return wrapped


def _place(wrapped: Any, prefix: str, config: MkDocsConfig, languages: Iterable[str]) -> None:
    """Give a notebook its address: that of a translation is its page's, in another folder."""
    parent, _, name = wrapped.src_uri.removesuffix(".ipynb").rpartition("/")
    name = next((name[: -len(one) - 1] for one in languages if name.endswith(f".{one}")), name)
    stem = f"{prefix}{parent}/{name}" if parent else f"{prefix}{name}"
    wrapped.dest_uri = f"{stem}/index.html" if config.use_directory_urls else f"{stem}.html"
    wrapped.dest_path = wrapped.dest_uri
    wrapped.abs_dest_path = f"{config.site_dir}/{wrapped.dest_uri}"
    wrapped.url = wrapped._get_url(config.use_directory_urls)


def offer_notebook(page: Page, config: MkDocsConfig, language: str) -> str:
    """Link the notebook's file, where mkdocs-jupyter lays it beside the page."""
    jupyter = config.plugins.get("mkdocs-jupyter")
    if jupyter is None or not jupyter.config.get("include_source"):
        return ""
    name = escape(posixpath.basename(page.file.src_uri))
    words = say(language, "download-notebook")
    href = quote(posixpath.basename(page.file.src_uri))
    return f'<p class="wiki-files"><a href="{href}" download="{name}">{words}</a></p>\n'


def name_headings(html: str, toc: Iterable[AnchorLink]) -> str:
    """Give headings the ids that the table of contents leads to; Jupyter's differ in Korean."""
    ids = list(_ids(toc))
    if len(_HEADING.findall(html)) != len(ids):
        return html
    names = iter(ids)
    return _HEADING.sub(lambda match: f'{match[1]} id="{escape(next(names))}"', html)


def _ids(items: Iterable[AnchorLink]) -> Iterator[str]:
    for item in items:
        yield str(item.id)
        yield from _ids(item.children)


def clean_notebook(html: str, page: Page, files: Files, language: str = "en") -> str:
    """Cut a notebook's HTML down to its cells.

    mkdocs-jupyter puts 600 kB of styles into each page, and scripts from a public host; the
    theme's own colours serve as well, in both schemes, for figures too. Formulas become MathML.
    Links to pages become links to the site.
    """
    start = html.find(_WRAPPER)
    cells = html[start:] if start >= 0 else html
    cells = re.sub(r"<(script|style)\b.*?</\1>", "", cells, flags=re.DOTALL)
    cells = _ANCHOR.sub("", _COPY.sub("", cells)).replace("highlight-ipynb", "highlight")
    parts = _CODE.split(cells)
    for at in range(0, len(parts), 2):
        parts[at] = _LINK.sub(lambda match: _site_link(match, page, files), _prose(parts[at]))
    label = say(language, "figure")
    return _DRAWN.sub(lambda match: _inlined(match[1], label), "".join(parts))


def _prose(html: str) -> str:
    html = _DISPLAY.sub(lambda m: to_mathml(unescape(m[1]), display=True), html)
    return _INLINE.sub(lambda m: to_mathml(unescape(m[1]), display=False), html)


def _inlined(data: str, label: str) -> str:
    """A figure in the page's own colours, which a picture apart from the page cannot have."""
    svg = base64.b64decode(data, validate=False).decode("utf-8", "replace")
    return figure_svg(svg, label)


def _site_link(match: re.Match[str], page: Page, files: Files) -> str:
    folder = posixpath.dirname(page.file.src_uri)
    path = posixpath.normpath(posixpath.join(folder, unquote(match[2])))
    target = files.get_file_from_path(path)
    if target is None:
        return match[0]
    return f'{match[1]}="{target.url_relative_to(page.file)}{match[3] or ""}"'
