"""Other tools that run the fences of Markdown pages, each in the way that its documentation shows.

https://github.com/modal-labs/pytest-markdown-docs, https://github.com/koaning/mktestdocs,
https://sybil.readthedocs.io, https://github.com/pydantic/pytest-examples. pytest loads no plugin
but theirs, which is the fastest that they can be.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

MKTESTDOCS = """
import pathlib
import pytest
from mktestdocs import check_md_file

@pytest.mark.parametrize("path", sorted(pathlib.Path("docs").glob("*.md")), ids=str)
def test_page(path):
    check_md_file(fpath=path)
"""
SYBIL = """
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"]).pytest()
"""
EXAMPLES = """
import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

@pytest.mark.parametrize("example", find_examples("docs"), ids=str)
def test_example(example: CodeExample, eval_example: EvalExample):
    eval_example.run(example)
"""
ALONE = """
import pathlib, re, subprocess, sys

codes = [
    code
    for page in sorted(pathlib.Path("docs").glob("*.md"))
    for code in re.findall(r"^```python\\n(.*?)^```", page.read_text(), re.M | re.S)
]
failed = 0
for first in range(0, len(codes), 2):
    pair = [subprocess.Popen([sys.executable, "-c", code]) for code in codes[first : first + 2]]
    failed += sum(process.wait() != 0 for process in pair)
sys.exit(1 if failed else 0)
"""
SETTINGS = "plugins:\n  - wiki:\n      timeout: 10\n"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A command that runs every fence below `docs/` of the folder that it is started in."""

    name: str
    package: str
    """The module without which it is not there."""
    arguments: tuple[str, ...]
    """Of Python."""
    files: Mapping[str, str] = field(default_factory=dict)
    """What it needs in that folder, beside the pages."""
    reads: Callable[[Path, str], dict[str, bool] | None]
    """Makes of the folder and standard output whether each page passed; None where the tool has
    not got that far."""


def read_junit(folder: Path, _output: str) -> dict[str, bool] | None:
    """Read pytest's report."""
    report = folder / "report.xml"
    if not report.exists():
        return None
    found: dict[str, bool] = {}
    for case in ET.parse(report).iter("testcase"):
        if name := re.search(r"\w+\.md", f"{case.get('classname')} {case.get('name')}"):
            wrong = any(child.tag in ("failure", "error", "skipped") for child in case)
            found[name[0]] = found.get(name[0], True) and not wrong
    return found


def read_results(_folder: Path, output: str) -> dict[str, bool] | None:
    """Read what `wiki verify --format json` prints."""
    try:
        return {row["page"]: row["status"] == "passed" for row in json.loads(output)["results"]}
    except (ValueError, KeyError):
        return None


VERIFY = ("-m", "wiki_tools", "verify", "--all", "--no-measure", "--no-cache", "--jobs", "2")
OURS = Tool(
    name="wiki verify",
    package="wiki_tools",
    arguments=(*VERIFY, "--format", "json"),
    files={"mkdocs.yml": SETTINGS},
    reads=read_results,
)
PEERS = (
    Tool(
        name="pytest-markdown-docs",
        package="pytest_markdown_docs",
        arguments=(*PYTEST, "-p", "pytest_markdown_docs.plugin", "--markdown-docs", "docs"),
        reads=read_junit,
    ),
    Tool(
        name="mktestdocs",
        package="mktestdocs",
        arguments=(*PYTEST, "test_docs.py"),
        files={"test_docs.py": MKTESTDOCS},
        reads=read_junit,
    ),
    Tool(
        name="sybil",
        package="sybil",
        arguments=(*PYTEST, "docs"),
        files={"docs/conftest.py": SYBIL},
        reads=read_junit,
    ),
    Tool(
        name="pytest-examples",
        package="pytest_examples",
        arguments=(*PYTEST, "-p", "pytest_examples", "test_docs.py"),
        files={"test_docs.py": EXAMPLES},
        reads=read_junit,
    ),
)
INTERPRETERS = Tool(
    name="a fresh interpreter each",
    package="sys",
    arguments=("-c", ALONE),
    reads=lambda _folder, _output: None,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one call of a tool came to."""

    seconds: float
    code: int | None
    """None where it had to be killed."""
    passed: dict[str, bool] | None


def is_there(tool: Tool) -> bool:
    """Say whether a tool is installed."""
    return find_spec(tool.package) is not None


def run_tool(tool: Tool, pages: Mapping[str, str], folder: Path, patience: float = 600.0) -> Ran:
    """Write pages below `docs/` of a new folder and run a tool on them, its start-up included."""
    folder.mkdir()
    for name, text in {**tool.files, **{f"docs/{n}": t for n, t in pages.items()}}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    paths = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    settings = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join(paths)}
    with open(folder / "output", "wb") as output:  # noqa: PTH123 - a gigabyte does not go by a pipe
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *tool.arguments],
            cwd=folder,
            env=os.environ | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = None
        seconds = time.perf_counter() - start
    with open(folder / "output", encoding="utf-8", errors="replace") as read:  # noqa: PTH123
        shown = read.read(8 << 20)
    return Ran(seconds=seconds, code=code, passed=tool.reads(folder, shown))
