"""Broken input or machinery, never a failing snippet.

WikiError
├── UsageError        the command line asks for what is not there
├── ConfigError       mkdocs.yml, a fixture file or a baseline file cannot be used
├── LedgerError       an evidence file cannot be written
└── WorkerError       the machinery that runs snippets broke
"""

import re
import unicodedata
from collections.abc import Iterable

_STEERING = re.compile(
    r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_STEERING_JSON = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Other control characters are escaped in any JSON; half a character cannot be written."""


class WikiError(Exception):
    """What a person can mend: the message names the place, the value and the remedy."""


class UsageError(WikiError):
    """The command line asks for what is not there."""


class ConfigError(WikiError):
    """A settings, fixture or baseline file cannot be used."""


class LedgerError(WikiError):
    """An evidence file cannot be written."""


class WorkerError(WikiError):
    """The machinery that runs snippets broke; says nothing about the snippet."""


def printable(text: str) -> str:
    """Make a page's text safe to print: what steers a terminal, or ends the line, is spelt out.

    GitHub acts on `::error` at the start of any line of a log, a terminal on escape sequences.
    """
    return _STEERING.sub(lambda match: repr(match[0])[1:-1], text)


def printable_json(text: str) -> str:
    """Make JSON safe to print, the same values in it: such characters stand in its texts only."""
    return _STEERING_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shortened(text: str, most: int = 400) -> str:
    """Keep both ends of what is told of a page: in between it may quote any of its texts.

    An attribute's value or a link may be as long as its page; what is wrong with it stands behind.
    """
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def counted(number: int, word: str, verb: str = "") -> str:
    """A number with its noun and verb: `1 claim is`, `2,400 claims are`."""
    one = number == 1
    said = f"{number:,} {word if one else word + 's'}"
    return f"{said} {_ONE[verb] if one else verb}" if verb else said


_ONE = {"are": "is", "were": "was"}
"""What a verb of several becomes of one."""


def escape_unwritable(error: UnicodeError) -> tuple[str, int]:
    """A handler for `codecs`: what an encoding cannot write as JSON, and people, can read it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))
    return "".join(f"\\u{unit:04x}" for unit in pairs), error.end


def nearest(word: str, known: Iterable[str], cutoff: float = 70.0) -> str | None:
    """Find the known word that was most likely meant, or None.

    Words are compared as decomposed jamo, so that Korean typing errors count as one letter.
    """
    from rapidfuzz import fuzz, process

    names = {unicodedata.normalize("NFD", name.casefold()): name for name in known}
    query = unicodedata.normalize("NFD", word.casefold())
    found = process.extractOne(query, list(names), scorer=fuzz.ratio, score_cutoff=cutoff)
    return names[found[0]] if found else None
