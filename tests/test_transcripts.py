"""What a person types and sees.

A transcript holds commands (`$ wiki ...`), what they print, and `? 1` where they end with
another code than 0. `pytest tests/test_transcripts.py --update` writes them anew: read the
difference before committing it.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.txt"))


def replay(text: str, folder: Path) -> Iterator[str]:
    """Run the commands of a transcript in a folder that holds a copy of tests/wikis."""
    for line in text.splitlines():
        if line.startswith("#"):
            yield line
        if not line.startswith("$ wiki "):
            continue
        yield line
        command = [sys.executable, "-m", "wiki_tools", *shlex.split(line.removeprefix("$ wiki "))]
        done = subprocess.run(
            command, cwd=folder, text=True, capture_output=True, check=False, timeout=120
        )
        shown = re.sub(r"\d+\.\d+ s\b", "0.0 s", done.stdout + done.stderr)
        yield from shown.replace(str(folder), "…").rstrip().splitlines()
        if done.returncode:
            yield f"? {done.returncode}"


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_transcript_is_what_happens(
    file: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shutil.copytree(HERE / "wikis", tmp_path / "wikis")
    text = file.read_text(encoding="utf-8")
    seen = "\n".join(replay(text, tmp_path)) + "\n"
    if request.config.getoption("--update"):
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


def test_there_are_transcripts() -> None:
    assert TRANSCRIPTS
