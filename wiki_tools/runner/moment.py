"""Says when something was seen, and of which commit."""

import contextlib
import datetime
import subprocess
from pathlib import Path


def now(*, days_ago: int = 0) -> str:
    """The time in UTC, to the second, or the same some days ago."""
    moment = datetime.datetime.now(datetime.UTC)
    with contextlib.suppress(OverflowError):  # before the calendar begins: nothing is as old
        return (moment - datetime.timedelta(days=days_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


def moment_of(text: str) -> float:
    """Seconds since 1970 of a time as `now` writes it; 0 where it is none."""
    try:
        return datetime.datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def commit_of(root: Path) -> str:
    """The vault's git commit; empty where it is no work tree or has changes of its own."""
    try:
        dirty = _git(
            root, "status", "--porcelain", "--", "docs", "snippets/fixtures", "snippets/*.py"
        )
        return "" if dirty else _git(root, "rev-parse", "--short=12", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()
