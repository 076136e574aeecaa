"""The front matter as a JSON Schema, made from the same table that reads it."""

from typing import Any

from wiki_tools.pages.fields import FIELDS


def frontmatter_schema() -> dict[str, Any]:
    """What a front matter may hold: a value that the schema allows is one that pages accept.

    Unknown keys are allowed, as everywhere. Draft 7, which every editor knows.
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Front matter of a wiki page",
        "type": "object",
        "properties": {
            key: {"description": f"{field.about} Expected: {field.expected}.", **field.schema}
            for key, field in FIELDS.items()
        },
    }
