"""Findings in snippets and in what pages claim of them."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import Backing
from wiki_tools.code import compile_error, find_kind, is_plain
from wiki_tools.config import Config
from wiki_tools.markup import Fence, is_runnable
from wiki_tools.pages import Page


def find_fences_without_code(_config: Config, page: Page) -> Iterator[Diagnostic]:
    """Python fences that hold no pattern, and do not say so; and those that nothing can run."""
    fences = [
        fence
        for fence in page.markup.fences
        if is_runnable(fence) and fence.role not in ("no-run", "out")
    ]
    if is_plain(*(fence.code for fence in fences)):
        return
    for fence in fences:
        if not is_plain(fence.code):
            kind = find_kind(fence.code, fence.role, fence.line)
            if kind.skip:
                message = f"This is no pattern that runs: {kind.skip}."
                yield finding(
                    "fence-not-code", page.path, message, fence.span.line, fence.span.column
                )
            elif fence.closed and not kind.session and (error := compile_error(kind.code)):
                yield from _find_syntax_error(page, fence, error)


def _find_syntax_error(page: Page, fence: Fence, error: Exception) -> Iterator[Diagnostic]:
    """What Python says of a fence that does not compile, unless the page says the same."""
    from wiki_tools.snippets.outputs import find_raised  # needed for what is seldom wrong

    fences = page.markup.fences
    below = next((f for f in fences if f.line > fence.line), None)
    shown = find_raised(page.markup.text, fence, below)
    if {fence.attributes.get("raises", ""), shown} & {"SyntaxError", "IndentationError"}:
        return
    row, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
    lines = page.markup.text.split("\n")
    line = min(fence.line + row - 1, len(lines))
    code = (fence.code.split("\n")[row - 1 : row] or [""])[0]
    column += max(lines[line - 1].find(code), 0)
    message = f"This does not compile: {getattr(error, 'msg', error)}."
    yield finding("syntax-error", page.path, message, line, column)


def find_idle_assertions(_config: Config, page: Page) -> Iterator[Diagnostic]:
    """`#>` behind what prints nothing, so that nothing is held against it."""
    for fence in page.markup.fences:
        if "#>" not in fence.code or not is_runnable(fence) or fence.role in ("no-run", "out"):
            continue
        from wiki_tools.snippets.assertions import cut_code  # few pages have any

        kind = find_kind(fence.code, fence.role, fence.line)
        if kind.skip or kind.session:
            continue
        for row in cut_code(kind.code).idle:
            said = kind.code.split("\n")[row - 1].partition("#>")[2].strip()
            line = fence.line + row - 1
            text = page.markup.text.split("\n")[line - 1]
            message = f"`#> {said}` asserts nothing: no print stands before it."
            yield finding("idle-assertion", page.path, message, line, text.rfind("#>") + 1)


def find_incomplete_snippets(backing: Backing) -> Iterator[Diagnostic]:
    """Names that a pattern uses and nothing provides, whichever program is taken."""
    for snippet in backing.snippets:
        if snippet.skip or not snippet.programs:
            continue
        fewest = min(snippet.programs, key=lambda program: len(program.missing))
        for missing in fewest.missing:
            message = f"{snippet.id} uses {missing.name!r}, which nothing provides."
            hint = f"Did you mean {missing.near!r}? Else define it." if missing.near else ""
            yield finding("incomplete-snippet", snippet.path, message, missing.line, hint=hint)


def find_drifted_snippets(backing: Backing) -> Iterator[Diagnostic]:
    """Extracted files that no longer match their page."""
    for path in backing.drifted:
        there = (backing.config.root / path).exists()
        message = "The file is not what its page says." if there else "There is no such file yet."
        yield finding("drifted-snippet", path, message)


def find_unbacked_claims(backing: Backing) -> Iterator[Diagnostic]:
    """What a page states and nobody measured or counted."""
    for claim in backing.unbacked:
        text = " ".join(claim.text.split())
        message = f"Nobody measured '{text}'."
        hint = ""
        if claim.source == "attribute":
            hint = "Run wiki verify; it says so where a section needs a baseline fence."
        elif claim.kind in ("count", "growth"):
            message = f"Nothing counts '{text}'."
            hint = COUNT_IT if claim.kind == "count" else COUNT_GROWTH
        yield finding("unbacked-claim", claim.path, message, claim.line, claim.column, hint)


COUNT_IT = (
    "Assert it in a check fence of its section, with flops, calls, bytes_moved or peak_memory of "
    "wiki_tools.probes; or link to the section that does."
)
COUNT_GROWTH = (
    "Assert it in a check fence of its section, with growth of wiki_tools.probes or by counting "
    "at two sizes; or link to the section that does, or to where it is proved."
)
