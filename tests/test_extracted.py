"""Every file under snippets/ runs alone with `python`: a fresh interpreter for each.

That takes seconds a file, torch's import most of it. So one file of each page runs by default;
`SNIPPETS=all` (`make snippets`) runs all, `SNIPPETS=HEAD^1` those that changed since a revision.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites import ROOT
from wiki_tools.config import read_config
from wiki_tools.environment import describe_environment
from wiki_tools.pages import read_pages
from wiki_tools.runner.able import not_run
from wiki_tools.snippets import Snippet, extract_all, snippet_file

CHOICE = os.environ.get("SNIPPETS", "")
LIMIT = 600
"""Seconds for one file."""


def extracted() -> dict[Path, Snippet]:
    """The files that `wiki extract` writes, and what each is made from."""
    config = read_config(ROOT / "docs")
    snippets = extract_all(config, read_pages(config))
    files = {snippet_file(config, snippet): snippet for snippet in snippets}
    return {file: snippet for file, snippet in files.items() if file.is_file()}


def changed(since: str) -> set[Path]:
    """The files that are not as they were in a revision."""
    command = ["git", "diff", "--name-only", "-z", since, "--", "snippets"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {ROOT / name for name in done.stdout.split("\0") if name}


def chosen() -> Iterator[tuple[Path, Snippet]]:
    """The files to run: of each page the first that can run here, unless told otherwise."""
    seen: set[Path] = set()
    since = changed(CHOICE) if CHOICE not in ("", "all") else set()
    here = describe_environment("cpu")
    for file, snippet in extracted().items():
        if since and file not in since:
            continue
        if CHOICE == "" and (file.parent in seen or not_run(snippet, here)):
            continue
        seen.add(file.parent)
        if CHOICE in ("", "all") or since:
            yield file, snippet


@pytest.mark.torch
@pytest.mark.parametrize(
    ("file", "snippet"),
    [pytest.param(f, s, id=f.relative_to(ROOT).as_posix()) for f, s in chosen()],
)
def test_it_runs_alone(file: Path, snippet: Snippet, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    if reason := not_run(snippet, describe_environment("cpu")):
        pytest.skip(reason.message)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(file)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
