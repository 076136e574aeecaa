"""What `wiki verify` is asked for, known before the pages are read."""

import os
from dataclasses import dataclass
from pathlib import Path

from wiki_tools.cache import Cache
from wiki_tools.cli.common import Format
from wiki_tools.config import Config
from wiki_tools.environment import Environment, folder_name
from wiki_tools.errors import UsageError
from wiki_tools.ledger import LOCAL
from wiki_tools.runner.moment import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What is to be written beside the evidence, and what to compare with."""

    junit: Path | None = None
    summary: Path | None = None
    against: str = ""
    """A folder of evidence or a git revision; empty for the evidence that is committed."""

    def __post_init__(self) -> None:
        for name, file in (("--junit", self.junit), ("--summary", self.summary)):
            if file is not None and (file.is_dir() or not file.parent.is_dir()):
                raise UsageError(f"{name} {file}: expected a file in a folder that is there")
            if file is not None and not os.access(file if file.exists() else file.parent, os.W_OK):
                raise UsageError(f"{name} {file}: may not be written; name a file elsewhere")
        if self.against and self.summary is None:
            raise UsageError("--against: only --summary compares; add --summary FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for."""

    config: Config
    device: str
    environment: Environment | None
    """Of this machine; None where others run."""
    cache: Cache | None
    paths: tuple[Path, ...]
    format: Format
    record: bool
    every: bool
    jobs: int
    measure: bool
    mutate: bool
    shard: str
    since: str
    strict: bool
    no_fewer: bool
    aged: bool
    start: str
    """Empty for whatever this system can."""
    files: Files
    rehearsal: bool = False
    """Nothing is to be run: only what would be said is wanted."""

    @property
    def narrowed(self) -> bool:
        """Whether only some of the pages are asked for."""
        return bool(self.paths or self.shard or self.since)

    @property
    def compares(self) -> bool:
        """Whether what is told includes how it was before."""
        files = self.files
        return bool(self.format is Format.GITHUB or files.summary or files.junit)

    @property
    def oldest(self) -> str:
        """When what is not aged was measured at the earliest."""
        return now(days_ago=int(min(self.config.aged_days, 10**6)))

    def folder(self, environment: Environment) -> str:
        """The folder of the evidence, below the vault's."""
        return folder_name(environment) if self.record else LOCAL
