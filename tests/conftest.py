"""Fixtures only."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

WIKIS = Path(__file__).parent / "wikis"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write transcripts anew")


@pytest.fixture
def copy_wiki(tmp_path: Path) -> Callable[[str], Path]:
    """Copies one of tests/wikis into a folder of its own, without evidence of earlier runs."""

    def copy(name: str) -> Path:
        target = tmp_path / name
        shutil.copytree(WIKIS / name, target, ignore=shutil.ignore_patterns("evidence", ".wiki"))
        return target

    return copy
