"""A verification may be killed at any moment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SEED, ROUNDS = 20261130, 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here: nothing can be killed half-way")
def test_killed_at_twenty_moments_nothing_is_lost_and_the_next_run_completes(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "tests.killing", str(tmp_path), str(SEED), str(ROUNDS)]
    root = Path(__file__).parent.parent
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    counts = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(counts) == ROUNDS
    assert any(kept and left for kept, left in counts), counts
