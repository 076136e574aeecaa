"""Edits of files, by span: what no edit names stays as it is, byte for byte."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wiki_tools.errors import UsageError
from wiki_tools.markup.matter import clean_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A stretch of a file's text and what stands there instead."""

    path: str
    """Of the file, before it moves; relative to the docs folder where it is a page."""
    start: int
    """Offset in code points of the text as the file has it: byte-order mark and CR count."""
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file's text as it is, and the way there from offsets in the text as it is read.

    `Markup.text` has no byte-order mark and no CR; its spans are translated here.
    """

    path: str
    raw: str
    clean: str
    breaks: tuple[int, ...]
    """Offsets in `clean` of the line breaks that are CR LF in the file."""

    def offset(self, clean: int) -> int:
        """The offset in the file of one in the text as it is read."""
        bom = self.raw.startswith("\ufeff")
        return bom + clean + bisect_left(self.breaks, clean)

    def edit(self, start: int, end: int, text: str) -> Edit:
        """An edit of a span of the text as it is read; its line breaks become the file's."""
        text = text.replace("\n", self.newline) if "\n" in text else text
        return Edit(path=self.path, start=self.offset(start), end=self.offset(end), text=text)

    @property
    def newline(self) -> str:
        """The line break of the file's first line."""
        at = min((i for i in (self.raw.find("\r"), self.raw.find("\n")) if i >= 0), default=-1)
        if at < 0 or self.raw[at] == "\n":
            return "\n"
        return "\r\n" if self.raw.startswith("\r\n", at) else "\r"


def insertion(text: str) -> Edit:
    """The edit that makes a file that is not there yet."""
    return Edit(path="", start=0, end=0, text=text)


def read_source(path: str, data: bytes) -> Source:
    """Read a file that is to be edited.

    Raises:
        UsageError: it is not UTF-8, so that writing it would change what no edit names.
    """
    try:
        raw = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{path}:{line}: is not UTF-8 and has to be edited; save it as UTF-8 first"
        raise UsageError(message) from None
    return Source(path=path, raw=raw, clean=clean_text(raw), breaks=_breaks(raw))


def _breaks(raw: str) -> tuple[int, ...]:
    found: list[int] = []
    at = raw.find("\r\n")
    first = raw.startswith("\ufeff")
    while at >= 0:
        found.append(at - first - len(found))
        at = raw.find("\r\n", at + 2)
    return tuple(found)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits made.

    Raises:
        ValueError: two edits speak of the same stretch.
    """
    parts: list[str] = []
    at = 0
    for edit in in_order(edits):
        if edit.start < at:
            raise ValueError(f"{edit.path}: two edits overlap at offset {edit.start}")
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))


def in_order(edits: Iterable[Edit]) -> Sequence[Edit]:
    """Edits as they stand in their file, each once; what is put at one place keeps its order."""
    return sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end))
