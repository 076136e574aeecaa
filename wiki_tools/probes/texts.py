"""Compares what a page shows with what was printed, as a reader would."""

import re

_TOKEN = re.compile(
    r"(?P<hex>\b0x[0-9a-fA-F]+)|(?P<rest>\.{3}|…)"
    r"|(?P<number>(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w]))"
    r"|(?P<text>\w+|[^\w\s])"
)
MOST = 20_000
"""Tokens that are compared; what lies beyond agrees."""

Token = tuple[str, str]


def agrees(wanted: str, seen: str, *, loose: bool = False) -> bool:
    """Whether a text that a page shows is what was printed.

    White space and the addresses of objects do not matter, `...` stands for anything, and a
    number with a decimal point agrees to the digits that the page shows.

    Args:
        wanted: what the page shows.
        seen: what was printed.
        loose: any number will do, where it is drawn at random.
    """
    shown, printed = _tokens(wanted), _tokens(seen)
    parts: list[list[Token]] = [[]]
    for token in shown:
        if token[0] == "rest":
            parts.append([])
        else:
            parts[-1].append(token)
    first, *others = parts
    if not _match(first, printed, 0, loose):
        return False
    if not others:
        return len(first) == len(printed)
    at = len(first)
    *middle, last = others
    for part in middle:
        found = _find(part, printed, at, loose)
        if found < 0:
            return False
        at = found + len(part)
    tail = len(printed) - len(last)
    return tail >= at and _match(last, printed, tail, loose)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        found.append((str(match.lastgroup), match[0]))
        if len(found) == MOST:
            break
    return found


def _find(part: list[Token], tokens: list[Token], at: int, loose: bool) -> int:
    """The first place of a part; one that begins too often is not looked for in each."""
    tries = 0
    for place in range(at, len(tokens) - len(part) + 1):
        if not part or _same(part[0], tokens[place], loose):
            tries += 1
            if _match(part, tokens, place, loose):
                return place
            if tries > 500:
                return -1
    return -1


def _match(part: list[Token], tokens: list[Token], at: int, loose: bool) -> bool:
    rows = tokens[at : at + len(part)]
    return len(rows) == len(part) and all(
        _same(wanted, seen, loose) for wanted, seen in zip(part, rows, strict=True)
    )


def _same(wanted: Token, seen: Token, loose: bool) -> bool:
    if wanted == seen or (wanted[0] == seen[0] == "hex") or seen[0] == "rest":
        return True
    if wanted[0] != "number" or seen[0] != "number":
        return False
    if loose:
        return True
    text = wanted[1].lower()
    if "." not in text and "e" not in text:
        return False
    mantissa, _, exponent = text.partition("e")
    shown = len(mantissa.partition(".")[2])
    digits = shown - int((exponent or "0")[:5])
    step = 10.0 ** -min(max(digits, -300), 300)
    # rounded; of four digits and more the last may differ from machine to machine
    return abs(float(text) - float(seen[1])) <= step * (1.01 if shown >= 4 else 0.51)
