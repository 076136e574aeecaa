"""Shows a wiki with MkDocs: renders it before a build, and never runs a snippet."""

from wiki_tools.mkdocs_plugin.plugin import WikiPlugin

__all__ = ["WikiPlugin"]
