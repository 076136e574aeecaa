"""YAML into nodes that keep their places and their source text, as far as it can be read."""

import json
import re
from dataclasses import dataclass
from typing import Any

import yaml

from wiki_tools.markup import Problem

_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]  # libyaml's, where there is one
    """Makes nodes without finding out what type YAML thinks their text is: half the time."""

    def resolve(self, _kind: Any, _value: Any, _implicit: Any) -> str:
        """Every node has the same tag, since `FIELDS` decides types."""
        return "tag:yaml.org,2002:str"


_KEY = re.compile(r"""(?:[^\s#\-\[\]{}"'][^:\n]*|"[^"\n]*"|'[^'\n]*'):(?:[ \t]|$)""")
_BARE = re.compile(r"^([ \t]*(?:- +|[^\s:#-][^:\n]*:[ \t]+))([^\s\"'\[{|>&#].*)")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
LARGEST = 5_000
"""Values that one key may hold: YAML's aliases can make a few lines exponentially many."""
_DEEPEST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One key of the front matter with its value's node."""

    key: str
    node: yaml.Node
    line: int
    column: int
    value_line: int
    value_column: int


def compose_entries(text: str, first_line: int) -> tuple[dict[str, Entry], list[Problem]]:
    """Read the keys of a YAML block; the second of two equal ones is a problem.

    Where the block is no YAML, each top-level key is read by itself, so that one broken value
    costs no other.
    """
    text = text.replace("\0", "\ufffd")
    try:
        return _entries(yaml.compose(text, Loader=_Loader), first_line)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _recover(text, first_line, _problem(error, first_line))


def _entries(root: yaml.Node | None, line: int) -> tuple[dict[str, Entry], list[Problem]]:
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    if root is None:
        return entries, problems
    if not isinstance(root, yaml.MappingNode):
        message = "The front matter is no list of `key: value` lines."
        return entries, [_said("broken-frontmatter", root, line, message, "Write key: value.")]
    for key, value in root.value:
        if not isinstance(key, yaml.ScalarNode):
            message = "A key of the front matter is no text."
            problems.append(_said("broken-frontmatter", key, line, message, "Quote it."))
        elif key.value in entries:
            message = f"The key {key.value!r} is given again; the first one counts."
            problems.append(_said("duplicate-key", key, line, message, "Keep one of them."))
        else:
            entries[key.value] = Entry(
                key=key.value,
                node=value,
                line=line + key.start_mark.line,
                column=key.start_mark.column + 1,
                value_line=line + value.start_mark.line,
                value_column=value.start_mark.column + 1,
            )
    return entries, problems


def _said(code: str, node: yaml.Node, line: int, message: str, hint: str) -> Problem:
    mark = node.start_mark
    return Problem(
        code=code, line=line + mark.line, column=mark.column + 1, message=message, hint=hint
    )


def _problem(error: Exception, line: int) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    hint = "Indent with spaces." if "\\t" in reason else "Put the value in quotes."
    return Problem(
        code="broken-frontmatter",
        line=line + (mark.line if mark else 0),
        column=mark.column + 1 if mark else 1,
        message=f"The front matter is no YAML here: {reason.splitlines()[0][:120]}.",
        hint=hint,
    )


def _recover(text: str, first_line: int, whole: Problem) -> tuple[dict[str, Entry], list[Problem]]:
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for offset, chunk in _chunks(text):
        line = first_line + offset
        found, said = _read_chunk(chunk, line)
        problems += said
        for key, entry in found.items():
            entries.setdefault(key, entry)
    broken = any(problem.code == "broken-frontmatter" for problem in problems)
    return entries, problems if broken else [whole, *problems]


def _read_chunk(chunk: str, line: int) -> tuple[dict[str, Entry], list[Problem]]:
    try:
        return _entries(yaml.compose(chunk, Loader=_Loader), line)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = _problem(error, line)
    quoted = "\n".join(_BARE.sub(_quote, row.rstrip()) for row in chunk.split("\n"))
    try:
        found, said = _entries(yaml.compose(quoted, Loader=_Loader), line)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, [problem]
    return found, [problem, *said]


def _quote(match: re.Match[str]) -> str:
    return match[1] + json.dumps(match[2], ensure_ascii=False)


def _chunks(text: str) -> list[tuple[int, str]]:
    """The lines of each top-level key, with the number of the first."""
    chunks: list[tuple[int, list[str]]] = []
    for number, row in enumerate(text.split("\n")):
        if _KEY.match(row) or not chunks:
            chunks.append((number, []))
        chunks[-1][1].append(row)
    return [(number, "\n".join(rows)) for number, rows in chunks]


def source_text(node: yaml.Node, source: str) -> str:
    """A value as its author wrote it; of a recovered one, its value."""
    text = source[node.start_mark.index : node.end_mark.index].strip()
    return node.value if isinstance(node, yaml.ScalarNode) and not text else text


def plain(node: yaml.Node) -> Any:
    """A node as text, numbers, lists and maps; texts that YAML would change stay as written.

    Raises:
        ValueError: it holds more values than a front matter reasonably has, or itself.
    """
    return _Plain().read(node, 0)


class _Plain:
    def __init__(self) -> None:
        self._count = 0

    def read(self, node: yaml.Node, depth: int) -> Any:
        self._count += 1
        if self._count > LARGEST or depth > _DEEPEST:
            raise ValueError(f"more than {LARGEST} values, or {_DEEPEST} levels")
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.MappingNode):
            pairs = [(self.read(k, depth + 1), self.read(v, depth + 1)) for k, v in node.value]
            return {key if isinstance(key, str) else str(key): value for key, value in pairs}
        return _scalar(node)


def _scalar(node: yaml.Node) -> Any:
    text = str(node.value)
    if node.style:  # type: ignore[attr-defined]  # quoted or a block
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    match = _NUMBER.fullmatch(text)
    if not match or len(text) > 15:
        return text
    return float(text) if match[1] else int(text)
