"""A page as a collector, and a pattern as an item."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import (  # no public name for them, and pytest-xdist sends no others
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
)

from wiki_tools.errors import WikiError, printable
from wiki_tools.pages import Page
from wiki_tools.protocol import Outcome, Status
from wiki_tools.pytest_plugin.vaults import Vault, find_vault, is_named
from wiki_tools.report import Finding, find_outcome, place_of
from wiki_tools.report.words import message_of
from wiki_tools.snippets import Snippet

SHOWN = 12
"""Lines of a page above the one that failed, and of a traceback at either end."""


class PageFile(pytest.File):
    """A page with its patterns."""

    def collect(self) -> Iterator["Pattern"]:
        """Make an item of each snippet of the page."""
        try:
            vault = find_vault(self.session, self.path)
            page = vault.find_page(self.path)
            if page is None:  # such as a README beside the docs folder
                self._refuse_named(vault)
                return
            self._refuse_unreadable(page)
            snippets = vault.extract(page)
        except WikiError as error:
            raise self.CollectError(f"{self.nodeid}: {error}") from None
        for snippet in snippets:
            name = snippet.id.rpartition("#")[2]
            yield Pattern.from_parent(self, name=name, snippet=snippet, vault=vault, page=page)

    def _refuse_named(self, vault: Vault) -> None:
        if is_named(self.config, self.path):
            docs = vault.config.docs
            raise self.CollectError(f"{self.nodeid}: is no page of the vault, which is {docs}")

    def _refuse_unreadable(self, page: Page) -> None:
        for problem in page.problems:
            if problem.code == "unreadable-file":
                raise self.CollectError(f"{self.nodeid}:{problem.line}: {problem.message}")


class SnippetError(Exception):
    """A snippet is not as its page says."""

    def __init__(self, finding: Finding, outcome: Outcome) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.outcome = outcome


class Pattern(pytest.Item):
    """One snippet, run by the same engine as `wiki verify`."""

    def __init__(self, *, snippet: Snippet, vault: Vault, page: Page, **rest: Any) -> None:
        super().__init__(**rest)
        self.snippet = snippet
        self._vault = vault
        self._page = page
        title = snippet.heading.text if snippet.heading else ""
        self.title = printable(title or snippet.id)
        self.place = (os.fspath(self.path), snippet.fence.line)
        self.add_marker("wiki")
        self.extra_keyword_matches |= {self.title, snippet.id, snippet.role or "pattern"}
        self.user_properties += [
            ("file", self.nodeid.partition("::")[0]),
            ("line", snippet.fence.line),
            ("snippet", printable(snippet.id)),
        ]

    def runtest(self) -> None:
        """Run the snippet; what cannot run here is skipped with its reason."""
        outcome = self._vault.run(self.snippet).outcome
        self._tell(outcome)
        finding = find_outcome(self.snippet, outcome, self.config.getoption("--wiki-strict"))
        if finding is not None and finding.severity == "error":
            raise SnippetError(finding, outcome)
        if outcome.status is not Status.PASSED:
            self.place = (self.place[0], place_of(self.snippet, outcome)[0])
            words = "" if outcome.status is Status.SKIPPED else f"{outcome.status.value}: "
            pytest.skip(f"{words}{printable(message_of(outcome))}")

    def _tell(self, outcome: Outcome) -> None:
        """Show what the snippet printed, and what a reader should know of its run."""
        self.user_properties.append(("status", outcome.status.value))
        if outcome.notes:
            self.user_properties.append(("notes", ", ".join(outcome.notes)))
        shown = "\n".join(output.text.rstrip("\n") for output in outcome.outputs if output.text)
        if shown:
            text = "\n".join(printable(line) for line in shown.split("\n"))
            self.add_report_section("call", "stdout", f"{text}\n")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the page's own lines, not this plugin's."""
        error = excinfo.value
        if isinstance(error, SnippetError):
            return self._shown(error)
        if isinstance(error, WikiError):
            return f"wiki: {error}"
        return super().repr_failure(excinfo, style)

    def _shown(self, error: SnippetError) -> ReprExceptionInfo:
        line = error.finding.line
        message = "\n".join(printable(row) for row in error.finding.message.split("\n"))
        file = _from_here(self.config, self.path)
        rows = [*self._excerpt(line), *_marked(message), "", *_frames(error.outcome)]
        crash = ReprFileLocation(file, line, message)
        rows.append(f"{file}:{line}: {error.finding.code}")
        entry = ReprEntryNative([f"{row}\n" for row in rows])
        trace = ReprTraceback(reprentries=[entry], extraline=None, style="native")
        return ReprExceptionInfo(reprtraceback=trace, reprcrash=crash)

    def _excerpt(self, line: int) -> Iterator[str]:
        """The page from the beginning of the fence to the line that failed."""
        rows = self._page.markup.text.split("\n")
        first = min(self.snippet.fence.line, line)
        if line - first > SHOWN:
            first = line - SHOWN
            yield "      …"
        for number in range(first, min(line, len(rows)) + 1):
            mark = ">" if number == line else " "
            yield f"{mark} {number:>4} | {printable(rows[number - 1])}".rstrip()

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the page, the 0-based line of the pattern, and its title."""
        return self.path, self.snippet.fence.line - 1, self.title


def _marked(message: str) -> Iterable[str]:
    return (f"E        {row}" for row in message.split("\n"))


def _frames(outcome: Outcome) -> Iterator[str]:
    """How the snippet came there, where it was not straight down the page."""
    rows = [printable(row) for row in outcome.traceback.split("\n")]
    if outcome.traceback.count('File "') > 1:
        yield from rows if len(rows) <= 2 * SHOWN else (*rows[:SHOWN], "  …", *rows[-SHOWN:])
        yield ""


def _from_here(config: pytest.Config, path: Path) -> str:
    here = config.invocation_params.dir
    return os.fspath(path.relative_to(here)) if path.is_relative_to(here) else os.fspath(path)
