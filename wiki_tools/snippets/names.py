"""Finds the names that a piece of code uses and does not define."""

import ast
import builtins
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from wiki_tools.code import children, parse_code

BUILTINS = frozenset(dir(builtins)) | {
    *("__name__", "__file__", "__doc__", "__builtins__", "__annotations__"),
    *("__spec__", "__loader__", "__package__", "__debug__", "__class__"),
}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a piece of code needs and gives."""

    free: dict[str, int] = field(default_factory=dict)
    """Name to the 1-based line of its first use, in order of use."""
    bound: frozenset[str] = frozenset()
    """What its top level has bound when it ends."""
    imports: dict[str, ast.stmt] = field(default_factory=dict)
    """Name to the top-level import that binds it."""
    star: bool = False
    """It holds `from m import *`: any free name may come from there."""
    late: frozenset[str] = frozenset()
    """Free names that nothing looks up before a function is called."""


@functools.lru_cache(maxsize=4096)
def find_names(code: str) -> Names:
    """Analyse code as a module; code that does not parse needs and gives nothing."""
    tree = parse_code(code)
    return names_of(tree) if tree else Names()


def names_of(tree: ast.Module) -> Names:
    """Analyse a module that is already parsed."""
    walker = _Walker()
    try:
        walker.block(tree.body)
    except RecursionError:
        return Names()
    return walker.names(tree)


@dataclass(slots=True)
class _Scope:
    kind: str
    """`module`, `class`, `function` or `comprehension`."""
    bound: set[str] = field(default_factory=set)


class _Walker(ast.NodeVisitor):
    """Visits code in the order in which it runs, with function bodies looking names up late."""

    def __init__(self) -> None:
        self.module = _Scope("module")
        self.scopes = [self.module]
        self.ever: set[str] = set()
        self.free: dict[str, int] = {}
        self.late: dict[str, int] = {}
        self.star = False

    def names(self, tree: ast.Module) -> Names:
        late = {name for name in self.late if name not in self.ever and name not in self.free}
        for name, line in self.late.items():
            if name not in self.ever:
                self.free[name] = min(line, self.free.get(name, line))
        return Names(
            free=dict(sorted(self.free.items(), key=lambda item: item[1])),
            bound=frozenset(self.module.bound),
            imports=_imports(tree.body),
            star=self.star,
            late=frozenset(late),
        )

    def load(self, name: str, line: int) -> None:
        late, innermost = False, True
        for scope in reversed(self.scopes):
            if scope.kind == "module":
                break
            if name in scope.bound and (scope.kind != "class" or innermost):
                return
            late |= scope.kind == "function"
            innermost = innermost and scope.kind == "comprehension"
        if name in BUILTINS and name not in self.ever:
            return
        if late:
            self.late.setdefault(name, line)
        elif name not in self.module.bound:
            self.free.setdefault(name, line)

    def store(self, name: str, *, outward: bool = False) -> None:
        """Bind in the innermost scope; `outward` passes comprehensions by, as `:=` does."""
        scopes = [s for s in self.scopes if not outward or s.kind != "comprehension"]
        scopes[-1].bound.add(name)
        if scopes[-1] is self.module:
            self.ever.add(name)

    def unbind(self, name: str) -> None:
        if self.scopes[-1].kind != "function":
            self.scopes[-1].bound.discard(name)

    def block(self, body: Iterable[ast.AST | None]) -> None:
        for node in body:
            if node is not None:
                self.visit(node)

    def visit(self, node: ast.AST) -> None:
        """Visit as `ast.NodeVisitor` does, in half its time: every snippet comes through here."""
        _VISITS.get(type(node), _Walker.generic_visit)(self, node)

    def generic_visit(self, node: ast.AST) -> None:
        """Visit what a node holds, in order."""
        for child in children(node):
            self.visit(child)

    # ------------------------------------------------------------- expressions

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.store(node.id)
            return
        self.load(node.id, node.lineno)
        if isinstance(node.ctx, ast.Del):
            self.unbind(node.id)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.store(node.target.id, outward=True)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        self._function(node.args, [node.body])

    def _comprehension(self, node: ast.AST) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        first = node.generators[0]
        self.visit(first.iter)
        self.scopes.append(_Scope("comprehension"))
        for generator in node.generators:
            if generator is not first:
                self.visit(generator.iter)
            self.visit(generator.target)
            self.block(generator.ifs)
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self.block(results)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    # -------------------------------------------------------------- statements

    def visit_Assign(self, node: ast.Assign) -> None:
        self.block([node.value, *node.targets])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.load(node.target.id, node.lineno)
        self.block([node.value, node.target])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if self.scopes[-1].kind != "function":
            self.visit(node.annotation)
        if node.value is not None:
            self.block([node.value, node.target])
        elif not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.block([node.iter, node.target, *node.body, *node.orelse])

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.block([node.type])
        if node.name:
            self.store(node.name)
        self.block(node.body)
        if node.name:
            self.unbind(node.name)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name in _imported(node):
            self.store(name)
        self.star |= any(alias.name == "*" for alias in node.names)

    visit_ImportFrom = visit_Import  # noqa: N815

    def visit_Global(self, node: ast.Global) -> None:
        self.ever.update(node.names)
        if self.scopes[-1].kind == "function":
            self.module.bound.update(node.names)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.generic_visit(node)
        if node.name:
            self.store(node.name)

    visit_MatchStar = visit_MatchAs  # noqa: N815

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        if node.rest:
            self.store(node.rest)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.block(node.decorator_list)
        self._defaults(node.args)
        self._typed(node, [a.annotation for a in _parameters(node.args)] + [node.returns])
        self.store(node.name)
        self._function(node.args, node.body, _type_parameters(node))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.block(node.decorator_list)
        self._typed(node, [*node.bases, *node.keywords])
        self.scopes.append(_Scope("class", set(_type_parameters(node))))
        self.block(node.body)
        self.scopes.pop()
        self.store(node.name)

    def _typed(self, node: ast.AST, parts: Sequence[ast.AST | None]) -> None:
        """Visit what may name the type parameters of `def f[T]`."""
        self.scopes.append(_Scope("comprehension", set(_type_parameters(node))))
        self.block(parts)
        self.scopes.pop()

    def _defaults(self, arguments: ast.arguments) -> None:
        self.block([*arguments.defaults, *arguments.kw_defaults])

    def _function(
        self,
        arguments: ast.arguments,
        body: list[ast.stmt] | list[ast.expr],
        types: Iterable[str] = (),
    ) -> None:
        own = {a.arg for a in _parameters(arguments)} | set(types)
        outer: set[str] = set()
        for node in body:
            for name, declared in _bindings(node):
                (outer if declared else own).add(name)
        self.scopes.append(_Scope("function", own - outer))
        self.block(body)
        self.scopes.pop()

    def visit_TypeAlias(self, node: ast.AST) -> None:
        """`type X = ...` (Python 3.12): its value is looked up late."""
        self.visit_Name(node.name)  # type: ignore[attr-defined]


_VISITS: dict[type[ast.AST], Callable[[_Walker, Any], None]] = {
    getattr(ast, name.removeprefix("visit_")): method
    for name, method in vars(_Walker).items()
    if name.startswith("visit_") and hasattr(ast, name.removeprefix("visit_"))
}
"""Kind of node to what visits it."""
_VISITS[ast.Constant] = lambda _walker, _node: None


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    starred = [a for a in (arguments.vararg, arguments.kwarg) if a]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def _type_parameters(node: ast.AST) -> list[str]:
    return [parameter.name for parameter in getattr(node, "type_params", ())]


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        if alias.name == "*":
            continue
        name = alias.asname or alias.name
        yield name.partition(".")[0] if isinstance(node, ast.Import) and not alias.asname else name


def _imports(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in body:
        if (
            isinstance(node, ast.Import | ast.ImportFrom)
            and getattr(node, "module", "") != "__future__"
        ):
            for alias, name in zip(node.names, _imported(node), strict=False):
                alone = ast.Import(names=[alias])
                if isinstance(node, ast.ImportFrom):
                    found[name] = ast.ImportFrom(
                        module=node.module, names=[alias], level=node.level
                    )
                else:
                    found[name] = alone
    return found


def _bindings(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Names that a function's own statements bind; True where declared global or nonlocal."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from ((name, True) for name in node.names)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, False
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((name, False) for name in _imported(node))
    elif isinstance(node, *[(*_FUNCTIONS, ast.ClassDef, ast.ExceptHandler)]):
        if node.name:
            yield node.name, False
    elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name, False
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, False
    if isinstance(node, _COMPREHENSIONS):
        walrus = (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        yield from ((n.target.id, False) for n in walrus)
    elif not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from _bindings(child)
