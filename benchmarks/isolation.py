"""What isolating a snippet costs: our forked children beside a fresh interpreter each."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from wiki_tools.config import read_config
from wiki_tools.protocol import Cell, Job, Status
from wiki_tools.runner.local import LocalExecutor

KINDS = {
    "trivial": ("assert sum(range(10)) == 45", (), 200, 20),
    "torch": (
        "import torch\nassert (torch.ones(8, 8) @ torch.ones(8, 8)).sum() == 512",
        ("torch",),
        20,
        4,
    ),
}
"""Kind to its code, what its parent imports, and how many run: in children, in interpreters."""


def in_children(code: str, frameworks: tuple[str, ...], count: int) -> None:
    """Run the code `count` times as `wiki verify` does, start-up included."""
    cells = (Cell(role="pattern", code=code),)
    jobs = [Job(snippet=f"s{i}", cells=cells, frameworks=frameworks) for i in range(count)]
    with TemporaryDirectory() as folder:
        Path(folder, "docs").mkdir()
        with LocalExecutor(read_config(Path(folder, "docs")), jobs=2) as executor:
            outcomes = list(executor.run(jobs))
    assert [o.status for o in outcomes] == [Status.PASSED] * count


def in_interpreters(code: str, frameworks: tuple[str, ...], count: int) -> None:
    """Run the code `count` times, each time in a Python of its own, two at a time."""
    del frameworks
    for _ in range(count // 2):
        pair = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
        assert [process.wait() for process in pair] == [0, 0]


def seconds(run: Callable[[], None]) -> float:
    """Wall clock of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def print_table() -> None:
    """Print milliseconds a snippet, and their ratio."""
    table = Table(
        "snippets", "isolated child, ms", "fresh interpreter, ms", "ratio", title="isolation"
    )
    for kind, (code, frameworks, many, few) in KINDS.items():
        ours = seconds(lambda c=code, f=frameworks, n=many: in_children(c, f, n)) / many
        theirs = seconds(lambda c=code, f=frameworks, n=few: in_interpreters(c, f, n)) / few
        table.add_row(
            f"{many} {kind}", f"{ours * 1e3:.1f}", f"{theirs * 1e3:.1f}", f"{theirs / ours:.1f}x"
        )
    Console().print(table)
