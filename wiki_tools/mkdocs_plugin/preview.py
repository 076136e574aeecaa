"""What another site shows of a page that someone links there: https://ogp.me/."""

from html import escape, unescape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page


def preview_tags(page: Page, config: MkDocsConfig) -> str:
    """Write the title and the description of a page as such sites read them."""
    found = {
        "og:type": "website" if page.is_homepage else "article",
        "og:site_name": config.site_name,
        "og:title": config.site_name if page.is_homepage else page.title,
        "og:description": page.meta.get("description") or config.site_description,
        "og:url": page.canonical_url,
    }
    return "".join(
        f'<meta property="{name}" content="{escape(unescape(str(text)))}">'
        for name, text in found.items()
        if text
    )
