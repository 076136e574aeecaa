"""Evidence as plain values, for JSON."""

import dataclasses
from typing import Any

from wiki_tools.ledger.types import Evidence


def row_fields(row: Evidence) -> dict[str, Any]:
    """What a row holds, without its environment, which is written apart."""
    value = fields_of(row)
    del value["environment"]
    value["outcome"] = fields_of(row.outcome)
    del value["outcome"]["environment"]  # the row's own says where it ran
    return value


def fields_of(value: Any) -> dict[str, Any]:
    """A dataclass's fields; what they hold is left as it is."""
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
