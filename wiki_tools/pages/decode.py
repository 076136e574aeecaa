"""A file's bytes as text, and what its encoding and line endings are."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator

from wiki_tools.markup import Problem

_ENDING = re.compile(r"\r\n|\r|\n")
_NAMES = {"\r\n": "CR LF", "\r": "CR", "\n": "LF"}


def decode_page(data: bytes) -> tuple[str, tuple[Problem, ...]]:
    """Read a file's bytes as UTF-8, or as the UTF-16 that they announce."""
    try:
        return data.decode(), ()
    except UnicodeDecodeError as error:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            message = "The file is UTF-16, not UTF-8; git and most tools take it for binary."
            text = data.decode("utf-16", "replace")
            return text, (_problem("not-utf-8", (1, 1), message, "Save the file as UTF-8."),)
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8", "replace")) + 1
        place = data.count(b"\n", 0, error.start) + 1, column
        message = f"Byte 0x{data[error.start]:02x} is not UTF-8; it is shown as \ufffd."
        problem = _problem("not-utf-8", place, message, "Save the file as UTF-8.")
        return data.decode("utf-8", "replace"), (problem,)


def find_encoding_notes(text: str) -> Iterator[Problem]:
    """A byte-order mark, and line endings of more than one kind: notes, since nothing is lost."""
    if text[:1] == "\ufeff":
        message = "The file begins with a byte-order mark, which is read past."
        yield _problem("byte-order-mark", (1, 1), message, "Save it as UTF-8 without one.", "info")
    if "\r" not in text:
        return
    first, start = "", 0
    for line, match in enumerate(_ENDING.finditer(text), 1):
        first = first or match[0]
        if match[0] != first:
            column = match.start() - start + (line > 1 or text[:1] != "\ufeff")
            message = f"The line ends with {_NAMES[match[0]]}, the first one with {_NAMES[first]}."
            hint = "Let the editor write one kind; everything is read as if it had."
            yield _problem("mixed-line-endings", (line, column), message, hint, "info")
            return
        start = match.end()


def _problem(
    code: str, place: tuple[int, int], message: str, hint: str, severity: str = "error"
) -> Problem:
    line, column = place
    return Problem(
        code=code, line=line, column=column, message=message, hint=hint, severity=severity
    )
