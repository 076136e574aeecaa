"""The codes, in the groups in which they are documented."""

from wiki_tools.checks.codes.code import ROWS as CODE
from wiki_tools.checks.codes.files import ROWS as FILES
from wiki_tools.checks.codes.identity import ROWS as IDENTITY
from wiki_tools.checks.codes.links import ROWS as LINKS
from wiki_tools.checks.codes.matter import ROWS as MATTER
from wiki_tools.checks.diagnostic import Code, Diagnostic
from wiki_tools.errors import shortened

GROUPS: dict[str, tuple[Code, ...]] = {
    "Files": FILES,
    "Front matter": MATTER,
    "Code": CODE,
    "Links": LINKS,
    "Identity": IDENTITY,
}
"""What findings speak of, to their codes."""

CODES: dict[str, Code] = {code.name: code for rows in GROUPS.values() for code in rows}
"""Code to its documentation."""


def finding(
    code: str, path: str, message: str, line: int = 1, column: int = 1, hint: str = ""
) -> Diagnostic:
    """Make a finding with the severity, and unless another is given the hint, of its code."""
    row = CODES[code]
    return Diagnostic(
        code=code,
        severity=row.severity,
        path=path,
        line=line,
        column=column,
        message=shortened(message),
        hint=shortened(hint or row.hint),
    )
