"""What `wiki check` costs on a large vault, beside a plain read of its files."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pyromark
import yaml
from rich.console import Console
from rich.table import Table

from benchmarks.vault import write_vault

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_MATH
)
SIZES = tuple(int(size) for size in os.environ.get("PAGES", "1000 10000").split())
"""Pages of the vaults; `PAGES="1000 10000 50000"` shows how the time grows."""


def print_table() -> None:
    """Print seconds of `wiki check` cold, unchanged and after one edit, and its memory.

    Beside it a plain read of the files, and what their front matter and events alone take in
    one process with libyaml and pyromark, without looking at any of it.
    """
    columns = ("pages", "read, s", "parse, s", "cold, s", "again, s", "edit, s", "peak", "ratio")
    table = Table(*columns, title="checking", caption="ratio: cold to parse")
    for count in SIZES:
        with TemporaryDirectory() as folder:
            table.add_row(*measure(Path(folder), count))
    Console().print(table)


def measure(root: Path, count: int) -> list[str]:
    """One row of the table; each time is that of a command of its own, start-up included."""
    docs = root / "docs"
    write_vault(docs, count)
    page = next(docs.rglob("*.md"))
    _, read = seconds(lambda: sum(len(file.read_bytes()) for file in docs.rglob("*.md")))
    _, parse = seconds(lambda: sum(map(parsed, docs.rglob("*.md"))))
    peak, cold = seconds(lambda: check(docs, root / "cache"))
    _, unchanged = seconds(lambda: check(docs, root / "cache"))
    page.write_text(page.read_text(encoding="utf-8") + "\nOne more: [[EA1]].\n", encoding="utf-8")
    _, edited = seconds(lambda: check(docs, root / "cache"))
    times = (f"{cold:.2f}", f"{unchanged:.2f}", f"{edited:.2f}")
    shown = (f"{count}", f"{read:.2f}", f"{parse:.2f}", *times)
    return [*shown, f"{peak / 1e6:.0f} MB", f"{cold / parse:.1f}x"]


def parsed(file: Path) -> int:
    """Read front matter with libyaml and walk over pyromark's events; gives their number."""
    matter, _, body = file.read_text(encoding="utf-8")[4:].partition("\n---\n")
    yaml.load(matter, Loader=yaml.CSafeLoader)
    return sum(1 for _ in pyromark.events_with_range(body, options=OPTIONS))


def check(docs: Path, cache: Path) -> int:
    """Run `wiki check`; returns the most memory that one of its processes held, in bytes."""
    command = [sys.executable, "-m", "wiki_tools", "check", "--docs", str(docs)]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), process.returncode
    return usage.ru_maxrss * 1024


def seconds(run: Callable[[], int]) -> tuple[int, float]:
    """What a call returns, and its wall clock."""
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start
