"""Leaves out of a notebook's cell what only a notebook understands; lines are kept."""

import re

_LINE = re.compile(
    r"^([ \t]*)(?:%%?(?P<magic>[A-Za-z]\w*)(?P<rest>[^\n]*)|!(?P<shell>[\w./~${][^\n]*)"
    r"|\?{1,2}[\w.]+|[\w.]+\?{1,2})[ \t]*$",
    re.MULTILINE,
)
_OTHER = frozenset(
    (
        *("bash", "sh", "script", "writefile", "file", "html", "HTML", "javascript", "js", "latex"),
        *("markdown", "svg", "perl", "ruby", "sql", "cython", "R", "run", "cmd", "powershell"),
    )
)
"""Cell magics whose cell is no Python."""
_TIMED = frozenset(["timeit", "time", "prun", "memit", "mprun", "lprun", "snakeviz"])
"""Magics that run the Python behind them."""
_OPTIONS = re.compile(r"(?:\s*-\w+(?:\s+\d+|\d*))*\s*")


def strip_magics(code: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Blank a notebook's commands and run what `%timeit` times.

    Returns:
        The code, and the 0-based line and text of each command; as it was, and none, where a
        cell is in another language.
    """
    found: list[tuple[int, str]] = []

    def replaced(match: re.Match[str]) -> str:
        found.append((code.count("\n", 0, match.start()), match[0].strip()))
        rest = match["rest"] or ""
        if match["magic"] in _TIMED:
            return match[1] + rest[_OPTIONS.match(rest).end() :]  # type: ignore[union-attr]
        return f"{match[1]}pass" if match[1] else ""

    stripped = _LINE.sub(replaced, code)
    if any(text.startswith("%%") and text[2:].split()[0] in _OTHER for _, text in found):
        return code, ()
    return stripped, tuple(found)
