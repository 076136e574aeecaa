"""One page of the rendered tree: front matter, header, text, backlinks."""

import html
from typing import Any

import yaml

from wiki_tools.pages import Page
from wiki_tools.render.backlinks import backlinks_text
from wiki_tools.render.body import body_text
from wiki_tools.render.header import header_text, page_status
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, link, plain
from wiki_tools.render.words import say

_LONGEST = 160
"""Characters of a description, as search engines show them."""


def page_text(site: Site, page: Page) -> str:
    """Write a page as plain Markdown; a duplicate only says where to read on."""
    key = site.duplicates.get(page.key)
    target = site.page_for(key, page.language) if key else None
    # Themes print titles as they are, into navigation and head of every page.
    matter: dict[str, Any] = {"title": html.escape(page.title, quote=False)}
    if target:
        matter |= {"redirect": target.path, "search": {"exclude": True}}
        words = say(
            page.language, "duplicate", link=link(escape(target.title), page.path, target.path)
        )
        return f"{_matter(matter)}# {escape(page.title)}\n\n{words}\n"
    description = _description(page)
    if description:
        matter["description"] = description
    if page.frontmatter.tags:
        matter["tags"] = list(page.frontmatter.tags)
    report = site.report(page)
    if report and report.snippets:
        matter["status"] = str(page_status(report))
    text = body_text(site, page, header_text(site, page)).strip("\n")
    parts = [_matter(matter) + text + "\n", backlinks_text(site, page)]
    return "\n".join(part for part in parts if part)


def _matter(matter: dict[str, Any]) -> str:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    written = yaml.dump(matter, Dumper=dumper, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{written}---\n\n"


def _description(page: Page) -> str:
    """The page's one line, where it has that section."""
    for section in page.sections:
        if section.name == "one-line":
            span = section.heading.span
            text = page.markup.text[span.end : section.heading.end]
            sentence = plain(text.strip().partition("\n\n")[0])
            return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1] + "…"
    return ""
