"""Tells patterns from what only looks like them: tracebacks, shell commands, diffs, formulas."""

import ast
import functools
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from wiki_tools.code.magics import strip_magics
from wiki_tools.code.trees import compile_error, nodes_of, statements

_PROMPT = re.compile(r"^[ \t]*>>>(?: |$)", re.M)
_IPYTHON = re.compile(r"^[ \t]*(?:In|Out) ?\[\d*\]:", re.M)
_TRACEBACK = re.compile(r"^[ \t]*Traceback \(most recent call last\):", re.M)
_FRAME = re.compile(r"\A\s*(?:File \"[^\"\n]*\", line \d+|(?:\w+\.)*[A-Z]\w*(?:Error|Exception):)")
_DIFF = re.compile(r"\A(?:diff --git |--- \S|\+\+\+ \S|@@ -\d)")
_CHANGED = re.compile(r"^[+-](?![+-])", re.M)
_MAGIC = re.compile(r"^[ \t]*(%{1,2}[A-Za-z]\w*|![\w./~$\{]\S*|\?{1,2}[\w.]+|[\w.]+\?{1,2}$)", re.M)
_COMMANDS = (
    "accelerate|apt|apt-get|bash|brew|cat|cd|chmod|cmake|conda|cp|curl|deepspeed|docker|echo|env|"
    "export|git|huggingface-cli|jupyter|ls|make|mamba|mkdir|mkdocs|mv|ncu|node|npm|npx|nsys|"
    "nvcc|nvidia-smi|ollama|pip|pip3|pipx|poetry|pytest|python|python3|rm|ruff|sh|source|ssh|sudo|"
    "tar|torchrun|unzip|uv|uvx|wget|wiki"
)
_SHELL = re.compile(
    r"[ \t]*(?:\$ +(?=\S)|\.{1,2}/\S+(?:\s|$)|(?:[A-Z_][A-Z0-9_]*=\S*[ \t]+)*"
    rf"(?:{_COMMANDS})[ \t]+(?!(?:and|as|else|for|if|in|is|not|or)\b)(?:--?\w|[\w./~$\"'@]))"
)
_ALONE = re.compile(r"(?:ls|nvidia-smi)(?: +--?[\w-]+)*\s*\Z")
"""Commands that compile, as a subtraction."""
_MATHEMATICS = re.compile(r"[√∑∏∫∂∇∈∀∃≤≥≈≠×·⊙⊗⊕→⇒←∝∞ᵀᵗ⁻²³₀-₉ₐ-ₜα-ωΑ-Ω]|\^T\b|\\[A-Za-z]{2,}|\|\|")
_STRINGS = re.compile(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
_EXCERPT = (
    "'return' outside function",
    "'yield' outside function",
    "'await' outside function",
    "'async with' outside async function",
    "'async for' outside async function",
    "asynchronous comprehension outside",
    "nonlocal declaration not allowed at module level",
    "'break' outside loop",
    "'continue' not properly in loop",
)
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
_NUMBER = re.compile(r"[1-9](?<![^\x00-/:-@\[^`{-~][1-9])(?<![.\\][1-9])[0-9]{0,14}(?![\w.])")
"""A whole number that stands alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a fence holds."""

    code: str
    """To run: the text without an indentation that all its lines share."""
    skip: str = ""
    """Why it is no pattern, in words that say the line; empty where it is one."""
    session: bool = False
    """A REPL session, to run as a doctest."""
    note: str = ""
    """What was left out of it, with its line."""


@functools.lru_cache(maxsize=4096)
def find_kind(code: str, role: str = "", line: int = 1) -> Kind:
    """Say what a fence's text is; `line` is the page's line on which it begins.

    Text that is none of these and does not compile stays a pattern: it fails where it is run,
    with Python's own words and the page's line.
    """
    if role == "out":
        return Kind(code=code, skip=f"line {line}: what the fence before prints")
    skip = ""
    if not is_plain(code):
        if _PROMPT.match(code.lstrip("\n")):
            return _session(code, line)
        code = _dedent(code)
        error = compile_error(code)
        if error and _PROMPT.search(code):
            return _session(code, line)
        if error and (cell := _notebook(code, line)):
            return cell
        skip = _refused(code, error, line) if error else _mistaken(code, line)
        if error:
            return Kind(code=code, skip=skip)
    if role == "no-run":
        skip = "no-run: compiled, not run"
    return Kind(code=code, skip=skip)


def _notebook(code: str, line: int) -> Kind | None:
    """A notebook's cell without the commands that only a notebook understands."""
    stripped, commands = strip_magics(code)
    if not commands or compile_error(stripped) or not statements(stripped):
        return None
    at, command = commands[0]
    note = f"line {line + at}: a notebook's command ({command:.40}) was left out"
    return Kind(code=stripped, note=note, skip=_mistaken(stripped, line))


def is_plain(*codes: str) -> bool:
    """Whether each code compiles, and nothing in it asks for a closer look.

    Fences that differ in whole numbers only compile alike, and are compiled once. Those of a
    page are asked for together, which takes half the time.
    """
    text = "\0".join(codes)
    plain = _are_plain(_NUMBER.sub("7", text), len(codes))
    return all(map(_compiles, codes)) if plain is None else plain


@functools.lru_cache(maxsize=512)
def _are_plain(text: str, count: int) -> bool | None:
    """Whether all of some codes are plain, numbers apart; None where it matters which they are."""
    if "..." in text or ">>>" in text or text.count("\0") >= count:
        return False
    if " \n" in text or "\t\n" in text:  # a line of spaces, which `_dedent` may drop
        return False
    if "\\N" in text or "case" in text:  # a character's name, or a pattern's keys
        return None
    return all(map(_compiles, text.split("\0")))


@functools.lru_cache(maxsize=4096)
def _compiles(code: str) -> bool:
    if code[:1].isspace() or _ALONE.match(code) or _IPYTHON.match(code):
        return False
    return compile_error(code) is None


def _session(code: str, line: int) -> Kind:
    import doctest  # and with it pdb and unittest: sessions are rare

    try:
        doctest.DocTestParser().parse(code)
    except ValueError as error:
        return Kind(code=code, skip=f"line {line}: a session that doctest cannot read: {error}")
    return Kind(code=code, session=True)


def session_source(code: str) -> str:
    """Give the statements of a REPL session, for finding the names that it needs."""
    import doctest

    return "".join(example.source for example in doctest.DocTestParser().get_examples(code))


def _dedent(code: str) -> str:
    dedented = textwrap.dedent(code)
    return dedented if dedented != code and compile_error(dedented) is None else code


def _refused(code: str, error: Exception, line: int) -> str:
    for look in _LOOKS:
        found = look(code, error)
        if found:
            at, what = found
            return f"line {line + at}: {what}"
    return ""


Found = tuple[int, str]
"""The line of a fence, from 0, and what was found there."""


def _error_line(error: Exception) -> int:
    return (getattr(error, "lineno", None) or 1) - 1


def _line_of(code: str, match: re.Match[str]) -> int:
    return code.count("\n", 0, match.start(match.lastindex or 0))


def _traceback(code: str, _error: Exception) -> Found | None:
    if found := _TRACEBACK.search(code):
        return _line_of(code, found), "a traceback"
    return (0, "an error's message") if _FRAME.match(code) else None


def _ipython(code: str, _error: Exception) -> Found | None:
    found = _IPYTHON.search(code)
    return (_line_of(code, found), "an IPython session") if found else None


def _diff(code: str, _error: Exception) -> Found | None:
    if _DIFF.match(code) or (_CHANGED.search(code) and _compile_changed(code)):
        return 0, "a diff"
    return None


def _compile_changed(code: str) -> bool:
    """Whether the new side of a diff is what compiles."""
    rows = [row for row in code.splitlines() if not row.startswith("-")]
    new = "\n".join(row[1:] if row.startswith(("+", " ")) else row for row in rows)
    return bool(new.strip()) and compile_error(textwrap.dedent(new)) is None


def _excerpt(_code: str, error: Exception) -> Found | None:
    message = getattr(error, "msg", str(error))
    if message.startswith(_EXCERPT):
        return _error_line(error), f"an excerpt of a function ({message})"
    return None


def _magic(code: str, _error: Exception) -> Found | None:
    found = _MAGIC.search(code)
    return (_line_of(code, found), f"a notebook's command ({found[1]})") if found else None


def _shell(code: str, error: Exception) -> Found | None:
    """A command on the line that does not compile, or on the first that says something."""
    rows = code.split("\n")
    first = next((i for i, row in enumerate(rows) if row.strip() and row.lstrip()[0] != "#"), 0)
    for at in (first, _error_line(error)):
        if at < len(rows) and _SHELL.match(rows[at]):
            return at, f"a shell's command (`{rows[at].strip():.60}`), not Python"
    return None


def _mathematics(code: str, error: Exception) -> Found | None:
    if found := _MATHEMATICS.search(_STRINGS.sub("", code)):
        return _error_line(error), f"mathematics ({found[0]}), not Python"
    return None


_LOOKS: tuple[Callable[[str, Exception], Found | None], ...] = (
    _traceback,
    _ipython,
    _diff,
    _excerpt,
    _magic,
    _shell,
    _mathematics,
)
"""What text that does not compile may be; the first that says something is right."""


def _mistaken(code: str, line: int) -> str:
    """Find what compiles and yet is no pattern."""
    if _ALONE.match(code):
        return f"line {line}: a shell's command (`{code.strip():.60}`), not Python"
    if _IPYTHON.match(code):
        return f"line {line}: an IPython session"
    return _unfinished(code, line)


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
