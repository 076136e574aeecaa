"""The grammar of a fence's info string: language, role and attributes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from wiki_tools.errors import nearest
from wiki_tools.markup.ranges import SenselessError, parse_range, read_sizes
from wiki_tools.markup.types import Fence, Problem

ROLES: dict[str, str] = {
    "setup": "runs before the fences of its section",
    "baseline": "what the section's pattern is measured against",
    "antipattern": "what not to do, measured against the section's pattern",
    "check": "assertions, run after the pattern in its namespace",
    "continues": "runs on in the namespace of the fence before",
    "out": "what the fence before prints",
    "no-run": "compiled, not run",
}
"""Role to its meaning; a fence without one is a pattern's code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute that a fence may have."""

    value: re.Pattern[str]
    expected: str
    """The form of its value, in words."""
    read: Callable[[str], object] | None = None
    """What makes sense of it, raising ValueError where there is none."""

    def accepts(self, text: str) -> bool:
        """Whether a value has the form and makes sense."""
        return not self.fault(text)

    def fault(self, text: str) -> tuple[str, str] | None:
        """What is wrong with a value, as a sentence goes on, and what to do."""
        other = f"is not understood; {self.expected} was expected", _CORRECT
        try:
            if self.read is not None:
                self.read(text)
        except SenselessError as error:
            return error.reason, error.remedy
        except ValueError:
            return other
        return None if self.value.fullmatch(text) else other


CLAIMS = ("speedup", "slowdown", "memory")
"""Attributes that claim something."""
_KINDS = "|".join(CLAIMS)
_CORRECT = "Correct the value, or remove the attribute."
_NAMES = r"[\w.:>=<~-]+"
_LIST = re.compile(rf"{_NAMES}(?:\s*,\s*{_NAMES})*")
_ANY = re.compile(r".*", re.DOTALL)
_CLAIM = Attribute(
    value=_ANY, expected='a range such as 2..8, ..3, ">1.5", ~1000 or 2', read=parse_range
)

HARDWARE = re.compile(
    r"(?P<device>cpu(?![\s<>=])|cuda)"
    r"(?::(?P<has>\w+)|\s*(?P<sign>>=|>|<=|<|==|=)\s*(?P<version>\d+(?:\.\d+)?))?",
    re.IGNORECASE,
)
"""What hardware a claim may speak of."""

ATTRIBUTES: dict[str, Attribute] = {
    "speedup": _CLAIM,
    "slowdown": _CLAIM,
    "memory": _CLAIM,
    "on": Attribute(value=HARDWARE, expected="hardware such as cuda, cuda>=8.0 or cpu:bf16"),
    "needs": Attribute(value=_LIST, expected="a list such as cuda or jax,triton"),
    "raises": Attribute(value=re.compile(r"[^\W\d][\w.]*"), expected="the name of an exception"),
    "expect": Attribute(
        value=re.compile(rf"refuted(?::(?:{_KINDS})(?:,(?:{_KINDS}))*)?"),
        expected="refuted, or refuted:memory where of several claims that one fails",
    ),
    "sweep": Attribute(value=_ANY, expected="sizes such as S:128,512,2048", read=read_sizes),
    "timeout": Attribute(
        value=re.compile(r"(?=.*[1-9])\d+(?:\.\d+)?"), expected="a number of seconds above 0"
    ),
    "title": Attribute(value=_ANY, expected="a text"),
    "hl_lines": Attribute(value=_ANY, expected="lines such as 1 3-4"),
    "linenums": Attribute(value=_ANY, expected="the first line's number"),
}
"""Attribute to the form of its value; the last three are Material's own."""

CLASSES = {"annotate", "copy", "no-copy", "select", "no-select"}
"""Material's own classes, legal in `{.python .annotate}`."""

LANGUAGES = {"py": "python", "python3": "python"}
_SESSIONS = {"python", "pycon"}
_TOKEN = re.compile(r"""([^\s=]+)=("[^"]*"|'[^']*'|[^\s"']\S*|["']?[^"']*)|(\S+)""")
_BRACED = re.compile(r"\{\s*\.([^\s}=]+)")
_LINES = re.compile(r"[\d\s,-]+")


class Info(NamedTuple):
    """An info string, read."""

    language: str
    role: str
    attributes: dict[str, str]
    problems: tuple[Problem, ...] = ()


def owned_claims(expect: str) -> tuple[str, ...]:
    """The claims that an `expect` names; none where it speaks of all that its fence makes."""
    return tuple(name for name in expect.partition(":")[2].split(",") if name)


def is_code(language: str) -> bool:
    """Whether a fence of this language is Python code that may run."""
    return LANGUAGES.get(language.lower(), language.lower()) == "python"


def is_runnable(fence: Fence) -> bool:
    """Whether a fence holds Python, as a script or as a session."""
    return is_code(fence.language) or fence.language == "pycon"


def read_info(info: str, line: int, column: int) -> Info:
    """Read an info string that stands at a place; what the grammar refuses is a problem.

    Unknown words are problems in Python fences only: other languages have conventions of
    their own.
    """
    if info and info.isidentifier():  # `python`, the usual one
        return Info(LANGUAGES.get(info.lower(), info.lower()), "", {})
    language, words, at = _split_language(info)
    reader = _Reader(line, column, strict=language in _SESSIONS)
    for match in _TOKEN.finditer(words):
        reader.read(match, at + match.start())
    reader.hold_owned()
    return Info(
        language=language,
        role=reader.roles[0] if reader.roles else "",
        attributes=reader.attributes,
        problems=tuple(reader.problems),
    )


def _split_language(info: str) -> tuple[str, str, int]:
    """The language, what follows it without braces, and where that begins in the info string."""
    match = _BRACED.match(info)
    language = match[1] if match else re.split(r"[\s{]", info, maxsplit=1)[0]
    at = match.end() if match else len(language)
    if "=" in language:  # an attribute stands first: there is no language
        language, at = "", 0
    words = info[at:]
    if "{" in info:
        stripped = words.lstrip(" \t{")
        at += len(words) - len(stripped)
        words = stripped.rstrip().removesuffix("}")
    language = language.lower()
    return LANGUAGES.get(language, language), words, at


class _Reader:
    """Collects roles and attributes, word by word."""

    def __init__(self, line: int, column: int, *, strict: bool) -> None:
        self.roles: list[str] = []
        self.attributes: dict[str, str] = {}
        self.problems: list[Problem] = []
        self._line, self._column, self._strict = line, column, strict
        self._owned = 0  # where `expect` stands

    def read(self, match: re.Match[str], at: int) -> None:
        if match[1]:
            self._attribute(match[1], match[2], at)
        elif not match[3].startswith("#") and not _LINES.fullmatch(match[3]):
            self._role(match[3].lstrip("."), at)

    def hold_owned(self) -> None:
        """Hold what `expect` owns against what the fence claims."""
        value = self.attributes.get("expect", "")
        if not value or not ATTRIBUTES["expect"].accepts(value):
            return
        claims = [name for name in CLAIMS if name in self.attributes]
        named = owned_claims(value)
        missing = next((name for name in named if name not in claims), "")
        if missing or not claims:
            message = f"expect={value} owns a claim that the fence does not make."
            hint = f"Claim it there, as in {missing or 'speedup'}=2, or take it out of expect."
            self._say("bad-attribute", self._owned, message, hint)
        elif not named and len(claims) > 1:
            message = f"expect={value} says of {' and '.join(claims)} that they fail."
            hint = (
                f"Name what does, as in expect=refuted:{claims[0]}, so that you hear of the rest."
            )
            self._say("bad-attribute", self._owned, message, hint, "warning")

    def _say(self, code: str, at: int, message: str, hint: str, severity: str = "error") -> None:
        if self._strict:
            self.problems.append(
                Problem(
                    code=code,
                    line=self._line,
                    column=self._column + at,
                    message=message,
                    hint=hint,
                    severity=severity,
                )
            )

    def _role(self, word: str, at: int) -> None:
        if word in ROLES:
            self.roles.append(word)
            if len(self.roles) > 1:
                hint = f"Keep {self.roles[0]!r} or {word!r}; the first is taken."
                message = f"A fence has at most one role, and {word!r} is the next."
                self._say("several-roles", at, message, hint)
        elif word in ATTRIBUTES:
            hint = f"Write {word}=value, without spaces around the sign."
            self._say("bad-attribute", at, f"The attribute {word!r} has no value.", hint)
        elif word and word not in CLASSES and word[0] != "=":
            message = f"{word!r} is no role of a fence."
            self._unknown("unknown-role", word, tuple(ROLES), at, message)

    def _attribute(self, key: str, value: str, at: int) -> None:
        known = ATTRIBUTES.get(key)
        quoted = value[:1] in ('"', "'")
        closed = not quoted or (len(value) > 1 and value[-1] == value[0])
        plain = value[1:-1] if quoted and closed else value.strip("\"'")
        if known is None:
            message = f"{key!r} is no attribute of a fence."
            self._unknown("unknown-attribute", key, tuple(ATTRIBUTES), at, message)
        elif key in self.attributes:
            message = f"The attribute {key!r} is given twice."
            self._say("bad-attribute", at, message, f"Keep one; {self.attributes[key]!r} is taken.")
            return
        elif not closed:
            message = f"The quoted value of {key!r} is never closed."
            self._say("bad-attribute", at, message, f"Add the closing {value[0]}.")
        elif fault := known.fault(plain):
            self._say("bad-attribute", at, f"{key}={plain} {fault[0]}.", fault[1])
        self.attributes.setdefault(key, plain)
        self._owned = at if key == "expect" else self._owned

    def _unknown(self, code: str, word: str, known: tuple[str, ...], at: int, message: str) -> None:
        near = nearest(word, known)
        if near:
            self._say(code, at, message, f"Did you mean {near!r}?")
        else:
            hint = f"Known are {', '.join(known)}. It is ignored."
            self._say(code, at, message, hint, "warning")
