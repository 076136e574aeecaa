"""What a site needs of MkDocs' configuration so that rendered pages read as they should."""

import re
from collections.abc import Container, Iterator, Mapping
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

_FENCES = re.compile(
    r"^(?:[ \t>]+(?:`{3}|~{3})|(?:`{3,}|~{3,})[ \t]*[\w#.+-]*[ \t]+\S)", re.MULTILINE
)
"""A fence inside something else, or with more than a language: MkDocs' own extension knows none."""
_CODE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
READS: dict[str, re.Pattern[str]] = {
    "admonition": re.compile(r"^[ \t]*!!! ", re.MULTILINE),
    "def_list": re.compile(r"^[ \t]*:[ \t]", re.MULTILINE),
    "footnotes": re.compile(r"\[\^"),
    "md_in_html": re.compile(r"<[a-zA-Z][^<>]*\bmarkdown\b"),
    "pymdownx.details": re.compile(r"^[ \t]*\?\?\?", re.MULTILINE),
    "pymdownx.highlight": _FENCES,
    "pymdownx.mark": re.compile(r"==[^\s=]"),
    "pymdownx.superfences": _FENCES,
    "pymdownx.tasklist": re.compile(r"\[[ xX]\]"),
    "pymdownx.tilde": re.compile(r"~~"),
}
"""Extension to what it reads: a text without that is the same with it and without it.

Each extension that a page goes through costs it time, needed or not; the others of `EXTENSIONS`
are on every page.
"""

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


def needed_extensions(every: list[str], theirs: Container[str], markdown: str) -> Iterator[str]:
    """Choose from all extensions those that a page goes through: `theirs`, and what it reads."""
    prose = _CODE.sub("", markdown)
    for name in every:
        reads = READS.get(name)
        text = markdown if reads is _FENCES else prose
        if name in theirs or reads is None or reads.search(text):
            yield name
