"""Writes what `wiki verify` saw into files for other programs: JUnit's XML, and a summary."""

import io
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wiki_tools.checks.output import reported_prefix
from wiki_tools.cli.request import Files
from wiki_tools.config import Config
from wiki_tools.environment import Environment
from wiki_tools.errors import UsageError
from wiki_tools.ledger import Ledger
from wiki_tools.report import EnvironmentReport, Finding, PageAccount, PageReport, SnippetReport
from wiki_tools.report.changes import (
    Base,
    Changes,
    choose_base,
    find_changes,
    moved_findings,
)
from wiki_tools.report.junit import junit_text
from wiki_tools.report.summary import Told, summary_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a run shows."""

    pages: Sequence[tuple[PageReport, EnvironmentReport]]
    findings: Sequence[Finding]
    accounts: Sequence[PageAccount]
    environment: Environment

    @property
    def rows(self) -> list[SnippetReport]:
        """Its snippets, in the order of the pages."""
        return [row for _, found in self.pages for row in found.snippets]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a run is compared with, and what is otherwise than there."""

    base: Base | None = None
    changes: Changes | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Ratios that got worse or better."""
        return tuple(moved_findings(self.changes)) if self.changes else ()


def compare_earlier(seen: Seen, files: Files, earlier: Ledger, keys: set[str] | None) -> Compared:
    """Compare a run with earlier evidence, if there is any of such a device.

    Args:
        seen: what the run shows.
        files: where to find the evidence that was asked for, if any was.
        earlier: the evidence to compare with, as it was before the run.
        keys: keys of the pages that were looked at; None for all that there are.
    """
    base = choose_base(earlier, seen.environment, local=bool(files.against))
    changes = find_changes(seen.rows, seen.findings, base, keys) if base else None
    return Compared(base=base, changes=changes)


def write_files(config: Config, files: Files, seen: Seen, compared: Compared) -> None:
    """Write what was asked for of a run and of what it is compared with."""
    prefix = reported_prefix(config)
    if files.junit is not None:
        _write("--junit", files.junit, junit_text(prefix, seen.pages, seen.findings, seen.accounts))
    if files.summary is not None:
        told = Told(rows=seen.rows, findings=seen.findings, accounts=seen.accounts)
        base, changes = compared.base, compared.changes
        _write(
            "--summary", files.summary, summary_text(prefix, told, seen.environment, base, changes)
        )


def _write(option: str, file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        reason = f"cannot be written: {error.strerror}; name a file elsewhere"
        raise UsageError(f"{option} {file}: {reason}") from None


def read_against(config: Config, against: str) -> Ledger:
    """Read the evidence of a folder or of a git revision.

    Raises:
        UsageError: there is none.
    """
    folder = Path(against)
    found = Ledger.read(folder) if folder.is_dir() else _at_revision(config, against)
    if not found.evidence:
        raise UsageError(f"--against {against}: no evidence there; name an evidence folder")
    return found


def _at_revision(config: Config, revision: str) -> Ledger:
    if revision.startswith("-"):
        raise UsageError(f"--against {revision}: no folder or revision begins with a dash")
    evidence = config.evidence
    command = ["git", "-C", str(evidence.parent), "archive", "--format=tar", revision]
    done = subprocess.run([*command, "--", evidence.name], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        reason = said.partition("\n")[0] or "git failed"
        raise UsageError(f"--against {revision}: no such folder, and git says: {reason}")
    import tarfile  # 5 ms, which most runs do without

    with tempfile.TemporaryDirectory(prefix="wiki-") as folder:
        try:
            with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
                archive.extractall(folder, filter="data")
        except tarfile.TarError as error:
            raise UsageError(f"--against {revision}: {error}") from None
        return Ledger.read(Path(folder) / evidence.name)
