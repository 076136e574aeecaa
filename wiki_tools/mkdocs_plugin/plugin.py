"""The MkDocs plugin `wiki`: the events of a build, each handled in a line or two."""

# ruff: noqa: ARG002 - MkDocs passes an event's arguments by name, needed or not

import logging
import os
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

from mkdocs.config import config_options
from mkdocs.config.base import Config as PluginConfig
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from wiki_tools.errors import WikiError
from wiki_tools.mkdocs_plugin import missing
from wiki_tools.mkdocs_plugin.backlinks import backlinks_html, cut_backlinks, list_backlinks
from wiki_tools.mkdocs_plugin.highlight import HIGHLIGHTERS, Colours, colour_blocks, put_colours
from wiki_tools.mkdocs_plugin.navigation import order_navigation
from wiki_tools.mkdocs_plugin.notebooks import (
    clean_notebook,
    name_headings,
    offer_notebook,
    restore_notebooks,
)
from wiki_tools.mkdocs_plugin.preview import preview_tags
from wiki_tools.mkdocs_plugin.search import hide_rows
from wiki_tools.mkdocs_plugin.settings import complete_settings, needed_extensions
from wiki_tools.render import Site
from wiki_tools.render.vault import render_vault

logger = get_plugin_logger("wiki")
_ALTERNATE = re.compile(r'<link\s+rel="?alternate"?[^>]*hreflang[^>]*>\s*')


def _warn_of_problems(site: Site) -> None:
    """Warn of front matter that cannot be read as it is written: `--strict` fails for it."""
    folder = site.config.docs.relative_to(site.config.root).as_posix()
    for page in site.pages.values():
        for problem in page.problems:
            if problem.severity == "error" and "frontmatter" in problem.code:
                place = f"{folder}/{page.path}:{problem.line}:{problem.column}"
                logger.warning(f"{place}: {problem.message} {problem.hint}".rstrip())


class WikiSettings(PluginConfig):  # type: ignore[misc]
    """The names that mkdocs.yml may use; `wiki_tools.config` reads and checks their values."""

    sections = config_options.Optional(config_options.Type(object))
    relations = config_options.Optional(config_options.Type(object))
    timeout = config_options.Optional(config_options.Type(object))
    memory = config_options.Optional(config_options.Type(object))
    budget = config_options.Optional(config_options.Type(object))
    rounds = config_options.Optional(config_options.Type(object))
    sandbox = config_options.Optional(config_options.Type(object))
    aged_days = config_options.Optional(config_options.Type(object))
    baseline = config_options.Optional(config_options.Type(object))
    languages = config_options.Optional(config_options.Type(object))


CHATTY = ("mkdocs.plugins", "mkdocs.mkdocs-jupyter")
"""Loggers that tell several lines a build of what no writer of pages asked for."""


class WikiPlugin(BasePlugin[WikiSettings]):  # type: ignore[misc]
    """Renders the wiki into a folder and builds the site from there."""

    def __init__(self) -> None:
        self._site: Site | None = None
        self._docs: Path | None = None
        self._tree: Path | None = None
        self._config: MkDocsConfig | None = None
        self._theirs: tuple[str, ...] = ()
        """Markdown extensions that mkdocs.yml names."""
        self._every: list[str] = []
        """All Markdown extensions, ours included."""
        self._colours: Colours = {}
        self._files = Files([])
        self._linked: dict[str, tuple[str, str]] = {}
        """Path of a page to the title and the Markdown of its backlinks."""

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Keep this instance from build to build while serving, which `wiki serve` wants quiet."""
        if command == "serve" and os.environ.get("WIKI_SERVE"):
            for name in CHATTY:
                logging.getLogger(name).setLevel(logging.WARNING)

    @event_priority(100)  # type: ignore[untyped-decorator]
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Render the vault and point `docs_dir` at the result.

        mkdocs-static-i18n calls this once a language: `docs_dir` is the tree by then.

        Raises:
            PluginError: the vault cannot be read or the tree not be written.
        """
        if self._tree is None or Path(config.docs_dir) != self._tree:
            self._docs = Path(config.docs_dir)
            try:
                self._site, self._tree = render_vault(self._docs)
            except (WikiError, OSError) as error:
                raise PluginError(f"wiki: {error}") from error
            _warn_of_problems(self._site)
            config.docs_dir = str(self._tree)
        site = self._rendered()
        language = config.theme.get("language") or site.config.languages[0]
        if config is not self._config:
            self._config, self._theirs = config, tuple(config.markdown_extensions)
        complete_settings(config, f"{site.own['assets']}/wiki.css", str(language))
        self._every = list(config.markdown_extensions)
        return config

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Watch what pages are made of instead of what is made of them."""
        if self._tree and self._docs:
            server.unwatch(str(self._tree))
            settings = self._rendered().config
            for folder in (self._docs, settings.evidence, settings.snippets):
                if folder.is_dir():
                    server.watch(str(folder))
        return server

    @event_priority(-200)  # type: ignore[untyped-decorator]
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Make pages of notebooks, and keep them out of the navigation: their pages link them."""
        files = restore_notebooks(files, config)
        folder = self._rendered().own["notebooks"] + "/"
        for file in files:
            if file.src_uri.startswith(folder) and file.src_uri.endswith(".ipynb"):
                file.inclusion = InclusionLevel.NOT_IN_NAV
        return files

    @event_priority(-200)  # type: ignore[untyped-decorator]
    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Order a navigation that mkdocs.yml leaves to us."""
        if config.nav is not None:
            return nav
        return order_navigation(nav, {self._rendered().own[name] for name in ("status", "wanted")})

    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> Page:
        """Give no edit link to a page that nobody writes."""
        if page.file.src_uri not in self._rendered().pages:
            page.edit_url = None
        return page

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Take a page through those extensions only that its text has something for."""
        text, title, linked = cut_backlinks(markdown)
        if title:
            self._linked[page.file.src_uri] = title, linked
        config.markdown_extensions = list(needed_extensions(self._every, self._theirs, text))
        return text

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Lighten notebooks, and find where a duplicate leads to."""
        config.markdown_extensions = self._every
        if page.file.src_uri in self._linked:
            list_backlinks(self._linked[page.file.src_uri][0], page)
        redirect = page.meta.get("redirect")
        target = files.get_file_from_path(str(redirect)) if redirect else None
        if target is not None:
            page.meta["redirect_url"] = target.url_relative_to(page.file)
        if page.file.src_uri.endswith(".ipynb"):
            # mkdocs-jupyter takes the first heading's text, which themes print as it is.
            words = unescape(str(page.meta.get("title") or page.title or "")).rstrip("¶ ")
            page.title = page.meta["title"] = escape(words, quote=False)
            page.meta["search"] = {"exclude": True}  # all that it says, its page says
            language = str(config.theme.get("language") or "en")
            cells = name_headings(clean_notebook(html, page, files, language), page.toc)
            return cells.replace("</h1>", f"</h1>\n{offer_notebook(page, config, language)}", 1)
        return hide_rows(html)

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """Colour code where mkdocs.yml does not say how; all pages are read by now."""
        self._files = files
        self._colours = {}
        if not HIGHLIGHTERS.intersection(self._theirs):
            pages = (file.page for file in files.documentation_pages())
            self._colours = colour_blocks(page.content or "" for page in pages if page)
        return env

    @event_priority(-100)  # type: ignore[untyped-decorator]
    def on_page_context(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Any) -> Any:
        """Put coloured code and backlinks in, now that the search has read the page."""
        content = page.content or ""
        if self._colours:
            content = put_colours(content, self._colours)
        title, linked = self._linked.pop(page.file.src_uri, ("", ""))
        if title:
            permalink = bool(config.mdx_configs.get("toc", {}).get("permalink"))
            content += backlinks_html(title, linked, page, self._files, permalink=permalink)
        page.content = content
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Send readers of a duplicate on, and spare the theme's script what is not there.

        Material asks for a sitemap below every `link[rel=alternate]`; with mkdocs-static-i18n
        these name single pages, so that each view would log an error. The language switcher
        and the sitemap name the translations all the same.
        """
        head, closing, body = output.partition("</head>")
        head += preview_tags(page, config)
        if "hreflang" in head:
            head = _ALTERNATE.sub("", head)
        url = page.meta.get("redirect_url")
        if url:
            head += '<meta name="robots" content="noindex">'
            head += f'<meta http-equiv="refresh" content="0; url={url}">'
        return head + closing + body

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Say in the reader's language that there is no such page."""
        if template_name != missing.PAGE:
            return output
        return missing.missing_page(output, str(config.theme.get("language") or "en"), config)

    def _rendered(self) -> Site:
        if self._site is None:
            raise PluginError("wiki: the plugin was asked for pages before it was configured")
        return self._site
