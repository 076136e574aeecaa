"""Tells patterns from what only looks like them: tracebacks, diffs, excerpts, formulas."""

import ast
import doctest
import functools
import re
import textwrap
from dataclasses import dataclass

from wiki_tools.snippets.trees import compile_error, nodes_of

_TRACEBACK = re.compile(r"\A\s*Traceback \(most recent call last\):")
_PROMPT = re.compile(r"^\s*>>> ?", re.M)
_DIFF = re.compile(r"\A(?:diff --git |--- \S|\+\+\+ \S|@@ -\d)")
_CHANGED = re.compile(r"^[+-](?![+-])", re.M)
_MAGIC = re.compile(r"^\s*(%{1,2}[A-Za-z]\w*|![A-Za-z])", re.M)
_MATHEMATICS = re.compile(r"[√∑∏∫∂∇∈∀∃≤≥≈≠×·⊙⊗⊕→⇒←∝∞ᵀᵗ⁻²³₀-₉ₐ-ₜα-ωΑ-Ω]|\^T\b|\\frac|\\sum|\|\|")
_STRINGS = re.compile(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
_EXCERPT = ("'return' outside function", "'yield' outside function", "'await' outside function")
_FIELDS = frozenset(
    [
        "Field",
        "Query",
        "Path",
        "Body",
        "Form",
        "File",
        "Header",
        "Cookie",
        "Depends",
        "Option",
        "Argument",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a fence holds."""

    code: str
    """To run: the text without an indentation that all its lines share."""
    skip: str = ""
    """Why it is no pattern, in words that say the line; empty where it is one."""
    session: bool = False
    """A REPL session, to run as a doctest."""


@functools.lru_cache(maxsize=4096)
def find_kind(code: str, role: str = "", line: int = 1) -> Kind:
    """Say what a fence's text is; `line` is the page's line on which it begins.

    Text that is none of these and does not compile stays a pattern: it fails where it is run,
    with Python's own words and the page's line.
    """
    if _PROMPT.match(code.lstrip("\n")):
        return _session(code, line)
    code = _dedent(code)
    error = compile_error(code)
    skip = _refused(code, error, line) if error else _unfinished(code, line)
    if role == "no-run" and not error:
        skip = "no-run: compiled, not run"
    return Kind(code=code, skip=skip)


def _session(code: str, line: int) -> Kind:
    try:
        doctest.DocTestParser().parse(code)
    except ValueError as error:
        return Kind(code=code, skip=f"line {line}: a session that doctest cannot read: {error}")
    return Kind(code=code, session=True)


def session_source(code: str) -> str:
    """Give the statements of a REPL session, for finding the names that it needs."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(code))


def _dedent(code: str) -> str:
    dedented = textwrap.dedent(code)
    return dedented if dedented != code and compile_error(dedented) is None else code


def _refused(code: str, error: Exception, line: int) -> str:
    at = line - 1 + (getattr(error, "lineno", None) or 1)
    message = getattr(error, "msg", str(error))
    if _TRACEBACK.match(code):
        return f"line {line}: a traceback"
    if _DIFF.match(code) or (len(_CHANGED.findall(code)) > 1 and _compile_changed(code)):
        return f"line {line}: a diff"
    if any(message.startswith(text) for text in _EXCERPT):
        return f"line {at}: an excerpt of a function ({message})"
    if magic := _MAGIC.search(code):
        at = line + code.count("\n", 0, magic.start(1))
        return f"line {at}: a notebook's command ({magic[1]})"
    if found := _MATHEMATICS.search(_STRINGS.sub("", code)):
        return f"line {at}: mathematics ({found[0]}), not Python"
    return ""


def _compile_changed(code: str) -> bool:
    """Whether the new side of a diff is what compiles."""
    rows = [row for row in code.splitlines() if not row.startswith("-")]
    new = "\n".join(row[1:] if row.startswith(("+", " ")) else row for row in rows)
    return compile_error(textwrap.dedent(new)) is None


def _unfinished(code: str, line: int) -> str:
    """Find a `...` that stands for what the author left out, as in `model = Net(...)`."""
    if "..." not in code:
        return ""
    for node in nodes_of(code):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") not in _FIELDS:
            parts = [*node.args[:1], *(k.value for k in node.keywords if k.arg != "default")]
        elif isinstance(node, ast.Assign):
            parts = [node.value]
        for part in parts:
            if isinstance(part, ast.Constant) and part.value is Ellipsis:
                text = ast.unparse(node)
                return f"line {line - 1 + part.lineno}: a placeholder (`{text:.60}`)"
    return ""
