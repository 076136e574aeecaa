"""Reads the plain parts of a body without the parser, which takes three times as long for them.

It knows headings of plain words, fences that begin and end at the margin, and wikilinks between
plain words and in bullets. On the slightest doubt the parser reads the paragraphs in question,
or the whole body where more may hang on it. Where it answers, its answer is the parser's.
"""

import re
from collections.abc import Sequence

from wiki_tools.markup.blocks import make_fence
from wiki_tools.markup.body import Body
from wiki_tools.markup.links import read_wikilink
from wiki_tools.markup.types import Span

_new = tuple.__new__
_HTML = re.compile(r"\n {0,3}<")
"""A block of HTML, which may hold blank lines."""
_DEFINITION = re.compile(r"(?<!\])\]:|\\\]+:")
"""What gives brackets anywhere on the page a meaning."""
_CONTAINERS = ("\n!!!", "\n???", "\n===")
"""What Material indents the content of, blank lines and all."""
_WORD = r"[^\s*_~&<>{}\[\]\\`$|#!]"
_ITEM = r"""(?! \d{1,9} [.)] (?:\s|\Z) ) [\w"'(\[]"""
"""How a bullet's or a quote's text begins that is no list, heading or the like itself."""
_NAME = r"[^\s\[\]|\\`$<] [^\n\[\]|\\`$<]*+"
_SIGN = re.compile(
    rf"""\n (?: (\#{{1,6}})\ ({_WORD}+ (?:\ +{_WORD}+)*+) (?=\n|\Z)
            | [\ \t|:=+~] | -(?!\ {_ITEM}) | >(?!\ {_ITEM}|\ \[!\w) | \*(?!\*?[\w"'(\[])
            | \#(?!\w) | \d{{1,9}}[.)](?:\s|\Z) )
    | \[\[ ((?![\^!]) {_NAME} (?:\\?\|{_NAME})?+) \]\] (?![(\[\]])
    | ` ([^`\n]++) ` (?!`)
    | \\ ([^!\n])
    | \[ (?<=\n>\ \[) (!\w+) \] (?![(\[:])
    | \[ | \] | ` | \\ | \$ | < | \|""",
    re.VERBOSE,
)
"""What is plain, in groups (a heading, a wikilink, code in a line, an escaped character, the name
of a callout), or a doubt: a line that may be no paragraph's or bullet's, or a character that may
mean something.

Each alternative begins with one character, which makes the search twice as fast.
"""
_ROW = rf"\| (?: (?: [^\n\[\]\\`$<|] | \[\[ {_NAME} (?:\\\|{_NAME})?+ \]\] )*+ \| )++"
_TABLE = re.compile(
    rf"(?<!.)\n {_ROW} \n \| (?: \ *+ :?+ -++ :?+ \ *+ \| )++ (?: \n {_ROW} )*+ (?= \n\n | \n?\Z )",
    re.VERBOSE,
)
"""A table of plain cells, between blank lines."""
_HEADING, _WIKILINK, _CODE = 2, 3, 4
_MANY = 4
"""Doubts on a page from which on the parser reads the rest of it at once."""


def read_body(text: str, start: int) -> Body:
    """Read a page's body, which begins at an offset."""
    line = text.count("\n", 0, start) + 1
    inner = text[start - 1 :] if start else f"\n{text}"
    parts = inner.split("\n```")
    if len(parts) % 2 and inner.count("```") == len(parts) - 1 and "\0" not in inner:
        reading = _Reading(text, start, line, parts)
        if reading.read():
            return reading.found
    return _parse(text, start, line)


def _parse(text: str, start: int, line: int) -> Body:
    """Let the parser read a whole body."""
    found = Body(text)
    found.parse(start, len(text), line)
    return found


def _is_plain(prose: Sequence[str]) -> bool:
    """Whether nothing outside of fences holds blank lines or gives brackets a meaning.

    Whatever does begins with a doubt, so that a page without any need not be asked.
    """
    said = "".join(prose)
    if "~" in said and "~~~" in said:  # one character is found ten times as fast as two
        return False
    if "<" in said and _HTML.search(said):
        return False
    if any(mark in said for mark in _CONTAINERS):
        return False
    return not ("]:" in said and _DEFINITION.search(said))


class _Reading:
    """A body that is read part by part: prose and fences in turn."""

    def __init__(self, text: str, start: int, line: int, parts: Sequence[str]) -> None:
        self.found = Body(text)
        self._start, self._line, self._parts = start, line, parts
        self._doubts = 0

    def read(self) -> bool:
        """Read all parts, of which the first begins at the end of the line above the body.

        False where a fence is not what it seems to be.
        """
        at, line = self._start - 1, self._line - 1
        for number, part in enumerate(self._parts):
            if number % 2:
                info, ending, code = part.partition("\n")
                if "`" in info:
                    return False
                span = Span(at - 3, at + len(part) + 4, line, 1)
                self.found.add_code(*span[:2])
                self.found.add_fence(make_fence(f"```{info}", span, code + ending))
            elif number and part[:1] not in ("\n", ""):
                return False
            elif len(part) > 1 and not self._read_prose(part, at, line):
                return True
            at += len(part) + 4
            line += part.count("\n") + 1
        return True

    def _read_prose(self, part: str, at: int, line: int) -> bool:
        """Read what stands between two fences; False where all that follows is read as well."""
        done = 0
        while (doubt := self._read_plain(part, done, at, line)) >= 0:
            if not self._doubts and not _is_plain(self._parts[::2]):
                self.found = _parse(self.found.text, self._start, self._line)
                return False
            begin, end = _around(part, done, doubt)
            self._doubts += 1
            many = self._doubts == _MANY
            stop = len(self.found.text) if many else at + end
            self.found.parse(at + begin, stop, line + part.count("\n", done, begin))
            if many:
                return False
            line += part.count("\n", done, end)
            done = end
        return True

    def _read_plain(self, part: str, done: int, at: int, line: int) -> int:
        """Read on to the first doubt, and say where it is; -1 where there is none.

        This loop decides how long a vault takes.
        """
        found = self.found
        seen = table = done
        for match in _SIGN.finditer(part, done):
            kind = match.lastindex
            if kind == _WIKILINK:
                start, end = match.span()
                line += part.count("\n", seen, start)
                seen = start
                start -= part[start - 1] == "!"
                column = start - part.rfind("\n", 0, start)
                span = _new(Span, (at + start, at + end, line, column))
                found.add_link(read_wikilink(part[start:end], span))
            elif kind == _HEADING:
                start, end = match.span()
                line += part.count("\n", seen, start)
                seen = start
                marks, words = match[1], match[2]
                span = _new(Span, (at + start + 1, at + end, line + 1, 1))
                found.headings.append((len(marks), "", " ".join(words.split()), span))
            elif kind is None:
                start = match.start()
                if start >= table:
                    table = _end_table(part, start)
                    if table < 0:
                        return start
            elif kind == _CODE:
                start, end = match.span()
                found.add_code(at + start, at + end)
        return -1


def _end_table(part: str, doubt: int) -> int:
    """Where the plain table ends that begins at a doubt; -1 where there is none.

    A row with more bars than the others has cells that are not shown, and links that are none.
    """
    match = _TABLE.match(part, doubt)
    rows = match[0].replace("\\|", "").split("\n")[1:] if match else ()
    return match.end() if match and len({row.count("|") for row in rows}) == 1 else -1


def _around(part: str, done: int, doubt: int) -> tuple[int, int]:
    """Where the paragraphs around a doubt begin and end, in what is not done yet.

    They begin and end at lines at the margin behind blank ones, where every list and quote
    ends: what stands there does not depend on what stands above.
    """
    begin = part.rfind("\n\n", done, doubt + 1)
    while begin >= 0 and part[begin + 2 : begin + 3].isspace():
        begin = part.rfind("\n\n", done, begin + 1)
    end = part.find("\n\n", doubt + 1)
    while end >= 0 and part[end + 2 : end + 3].isspace():
        end = part.find("\n\n", end + 1)
    return done + 1 if begin < 0 else begin + 2, len(part) if end < 0 else end + 1
