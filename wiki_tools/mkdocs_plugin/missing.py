"""What a reader finds where no page is: words in each language, and a way back."""

from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import write_file

from wiki_tools.render.words import say

PAGE = "404.html"
_THEMES = "<h1>404 - Not found</h1>"
"""All that the theme says."""


def missing_page(html: str, language: str, config: MkDocsConfig) -> str:
    """Give the page for the whole site; that of another language is written to its own folder.

    MkDocs builds the page once a language, and the last one would win. A host shows the site's
    page for any address, so that it speaks all languages, the default one first.
    """
    i18n = config.plugins.get("i18n")
    if i18n is None:
        return html.replace(_THEMES, _words([language], language, config))
    default = i18n.default_language
    if language == default:
        others = [one for one in i18n.build_languages if one != default]
        return html.replace(_THEMES, _words([default, *others], default, config))
    own = html.replace(_THEMES, _words([language], default, config))
    write_file(own.encode("utf-8"), f"{config.site_dir}/{language}/{PAGE}")
    return ""


def _words(languages: Sequence[str], default: str, config: MkDocsConfig) -> str:
    base = urlsplit(config.site_url or "/").path.rstrip("/")
    name = "" if config.use_directory_urls else "index.html"
    parts = []
    for place, language in enumerate(languages):
        folder = "" if language == default else f"{language}/"
        home = f'<a href="{escape(f"{base}/{folder}{name}")}">{escape(say(language, "start"))}</a>'
        heading = f"h{1 if place == 0 else 2}"
        title = escape(say(language, "not-found"))
        text = say(language, "not-found-help", home=home)
        parts.append(
            f'<{heading} lang="{language}">{title}</{heading}><p lang="{language}">{text}</p>'
        )
    return "\n".join(parts)
