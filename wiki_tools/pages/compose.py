"""YAML into values with their places, by libyaml; what is no YAML is recovered key by key."""

import re
from typing import Any

import yaml

from wiki_tools.markup import WIKILINK, Problem
from wiki_tools.pages.conflicts import MARKER
from wiki_tools.pages.nodes import DEEPEST, LARGEST, Lines, Node, Rows, plain
from wiki_tools.pages.recover import Chunk, find_chunks, recover_items, recover_value

_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]  # libyaml's, where there is one
    """Makes nodes without finding out what type YAML thinks their text is: half the time."""

    def resolve(self, _kind: Any, _value: Any, _implicit: Any) -> str:
        """Every node has the same tag, since `FIELDS` decides types."""
        return "tag:yaml.org,2002:str"


_REFUSED = re.compile("[^\t\n\x85 -~\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML does not allow."""
_SWALLOWED = re.compile(r"[ \t]*(#[^\s#][^\n]*)")
_HASH = re.compile(r"[\[{,\s](#)")
_DASH = re.compile(r"^[ \t]*(-)(?=[^\n-])", re.MULTILINE)
_BROKEN = {"broken-frontmatter", "unspaced-item"}
_CLOSED_BY = {"[": "]", "{": "}", '"': '"', "'": "'"}
_NUMBER = re.compile(r"-?[0-9.]+")


def compose_rows(text: str, first_line: int) -> tuple[Rows, list[Problem]]:
    """Read the keys of a YAML block; the second of two equal ones is a problem.

    Where the block is no YAML, each top-level key is read by itself, so that one broken value
    costs no other.
    """
    reading = _Reading(text, first_line)
    rows = reading.whole()
    return rows, reading.problems


class _Reading:
    """One front matter: its text without what YAML refuses, and what is wrong so far."""

    def __init__(self, text: str, first_line: int) -> None:
        self.problems: list[Problem] = []
        self._lines = Lines(text, first_line)
        self._conflict = MARKER.search(text) is not None
        self._text = self._clean(text)
        self._count = 0
        """Values of the key that is being read."""
        self._key = 0
        """Where that key stands."""

    def whole(self) -> Rows:
        """The keys of the block, read at once or one by one."""
        whole: tuple[Chunk, Exception] | None = None
        try:
            root = yaml.compose(self._text, Loader=_Loader)
            if not isinstance(root, yaml.ScalarNode) or not self._has_keys():
                return self._rows(root, 0)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            whole = Chunk("", 0, 0, len(self._text)), error
        rows: Rows = {}
        broken = False
        for chunk in find_chunks(self._text):
            said = len(self.problems)
            found = self._chunk(chunk)
            broken = broken or any(p.code in _BROKEN for p in self.problems[said:])
            for key, row in found.items():
                if key in rows:
                    self._again(key, row[:2])
                else:
                    rows[key] = row
        if whole and not broken:
            self._broken(*whole)
        return rows

    def _has_keys(self) -> bool:
        """Whether what YAML reads as one text has lines such as `id:a`."""
        return any(chunk.key for chunk in find_chunks(self._text))

    def _clean(self, text: str) -> str:
        refused = next((m for m in _REFUSED.finditer(text) if m[0] != "\0"), None)
        if refused:
            message = f"The front matter holds the character U+{ord(refused[0]):04X}."
            self._say("broken-frontmatter", refused.start(), message, "Remove it.")
        text = _REFUSED.sub("\ufffd", text)
        return MARKER.sub(lambda match: " " * len(match[0]), text) if self._conflict else text

    def _chunk(self, chunk: Chunk) -> Rows:
        """The rows of a chunk, as YAML or as they were most likely meant."""
        said = len(self.problems)
        if chunk.key and self._text[chunk.value : chunk.value + 1].strip() and not chunk.json:
            message = "No space stands behind the colon."
            self._say("broken-frontmatter", chunk.value - 1, message, "Write key: value.")
        elif not chunk.json:
            try:
                root = yaml.compose(self._text[chunk.start : chunk.end], Loader=_Loader)
                return self._rows(root, chunk.start)
            except (yaml.YAMLError, ValueError, RecursionError) as error:
                self._broken(chunk, error)
        if not chunk.key:
            return {}
        node, tight = recover_value(self._text, chunk, self._lines)
        if tight:
            del self.problems[said:]
            for at in tight:
                self._say_tight(at)
        return {chunk.key: (*self._lines.place(chunk.start), node)}

    def _rows(self, root: yaml.Node | None, base: int) -> Rows:
        rows: Rows = {}
        if root is None:
            return rows
        if not isinstance(root, yaml.MappingNode):
            at, message = root.start_mark.index + base, "The front matter is no list of keys."
            self._say("broken-frontmatter", at, message, "Write key: value.")
            return rows
        if root.flow_style:
            self._json(root.start_mark.index + base)
        for key, value in root.value:
            at = key.start_mark.index + base
            if not isinstance(key, yaml.ScalarNode):
                message = "A key of the front matter is no text."
                self._say("broken-frontmatter", at, message, "Quote it.")
            elif key.value in rows:
                self._again(key.value, self._lines.place(at))
            else:
                self._key = at
                node = self._value(value, base)
                if node:
                    rows[key.value] = (*self._lines.place(at), node)
        return rows

    def _json(self, at: int) -> None:
        bare = self._lines.place(0) == (1, 1)  # without the `---` lines
        message = "The front matter is written as JSON."
        hint = "Write key: value, one a line, between two lines ---."
        self._say("json-frontmatter", at, message, hint, "warning" if bare else "info")

    def _value(self, value: yaml.Node, base: int) -> Node | None:
        self._count = 0
        try:
            items = self._run_on(value, base)
            if items:
                return items, False, *self._below(value.start_mark.index + base)
            return self._node(value, base, 0)
        except ValueError as error:
            at = value.start_mark.index + base
            self._say("frontmatter-value", at, str(error), "Until then the key counts as absent.")
            return None

    def _node(self, value: yaml.Node, base: int, depth: int) -> Node:
        """A value of libyaml as one of ours.

        Raises:
            ValueError: it holds more than a front matter reasonably has, or itself.
        """
        self._count += 1
        if self._count > LARGEST or depth > DEEPEST:
            raise ValueError(f"The value holds more than {LARGEST} values, or {DEEPEST} levels.")
        start, end = value.start_mark.index + base, value.end_mark.index + base
        place = self._below(start)
        if isinstance(value, yaml.ScalarNode):
            return self._scalar(value, start, place)
        if isinstance(value, yaml.SequenceNode):
            if value.flow_style and self._is_link(self._text[start:end]):
                message = "A link without quotes is a list in a list."
                hint = f'Put it in quotes: "{self._text[start:end]}".'
                self._say("unquoted-link", start, message, hint, "warning")
                return self._text[start:end], False, *place
            return self._items(value, base, depth), False, *place
        return self._pairs(value, base, depth), False, *place

    def _scalar(self, value: yaml.ScalarNode, start: int, place: tuple[int, int]) -> Node:
        text, quoted = str(value.value), bool(value.style)
        swallowed = None if text or quoted else _SWALLOWED.match(self._text, start)
        if not swallowed:
            return text, quoted, *place
        text = swallowed[1].rstrip()
        message = f"{text[:60]!r} is a comment in YAML, so there is no value."
        hint = "Put it in quotes, or a space behind the # where it is a comment."
        self._say("swallowed-value", swallowed.start(1), message, hint, "warning")
        return text, False, *self._below(swallowed.start(1))

    def _items(self, value: yaml.SequenceNode, base: int, depth: int) -> list[Node]:
        items: list[Node] = []
        for item in value.value:
            run_on = [] if value.flow_style else self._run_on(item, base)
            items += run_on or [self._node(item, base, depth + 1)]
        return items

    def _pairs(self, value: yaml.Node, base: int, depth: int) -> dict[str, Node]:
        pairs: dict[str, Node] = {}
        for key, item in value.value:
            name = self._node(key, base, depth + 1)
            text = name[0] if isinstance(name[0], str) else str(plain(name))
            node = self._node(item, base, depth + 1)
            if text in pairs:
                self._again(text, self._lines.place(key.start_mark.index + base))
            else:
                pairs[text] = node
        return pairs

    def _is_link(self, source: str) -> bool:
        return WIKILINK.fullmatch(source) is not None and not all(
            _NUMBER.fullmatch(part.strip()) for part in source[2:-2].split(",")
        )

    def _run_on(self, value: yaml.Node, base: int) -> list[Node]:
        """The items that YAML reads as one text, since their lines are not items to it."""
        if not isinstance(value, yaml.ScalarNode) or value.style or "-" not in value.value:
            return []
        start, end = value.start_mark.index + base, value.end_mark.index + base
        above = self._text.rfind("\n", 0, start) + 1
        found = [match.start(1) for match in _DASH.finditer(self._text, above, end)]
        dashes = [at for at in found if at >= start]
        if not dashes or _NUMBER.fullmatch(value.value):
            return []
        for at in dashes:
            if self._text[at + 1] in " \t":
                message = "YAML reads this item as the end of the text above."
                hint = "Put every item on a line of its own, all indented alike."
                self._say("broken-frontmatter", at, message, hint)
            else:
                self._say_tight(at)
        starts = dashes if dashes[0] == start else [start, *dashes]
        return recover_items(self._text, starts, end, self._lines, self._key)

    def _below(self, at: int) -> tuple[int, int]:
        """Lines below the key that is being read, and column, of an offset."""
        line, column = self._lines.place(at)
        return line - self._lines.place(self._key)[0], column

    def _again(self, key: str, place: tuple[int, int]) -> None:
        if not self._conflict:  # which has most keys twice
            message = f"The key {key!r} is given again; the first one counts."
            self._problem("duplicate-key", place, message, "Keep one of them.")

    def _say_tight(self, at: int) -> None:
        message = "A list item has no space behind its -."
        self._say("unspaced-item", at, message, "Write a space between - and the item.")

    def _broken(self, chunk: Chunk, error: Exception) -> None:
        """Say what libyaml refuses; where a sign is never closed, at that sign."""
        mark = getattr(error, "problem_mark", None)
        context = getattr(error, "context_mark", None)
        end = len(self._text[chunk.start : chunk.end].rstrip())
        unclosed = bool(context and (mark is None or mark.index >= end))
        mark = context if unclosed else mark
        at = chunk.start + min(mark.index if mark else 0, end)
        swallowing = _HASH.search(self._text, chunk.value, chunk.start + end)
        if swallowing and at >= chunk.start + end:
            at = swallowing.start(1)
        reason = str(getattr(error, "problem", None) or "it is nested too deeply")
        message = f"The front matter is no YAML here: {reason.splitlines()[0][:120]}."
        value = self._text[chunk.value : chunk.end].lstrip()
        self._say(
            "broken-frontmatter", at, message, _remedy(self._text[at : at + 1], reason, value)
        )

    def _say(self, code: str, at: int, message: str, hint: str, severity: str = "error") -> None:
        self._problem(code, self._lines.place(at), message, hint, severity)

    def _problem(
        self, code: str, place: tuple[int, int], message: str, hint: str, severity: str = "error"
    ) -> None:
        line, column = place
        self.problems.append(
            Problem(
                code=code,
                line=line,
                column=column,
                message=message,
                hint=hint,
                severity=severity,
            )
        )


def _remedy(sign: str, reason: str, value: str) -> str:
    """What to do about the character that libyaml refuses in a value."""
    if sign == "\t":
        return "Indent with spaces."
    if value.startswith("[["):
        return 'Put each link in quotes, several in a list: ["[[A]]", "[[B]]"].'
    if sign == "-" and "expected" in reason:
        return "Write each item on a line of its own, all indented alike."
    if sign == "#":
        return "Put the value in quotes: # begins a comment."
    if "mapping values" in reason:
        return "Put the value in quotes: a colon and a space begin a value of their own."
    if "expected ':'" in reason:
        return "Write key: value."
    if sign and sign in _CLOSED_BY and sign == value[:1]:
        return f"Close the {sign} with {_CLOSED_BY[sign]}, or put the value in quotes."
    return "Put the value in quotes."
