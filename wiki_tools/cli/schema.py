"""`wiki schema`: what a front matter may hold, for editors."""

import json

import typer

from wiki_tools.pages import frontmatter_schema


def schema() -> None:
    """Print the JSON Schema of a page's front matter, for editors and other tools.

    Example: `wiki schema > frontmatter.schema.json`
    """
    typer.echo(json.dumps(frontmatter_schema(), ensure_ascii=False, indent=2))
