"""Reads the case files of `tests/cases`: a title, an input and what is expected of it."""

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
_CASE = re.compile(r"^(\S[^\n]*)\n\.\n(.*?)^\.\n(.*?)^\.$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One behaviour."""

    title: str
    text: str
    """The input; a tab is written `→`."""
    expected: list[str]


def read_cases(name: str) -> list[Case]:
    """The cases of a file: title, a line `.`, input, a line `.`, expected lines, a line `.`."""
    text = (CASES / f"{name}.md").read_text(encoding="utf-8")
    cases = [
        Case(title=title, text=source.replace("→", "\t"), expected=expected.splitlines())
        for title, source, expected in _CASE.findall(text)
    ]
    assert text.splitlines().count(".") == 3 * len(cases), f"{name}.md: a case is not closed"
    return cases
