"""What a site needs of MkDocs' configuration so that rendered pages read as they should."""

from collections.abc import Mapping
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from wiki_tools.markup import slugify
from wiki_tools.render.words import WORDS

EXTENSIONS: dict[str, dict[str, Any]] = {
    "admonition": {},
    "attr_list": {},
    "def_list": {},
    "footnotes": {},
    "md_in_html": {},
    "tables": {},
    "toc": {"permalink": True, "slugify": slugify},
    "pymdownx.details": {},
    "pymdownx.highlight": {},
    "pymdownx.mark": {},
    "pymdownx.superfences": {},
    "pymdownx.tasklist": {"custom_checkbox": True},
    "pymdownx.tilde": {"subscript": False},
}
"""Markdown extension to its settings; what mkdocs.yml says of one of them wins."""

STATUSES = ("failing", "outdated", "partial", "verified", "unverified")


def complete_settings(config: MkDocsConfig, stylesheet: str, language: str) -> None:
    """Add what is missing; calling it again changes nothing."""
    for name, options in EXTENSIONS.items():
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
        theirs: Mapping[str, Any] = config.mdx_configs.get(name) or {}
        if options:
            config.mdx_configs[name] = {**options, **theirs}
    if stylesheet not in config.extra_css:
        config.extra_css.append(stylesheet)
    known = config.extra.setdefault("status", {})
    for status in STATUSES:
        texts = WORDS[status]
        known[status] = texts.get(language, texts["en"])
