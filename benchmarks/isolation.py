"""What isolating a snippet costs, and what it saves: ours beside tools that run all in one process.

Every number is the wall clock of a command on the same pages, start-up included, and every word
in the second table is what such a command did.
"""

import compileall
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

import wiki_tools
from benchmarks.peers import INTERPRETERS, OURS, PEERS, Ran, Tool, is_there, run_tool

TRIVIAL = "assert sum(range(10)) == 45"
TORCH = "import torch\nassert (torch.ones(8, 8) @ torch.ones(8, 8)).sum() == 512"


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Snippets of one kind."""

    name: str
    code: str
    frameworks: tuple[str, ...] = ()
    many: int
    few: int
    """How many of them run in fresh interpreters."""


SETS = (
    Set(name="200 trivial", code=TRIVIAL, many=200, few=20),
    Set(name="20 torch", code=TORCH, frameworks=("torch",), many=20, few=4),
    Set(name="200 torch", code=TORCH, frameworks=("torch",), many=200, few=4),
)
ROUNDS = int(os.environ.get("ROUNDS", "3"))
"""How often each is timed; the fastest counts, since other programs only make it slower."""
HOSTILE = {
    "os._exit(0)": "import os\nos._exit(0)",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "endless loop": "while True:\n    pass",
    "sys.exit(0) first": "import sys\nsys.exit(0)\nassert False",
    "leaked patch": "import math\nmath.pi = 3",
    "1 GB of output": "for _ in range(1024):\n    print('x' * (1 << 20))",
}
MUST_PASS = ("leaked patch", "1 GB of output")
GOOD = "import math\nassert math.pi > 3.1"
"""Fails where what another page has done reaches it."""
PATIENCE = 60.0
"""Seconds after which a command hangs that runs three fences."""
EXECUTOR = """
import sys
from pathlib import Path
from wiki_tools.config import read_config
from wiki_tools.protocol import Cell, Job, Status
from wiki_tools.runner.local import LocalExecutor

code, frameworks, count = sys.argv[1], tuple(sys.argv[2].split()), int(sys.argv[3])
cells = (Cell(role="pattern", code=code),)
jobs = [Job(snippet=f"s{i}", cells=cells, frameworks=frameworks) for i in range(count)]
with LocalExecutor(read_config(Path("docs")), jobs=2) as executor:
    assert [o.status for o in executor.run(jobs)] == [Status.PASSED] * count
"""


def page(*codes: str) -> str:
    """Write a page with a fence for each code."""
    return "# Page\n\n" + "\n".join(
        f"## Part {n}\n\n```python\n{code}\n```\n" for n, code in enumerate(codes)
    )


def print_table() -> None:
    """Print milliseconds a snippet, then what each tool survives."""
    # As pip does when it installs the others: a checkout may never have been allowed to.
    compileall.compile_dir(str(Path(wiki_tools.__file__).parent), quiet=1)
    tools = [tool for tool in PEERS if is_there(tool)]
    missing = [tool.name for tool in PEERS if not is_there(tool)]
    console = Console(width=120)
    with TemporaryDirectory() as folder:
        console.print(times(tools, Path(folder)))
        console.print(survival(tools, Path(folder)))
    if missing:
        console.print(f"not installed: {', '.join(missing)}; `pip install .[bench]` brings them")


def times(tools: list[Tool], folder: Path) -> Table:
    """Time each set with each tool, in turns."""
    names = ["wiki verify", "our executor alone", *(t.name for t in tools), INTERPRETERS.name]
    table = Table("snippets", *names, title="isolation: ms a snippet, start-up included")
    for each in SETS:
        best = [float("inf")] * len(names)
        for turn in range(ROUNDS):
            for n, run in enumerate(runs(tools, each, once=turn > 0)):
                best[n] = min(best[n], run(folder / f"{each.name}{turn}{n}"))
        table.add_row(each.name, *(f"{seconds * 1e3:.1f}" for seconds in best))
    return table


def runs(tools: list[Tool], each: Set, once: bool) -> Iterator[Callable[[Path], float]]:
    """Give one way to run a set for each column; fresh interpreters, which take long, once."""
    yield partial(of_tool, OURS, each.code, each.many)
    yield partial(of_executor, each)
    for tool in tools:
        yield partial(of_tool, tool, each.code, each.many)
    if not once:
        yield partial(of_tool, INTERPRETERS, each.code, each.few)


def of_tool(tool: Tool, code: str, count: int, folder: Path) -> float:
    """Seconds a fence of one command."""
    ran = run_tool(tool, {"page.md": page(*[code] * count)}, folder)
    assert ran.code == 0, (tool.name, ran.code, (folder / "output").read_text()[-2000:])
    return ran.seconds / count


def of_executor(each: Set, folder: Path) -> float:
    """Seconds a job of our executor in a process of its own, without reading a page."""
    (folder / "docs").mkdir(parents=True)
    words = [each.code, " ".join(each.frameworks), str(each.many)]
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", EXECUTOR, *words], cwd=folder, check=True)
    return (time.perf_counter() - start) / each.many


def survival(tools: list[Tool], folder: Path) -> Table:
    """Run each hostile snippet between two good ones, each on its own page."""
    table = Table("between two good pages", OURS.name, *(t.name for t in tools), title="survival")
    for name, code in HOSTILE.items():
        pages = {"a.md": page(GOOD), "b.md": page(code), "c.md": page(GOOD)}
        cells = [
            word_for(name, run_tool(tool, pages, folder / f"{name[:4]}{n}", PATIENCE))
            for n, tool in enumerate((OURS, *tools))
        ]
        table.add_row(name, *cells)
    return table


def word_for(name: str, ran: Ran) -> str:
    """Say what became of three pages of which the middle one is hostile."""
    if ran.code is None:
        return "hangs"
    if ran.passed is None:
        return f"ends the run, exit code {ran.code}"
    passed = ran.passed
    if not {"a.md", "b.md", "c.md"} <= passed.keys():
        return f"ends the run after {len(passed)} of 3"
    if not (passed["a.md"] and passed["c.md"]):
        return "fails an innocent page"
    if passed["b.md"] == (name in MUST_PASS):
        return "survives"
    return "passes it" if passed["b.md"] else "fails a good page"
