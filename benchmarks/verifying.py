"""What `wiki verify` costs where nothing, or little, has changed."""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

PAGES = int(os.environ.get("VERIFIED", "100"))
"""Pages of ten snippets each."""


def print_table() -> None:
    """Print what `wiki verify` takes at first, unchanged, unchanged without a cache and edited.

    Each time is that of a command of its own, start-up included, in seconds of wall clock and of
    processor; nothing is measured.
    """
    columns = ("snippets", "first", "nothing changed", "without a cache", "one fence edited")
    table = Table(*columns, title="verifying", caption="seconds of wall clock / of processor")
    with TemporaryDirectory() as folder:
        table.add_row(*measure(Path(folder), PAGES))
    Console().print(table)


def measure(root: Path, count: int) -> list[str]:
    """One row of the table."""
    write_wiki(root / "docs", count)
    first = verify(root)
    unchanged = min(verify(root) for _ in range(5))
    plain = min(verify(root, "--no-cache") for _ in range(3))
    page = root / "docs" / "topic-3.md"
    page.write_text(page.read_text("utf-8").replace("total = ", "total = 0 + ", 1), "utf-8")
    edited = verify(root)
    shown = (f"{wall:.2f} / {cpu:.2f}" for wall, cpu in (first, unchanged, plain, edited))
    return [f"{count * 10:,}", *shown]


def write_wiki(docs: Path, count: int) -> None:
    """Write pages of ten patterns each: numbers, a class, a loop, a fixture, a REPL session."""
    docs.mkdir(parents=True)
    for number in range(count):
        (docs / f"topic-{number}.md").write_text(page_text(number), "utf-8")


def page_text(number: int) -> str:
    """A page of ten runnable fences, among prose as people write it."""
    patterns = (pattern(number, index) for index in range(10))
    head = f"---\nid: topic-{number}\ntitle: Topic {number}\ntags: [numbers]\n---\n"
    return f"{head}# Topic {number}\n\nAbout [[topic-{number // 2}]].\n\n" + "\n".join(patterns)


def pattern(page: int, index: int) -> str:
    """A section with a fence."""
    code = SNIPPETS[index % len(SNIPPETS)].format(n=page * 10 + index, page=page)
    return (
        f"### Pattern {index + 1} — Step {index + 1}\n\nIt adds what is needed, about 3 times "
        f"as fast as before; see [[topic-{page}]].\n\n```python\n{code}```\n"
    )


SNIPPETS = (
    "total = {page} + {n}\nassert total == {page} + {n}  # exactly\n",
    "def double(value: int) -> int:\n    return value * 2\n\n\nassert double({n}) == {n} * 2\n",
    "import math\n\nroot = math.isqrt({n})\nassert root * root <= {n}\n",
    "counts = dict.fromkeys('abc', {n})\nprint(counts['a'])  #> {n}\n",
    ">>> {n} + 0\n{n}\n",
)


def verify(root: Path, *options: str) -> tuple[float, float]:
    """Seconds of `wiki verify`: of wall clock, and of processor, its children's included."""
    command = [sys.executable, "-m", "wiki_tools", "verify", "--no-measure"]
    command += ["--docs", str(root / "docs"), *options]
    environment = os.environ | {"XDG_CACHE_HOME": str(root / "cache")}
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, capture_output=True, env=environment, check=True)
    wall, after = time.perf_counter() - start, os.times()
    spent = after.children_user - before.children_user
    return wall, spent + after.children_system - before.children_system
