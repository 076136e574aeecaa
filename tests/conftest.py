"""Fixtures only."""

import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

WIKIS = Path(__file__).parent / "wikis"

# How long an example takes says how busy the machine is, and decides nothing. Where `make gpu`
# tests a card there is no hypothesis, and no test that needs it.
if find_spec("hypothesis"):
    from hypothesis import settings

    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")


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
