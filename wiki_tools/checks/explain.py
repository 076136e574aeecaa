"""What is to be known of a code, for the terminal and as Markdown."""

import textwrap
from collections.abc import Iterator

from wiki_tools.checks.codes import CODES, GROUPS
from wiki_tools.checks.diagnostic import Code
from wiki_tools.errors import UsageError, nearest

_WIDTH = 80
_SPELT = {"\0": r"\x00", "\r": r"\r", "\ufeff": r"\ufeff"}


def explain(name: str) -> str:
    """Tell in a terminal what a code means, why it matters, how it comes about and what to do.

    Raises:
        UsageError: there is no such code.
    """
    code = CODES.get(name)
    if code is None:
        near = nearest(name, CODES)
        hint = f"did you mean {near}?" if near else f"known are {', '.join(CODES)}"
        raise UsageError(f"--explain {name}: no such code; {hint}")
    parts = [f"{code.name} ({code.severity})", f"{code.meaning} {code.why}"]
    if code.remark:
        parts.append(code.remark)
    for path, text in code.example.items():
        parts += [f"{path}:", textwrap.indent(shown(text).rstrip("\n"), "    ")]
    parts.append(f"What to do: {code.hint}")
    return "\n\n".join(_wrapped(part) for part in parts) + "\n"


def _wrapped(part: str) -> str:
    return part if part.startswith(" ") else textwrap.fill(part, _WIDTH, break_on_hyphens=False)


def code_section(code: Code) -> str:
    """The section of the page of findings that tells of a code; its anchor is the code."""
    return "\n\n".join(
        [
            f"### {code.name}",
            f"*{code.severity}*. {code.meaning} {code.why}",
            *_examples(code),
            f"**What to do.** {code.hint}",
        ]
    )


def _examples(code: Code) -> Iterator[str]:
    if code.remark:
        yield code.remark
    for path, text in code.example.items():
        language = "markdown" if path.endswith(".md") else "text"
        yield f"`{path}`\n\n````{language}\n{shown(text)}````"


def shown(text: str) -> str:
    """An example's text in letters that can be shown: control characters and bytes spelt out."""
    for character, spelling in _SPELT.items():
        text = text.replace(character, spelling)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def findings_text() -> str:
    """The body of the page of findings, from its first group of codes on."""
    parts = []
    for group, rows in GROUPS.items():
        parts += [f"## {group}", *(code_section(code) for code in rows)]
    return "\n\n".join(parts) + "\n"
