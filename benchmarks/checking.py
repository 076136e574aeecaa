"""What `wiki check` costs on a large vault, beside a plain read of its files."""

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

PAGE = """---
id: page-{i}
title: Page {i}
aliases: [별칭 {i}]
---
# Page {i}

See [[Page {next}]], [[별칭 {other}|this]] and [[page-{far}#Details]].

## Details

```python
import math
assert math.sqrt({i} * {i}) == {i}
```

## Graph
- Parent: [[Page {half}]]
"""
SIZES = (250, 1000)


def write_vault(docs: Path, count: int) -> None:
    """Write `count` pages that link to each other, with 4 links and a fence each."""
    docs.mkdir()
    for i in range(count):
        text = PAGE.format(
            i=i, next=(i + 1) % count, other=(i * 7) % count, far=(i * 31) % count, half=i // 2
        )
        (docs / f"Page {i}.md").write_text(text, encoding="utf-8")


def print_table() -> None:
    """Print seconds for each size, a plain read of the same files, and their ratio."""
    table = Table("pages", "plain read, s", "wiki check, s", "ratio", title="checking")
    for count in SIZES:
        with TemporaryDirectory() as folder:
            docs = Path(folder, "docs")
            write_vault(docs, count)
            start = time.perf_counter()
            assert sum(len(file.read_bytes()) for file in docs.rglob("*.md")) > 0
            read = time.perf_counter() - start
            start = time.perf_counter()
            command = [sys.executable, "-m", "wiki_tools", "check", "--docs", str(docs)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            took = time.perf_counter() - start
        table.add_row(f"{count}", f"{read:.3f}", f"{took:.2f}", f"{took / read:.0f}x")
    Console().print(table)
