"""Turns assertion comments (`# (32, 64, 128)`, `#> 3.5`) into plain Python assertions."""

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.code import UNPARSABLE, parse_code

_WORDS = frozenset(
    [
        "batch",
        "seq",
        "sequence",
        "len",
        "length",
        "head",
        "heads",
        "dim",
        "dims",
        "hidden",
        "channels",
        "height",
        "width",
        "vocab",
        "classes",
        "features",
        "tokens",
        "time",
        "steps",
        "embed",
        "samples",
        "rows",
        "cols",
        "columns",
        "experts",
        "groups",
        "queries",
        "keys",
    ]
)
_SIZE = re.compile(r"[^\W\d]\w{0,2}|[^\W\d]\w*[_\d]\w*")
_TUPLE = re.compile(r"\(([^()]*,[^()]*)\)")
_PART = re.compile(r"\([^()]*\)")
_LIST = re.compile(r"\([^()]*\)(?:\s*,\s*\([^()]*\))+")
"""Several shapes, one for each target."""
_ASSERTING = re.compile(r"#>|#[#\s]*\(")
"""How a comment that asserts begins, so that code without one need not be tokenized."""
_PRODUCT = re.compile(r"(\d+)\s*([^\W\d]\w*)\Z")
_ARROWS = ("->", "→", "=>", "⇒", "=")
_JOINT = re.compile(r"\s*(->|→|=>|⇒|=|[@*+×/])\s*")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
_WILD = ("...", "*", "?", "-1", "None", "_")
RECORDER = '''import builtins as _builtins
import io as _io

_said = _io.StringIO()


def print(*values, **options):
    """Print as ever, and remember the text for the checks below."""
    _builtins.print(*values, **options)
    if options.get("file") is None:
        _builtins.print(*values, **{**options, "file": _said, "flush": False})
'''
"""Goes before a pattern whose prints are checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`c = a + b  # (32, 64, 128)`."""

    line: int
    target: str
    """The expression whose shape it is."""
    dims: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """`print(x)  #> 3.5`."""

    line: int
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of code, and what is asserted where it ends."""

    code: str
    line: int
    """1-based, in the fence's code."""
    shapes: tuple[Shape, ...] = ()
    prints: tuple[Printed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asserted:
    """Code cut where something is asserted."""

    pieces: tuple[Piece, ...]
    unchecked: tuple[tuple[int, str], ...] = ()
    """Line and text of shape comments that stand where they cannot be checked."""
    idle: tuple[int, ...] = ()
    """Lines of `#>` comments that no print belongs to."""


def parse_shape(comment: str) -> tuple[str, ...] | None:
    """Read the shape that a comment begins with; None where it does not.

    Of `(M, K) -> (K, M)` the last counts, and `(B, M, K) @ (B, K, N)` is no shape.
    """
    text = comment.lstrip("#").strip()
    found = _TUPLE.match(text)
    while found and (joint := _JOINT.match(text, found.end())):
        found = _TUPLE.match(text, joint.end())
        if joint[1] not in _ARROWS and not (found and _JOINT.match(text, found.end())):
            return None
    if not found or text[found.end() :][:1] in {".", "["}:
        return None
    dims = tuple(part.strip() for part in found[1].split(","))
    dims = dims[:-1] if dims[-1] == "" else dims
    return dims if dims and all(_is_size(d) for d in dims) else None


def _is_size(text: str) -> bool:
    if text in _WILD:
        return True
    tree = _expression(text)
    return tree is not None and all(_plain(node) for node in ast.walk(tree))


def _plain(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Name):
        return bool(_SIZE.fullmatch(node.id)) or node.id.lower() in _WORDS
    return isinstance(node, (ast.Expression, ast.BinOp, ast.Load, *_OPERATORS))


def _expression(text: str) -> ast.Expression | None:
    text = _PRODUCT.sub(r"\1*\2", text).replace("×", "*").replace("·", "*")
    try:
        return ast.parse(text, mode="eval")
    except UNPARSABLE:
        return None


@functools.lru_cache(maxsize=4096)
def cut_code(code: str) -> Asserted:
    """Cut code behind every top-level statement that an assertion comment speaks of."""
    whole = Asserted(pieces=(Piece(code=code, line=1),))
    if not _ASSERTING.search(code):
        return whole
    comments = dict(_comments(code))
    if not any(parse_shape(c) or c.startswith("#>") for c in comments.values()):
        return whole
    tree = parse_code(code)
    if tree is None:
        return whole
    rows = code.split("\n")
    pieces: list[Piece] = []
    checked: set[int] = set()
    printed: set[int] = set()
    start = 0
    for index, statement in enumerate(tree.body):
        end = statement.end_lineno or statement.lineno
        following = tree.body[index + 1].lineno if index + 1 < len(tree.body) else len(rows) + 1
        if following <= end:
            continue
        shapes = tuple(_shapes(statement, comments))
        prints = tuple(_prints(statement, comments, rows))
        if not shapes and not prints:
            continue
        checked |= {s.line for s in shapes}
        printed |= {line for p in prints for line in range(p.line - len(p.rows) + 1, p.line + 1)}
        cut = max([end, *(p.line for p in prints)])
        if index + 1 == len(tree.body):
            cut = len(rows)
        text = "\n".join(rows[start:cut])
        pieces.append(Piece(code=text, line=start + 1, shapes=shapes, prints=prints))
        start = cut
    if any(row.strip() for row in rows[start:]) or not pieces:
        pieces.append(Piece(code="\n".join(rows[start:]), line=start + 1))
    saying = {line for line, comment in comments.items() if comment.startswith("#>")}
    return Asserted(
        pieces=tuple(pieces),
        unchecked=tuple(_unchecked(tree, comments, checked)),
        idle=tuple(sorted(saying - printed)),
    )


def _comments(code: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError, ValueError):
        return


def _shapes(statement: ast.stmt, comments: dict[int, str]) -> Iterator[Shape]:
    """Give the shapes that a top-level statement asserts: its own, or those in its `with` block."""
    simple = [statement]
    if isinstance(statement, ast.With):
        simple = [n for n in _inside(statement) if not isinstance(n, ast.With)]
    for index, node in enumerate(simple):
        later = {t for n in simple[index + 1 :] for t in _targets(n)}
        yield from (found for found in _said(node, comments) if found.target not in later)


def _inside(statement: ast.With) -> Iterator[ast.stmt]:
    for node in statement.body:
        yield from _inside(node) if isinstance(node, ast.With) else [node]


def _said(node: ast.stmt, comments: dict[int, str]) -> Iterator[Shape]:
    """Give the shapes that the comment behind a statement says of what it assigns.

    One shape speaks of the last target; as many as there are targets, `(2, 3), (4, 5)`, each of
    its own.
    """
    targets = _targets(node)
    comment = comments.get(node.end_lineno or node.lineno, "") if targets else ""
    listed = _listed(comment)
    if listed:
        pairs = list(zip(targets, listed, strict=False)) if len(listed) == len(targets) else []
    else:
        pairs = [(target, parse_shape(comment)) for target in targets[-1:]]
    for target, dims in pairs:
        if dims is not None:
            yield _shape(node, target, dims)


def _listed(comment: str) -> list[tuple[str, ...] | None]:
    """Read `(2, 3), (4, 5)`; nothing where a comment lists no shapes."""
    found = _LIST.match(comment.lstrip("#").strip())
    return [parse_shape(part) for part in _PART.findall(found[0])] if found else []


def _shape(node: ast.stmt, target: str, dims: tuple[str, ...]) -> Shape:
    text = f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"
    value = node.value  # type: ignore[attr-defined]
    called = value.func if isinstance(value, ast.Call) else value
    is_shape = isinstance(called, ast.Attribute) and called.attr in ("shape", "size")
    subject = target if is_shape else f"{target}.shape"
    return Shape(line=node.end_lineno or node.lineno, target=subject, dims=dims, text=text)


def _targets(node: ast.stmt) -> list[str]:
    """Names (or attributes and items) that a statement assigns, in order."""
    roots: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        roots = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign) and node.value is not None:
        roots = [node.target]
    flat = [leaf for root in roots for leaf in _leaves(root)]
    return [ast.unparse(t) for t in flat if not any(isinstance(n, ast.Call) for n in ast.walk(t))]


def _leaves(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _leaves(element)
    else:
        yield target.value if isinstance(target, ast.Starred) else target


def _prints(statement: ast.stmt, comments: dict[int, str], rows: list[str]) -> Iterator[Printed]:
    """Give what a statement must print: `#>` behind it, or on the lines below it."""
    end = statement.end_lineno or statement.lineno
    if not any(
        isinstance(n, ast.Call) and getattr(n.func, "id", "") == "print"
        for n in ast.walk(statement)
    ):
        return
    said: list[str] = []
    line = end
    if comments.get(end, "").startswith("#>"):
        said.append(comments[end][2:].strip())
    while line < len(rows) and rows[line].lstrip().startswith("#>"):
        said.append(rows[line].lstrip()[2:].strip())
        line += 1
    if said:
        yield Printed(line=line, rows=tuple(said))


def _unchecked(
    tree: ast.Module, comments: dict[int, str], checked: set[int]
) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        for found in _said(node, comments) if isinstance(node, ast.stmt) else ():
            if found.line not in checked:
                yield found.line, found.text


def shape_check(shape: Shape, place: str, known: set[str]) -> str:
    """Write the assertion of a shape on one line; letters that are new are added to `known`.

    `place` is `path:line` of the comment.
    """
    got, dims = f"tuple({shape.target})", shape.dims
    subject = shape.target.removesuffix(".shape")
    said = f"{place}: {subject} has shape {{}}, the page says {_braced(shape.text)}"
    if "..." in dims:
        dims = dims[1:] if dims[0] == "..." else ()
        got = f"{got}[{-len(dims)}:]" if dims else f"{got}[:0]"
    new = list(dict.fromkeys(d for d in dims if d.isidentifier() and d not in {*known, *_WILD}))
    lines = [_compared(dims, got, said, shape.target, known)]
    lines += [f"{name}_ = {got}[{dims.index(name)}]" for name in new]
    known.update(new)
    mentioned = [name for d in dims for name in _letters(d)]
    if any(mentioned.count(name) > 1 for name in new):
        lines.append(_compared(dims, got, said, shape.target, known))
    return "; ".join(lines)


def _compared(dims: tuple[str, ...], got: str, said: str, target: str, known: set[str]) -> str:
    parts = [_size(d, known, f"{got}[{index}]") for index, d in enumerate(dims)]
    wanted = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    letters = sorted({name for d in dims for name in _letters(d)} & known)
    if letters:
        said += " with " + ", ".join(f"{name} = {{}}" for name in letters)
    values = ", ".join([f"tuple({target})", *(f"{name}_" for name in letters)])
    return f"assert len({got}) == {len(dims)} and {got} == {wanted}, {said!r}.format({values})"


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _letters(dim: str) -> set[str]:
    tree = None if dim in _WILD else _expression(dim)
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} if tree else set()


def _size(dim: str, known: set[str], got: str) -> str:
    """Write a dimension's expected size; what cannot be known yet equals what is there."""
    tree = None if dim in _WILD else _expression(dim)
    if tree is None or not _letters(dim) <= known:
        return got
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id += "_"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            node.op = ast.FloorDiv()
    return ast.unparse(tree)


def print_check(printed: Printed, place: str) -> str:
    """Write the assertion of what was printed last, on one line."""
    count = len(printed.rows)
    got = f"[_row.strip() for _row in _said.getvalue().splitlines()[-{count}:]]"
    said = f"{place}: printed {{!r}}, the page says {_braced(repr(chr(10).join(printed.rows)))}"
    return f"assert {got} == {list(printed.rows)!r}, {said!r}.format(chr(10).join({got}))"
