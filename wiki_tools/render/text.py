"""Text into text: edits by offset, escapes, plain words and relative addresses."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wiki_tools.errors import printable

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#!|~^$=])")
_ADDRESS = str.maketrans({c: f"%{ord(c):02X}" for c in ' ()<>%#?"\\|`*[]'})


_LINK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]\n]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"[*`]{1,3}|~~|==|(?<!\w)_{1,2}|_{1,2}(?!\w)|<[^<>]*>|^[\s>#|:+-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Puts a text in place of `text[start:end]`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, start: int, end: int, edits: Iterable[Edit]) -> str:
    """Give `text[start:end]` with the edits made; of two that overlap the first one wins."""
    parts: list[str] = []
    at = start
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start >= at and edit.end <= end:
            parts += (text[at : edit.start], edit.text)
            at = edit.end
    return "".join([*parts, text[at:end]])


def escape(text: str) -> str:
    """Make a plain text safe inside a line of Markdown, table cells included."""
    text = printable(text.replace("&", "&amp;").replace("\n", " ").replace("\r", " "))
    return _SPECIAL.sub(lambda m: f"&#{ord(m[1])};", text)


def attribute(text: str) -> str:
    """Make a plain text safe inside a quoted HTML attribute that stands in Markdown."""
    return escape(text).replace('"', "&quot;")


def plain(markdown: str) -> str:
    """Take the markup off a sentence: what a reader would read aloud."""
    words = _LINK.sub(lambda m: (m[1] or m[2] or "").strip(), markdown.replace("\\|", "|"))
    return " ".join(_MARKUP.sub("", words).split())


def address(source: str, target: str, anchor: str = "") -> str:
    """Write the relative link from one file of the tree to another."""
    path = "" if source == target else _relative(source, target)
    fragment = f"#{anchor.translate(_ADDRESS)}" if anchor else ""
    return path.translate(_ADDRESS) + fragment or target.rpartition("/")[2].translate(_ADDRESS)


def _relative(source: str, target: str) -> str:
    """The path to one file of the tree from the folder of another.

    `posixpath.relpath` asks the system where it is, and takes ten times as long.
    """
    folder, _, _ = source.rpartition("/")
    if not folder:
        return target
    if target.startswith(folder + "/"):
        return target[len(folder) + 1 :]
    ours, theirs = folder.split("/"), target.split("/")
    shared = 0
    for one, other in zip(ours, theirs[:-1], strict=False):
        if one != other:
            break
        shared += 1
    return "../" * (len(ours) - shared) + "/".join(theirs[shared:])


def link(text: str, source: str, target: str, anchor: str = "") -> str:
    """Write a Markdown link; `text` is Markdown already."""
    return f"[{text}]({address(source, target, anchor)})"


def indent(lines: Iterable[str], by: str = "    ") -> Iterator[str]:
    """Move lines to the right; blank ones stay empty."""
    for line in lines:
        yield by + line if line.strip() else by.rstrip(" ")


def mark(kind: str, text: str) -> str:
    """Write a verdict or a status as a word with a shape and a colour of its own."""
    return f'<span class="wiki-mark {kind}">{escape(text)}</span>'
