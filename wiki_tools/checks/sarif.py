"""Findings as SARIF 2.1.0, which code scanning services and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from wiki_tools import __version__
from wiki_tools.checks.codes import CODES
from wiki_tools.checks.diagnostic import Code, Diagnostic
from wiki_tools.checks.explain import code_section
from wiki_tools.checks.output import reported_path
from wiki_tools.config import Config
from wiki_tools.errors import printable, printable_json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "wikiFinding/v1"
"""1: SHA-256 of code, path, message and how often the same was said before on the page."""
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def as_sarif(config: Config, diagnostics: Sequence[Diagnostic]) -> str:
    """A SARIF log of one run, paths from the vault's root on and columns in code points."""
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "columnKind": "unicodeCodePoints",
                "results": _results(config, diagnostics),
            }
        ],
    }
    text = json.dumps(log, ensure_ascii=False).replace('}, {"', '},\n{"')
    return printable_json(text) + "\n"


def _driver() -> dict[str, Any]:
    return {
        "name": "wiki check",
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in CODES.values()],
    }


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.meaning},
        "fullDescription": {"text": code.why},
        "help": {"text": f"{code.why} {code.hint}", "markdown": code_section(code)},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _results(config: Config, diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    numbers = {code: number for number, code in enumerate(CODES)}
    said: Counter[tuple[str, str, str]] = Counter()
    rows = []
    for row in diagnostics:
        key = (row.code, row.path, row.message)
        said[key] += 1
        place = {
            "artifactLocation": {"uri": quote(reported_path(config, row), errors="replace")},
            "region": {"startLine": row.line, "startColumn": row.column},
        }
        rows.append(
            {
                "ruleId": row.code,
                "ruleIndex": numbers[row.code],
                "level": _LEVELS[row.severity],
                "message": {"text": printable(f"{row.message} {row.hint}".strip())},
                "locations": [{"physicalLocation": place}],
                "partialFingerprints": {FINGERPRINT: _fingerprint(*key, str(said[key]))},
            }
        )
    return rows


def _fingerprint(*parts: str) -> str:
    """The same for the same finding wherever on its page it moves."""
    text = "\0".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(text).hexdigest()
