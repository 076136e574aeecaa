"""Keeps what ran of each page, and says where it has become less."""

from collections.abc import Iterable, Iterator, Sequence

import typer

from wiki_tools.checks.output import docs_prefix
from wiki_tools.config import Config
from wiki_tools.errors import printable, shortened
from wiki_tools.ledger import Ledger, Recorder, evidence_file
from wiki_tools.pages import Page
from wiki_tools.report import Fewer, Finding, PageAccount
from wiki_tools.snippets import Snippet


def keep_accounts(
    config: Config,
    folder: str,
    seen: Ledger,
    snippets: Sequence[Snippet],
    accounts: Iterable[PageAccount],
    fewer: Iterable[Fewer],
) -> None:
    """Record what ran of each page; where `fewer` names fences, what ran before stands."""
    held = {found.path for found in fewer if not found.gone}
    known, rows = seen.accounts.get(folder, {}), seen.evidence.get(folder, {})
    recorder = Recorder(config.evidence, folder)
    names: dict[str, list[str]] = {}
    for snippet in snippets:
        names.setdefault(snippet.page, []).append(snippet.id)
    for account in accounts:
        ids = names.get(account.key, [])
        short = account.short()
        if account.path in held or known.get(account.key) == short:
            continue
        if any(name in rows for name in ids):
            recorder.add(account.key, (), ids, account=short)


def find_left_out(
    config: Config, folder: str, pages: Iterable[Page], ledger: Ledger
) -> Iterator[Finding]:
    """What was not verified, since a newer version of this package recorded it."""
    for page in pages if ledger.newer else ():
        file = evidence_file(config.evidence, folder, page.key)
        if file in ledger.newer:
            message = f"left out: a newer wiki_tools recorded {file}; install that"
            yield _finding("left-out", page.path, 1, message)


def tell_fewer(config: Config, fewer: Iterable[Fewer]) -> Iterator[Finding]:
    """Give the fences that no longer run; those that have left their page are only said."""
    for found in fewer:
        if found.gone:
            place = f"{docs_prefix(config)}{found.path}"
            typer.echo(f"wiki: {printable(f'{place}: {found.message}')}", err=True)
        else:
            yield _finding("fewer", found.path, found.line, found.message)


def _finding(code: str, path: str, line: int, message: str) -> Finding:
    return Finding(
        snippet="", code=code, severity="error", path=path, line=line, message=shortened(message)
    )
