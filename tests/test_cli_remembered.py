"""An answer is told again only while nothing that decides it has changed."""

import datetime
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports import CPU, make_vault
from wiki_tools import environment as environments
from wiki_tools.cache import Cache
from wiki_tools.cli import remembered
from wiki_tools.cli.remembered import Answer, Remembered
from wiki_tools.config import read_config
from wiki_tools.environment import Environment
from wiki_tools.pages import read_pages
from wiki_tools.snippets import extract_wiki

ANSWER = Answer("Nothing ran: nothing changed in 1 snippet.\n", 1)


class Vault:
    """A vault of which something was said."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment: Environment = CPU
        self.asks = "verify"
        self.today = datetime.date(2026, 11, 30)
        self.write("docs/a.md", "```python\nimport helper, numpy\ny = x\n```\n")
        self.write("docs/helper.py", "double = 2\n")
        self.write("snippets/fixtures/wiki.py", "def x():\n    return 1\n")
        self.write("evidence/local/a.json", "{}")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def look(self) -> Remembered:
        config = read_config(self.root / "docs")
        cache = Cache(config, self.root / "cache")
        return Remembered(config, cache, self.environment, self.asks, self.today)

    def keep(self, looked: Remembered) -> None:
        config = read_config(self.root / "docs")
        extracted = extract_wiki(config, read_pages(config), None)
        packages = {name for snippet in extracted.snippets for name in snippet.packages}
        assert packages == {"helper", "numpy"}
        looked.keep(ANSWER, extracted.asked, packages)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = Vault(tmp_path)
    assert made.look().recall() is None
    made.keep(made.look())
    assert made.look().recall() == ANSWER
    return made


CHANGES: dict[str, Callable[[Vault], object]] = {
    "a page": lambda v: v.write("docs/a.md", "```python\nimport helper, numpy\ny = x # \n```\n"),
    "another page": lambda v: v.write("docs/b.md", ""),
    "a page that is gone": lambda v: (v.root / "docs/a.md").unlink(),
    "a module": lambda v: v.write("docs/helper.py", "double = 3\n"),
    "a module that appears": lambda v: v.write("snippets/helper.py", ""),
    "a package's folder": lambda v: v.write("docs/numpy/__init__.py", ""),
    "a fixture": lambda v: v.write("snippets/fixtures/wiki.py", "def x():\n    return 2\n"),
    "a fixture file that appears": lambda v: v.write("snippets/fixtures/a.py", ""),
    "the evidence": lambda v: v.write("evidence/local/a.json", "[]"),
    "other evidence": lambda v: v.write("evidence/cpu/b/a.json", "{}"),
    "the settings": lambda v: v.write("mkdocs.yml", "plugins: [wiki: {timeout: 5}]"),
    "the machine": lambda v: setattr(v, "environment", replace(CPU, compiler="none")),
    "the command line": lambda v: setattr(v, "asks", "verify --strict"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_answer_is_forgotten_where_something_changed(vault: Vault, what: str) -> None:
    CHANGES[what](vault)
    assert vault.look().recall() is None


def test_another_version_of_a_package_is_another_answer(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    environments.resolve_versions.cache_clear()
    monkeypatch.setattr(environments, "_module_version", lambda _name: "99")
    try:
        assert vault.look().recall() is None
    finally:
        environments.resolve_versions.cache_clear()


def test_another_terminal_or_folder_is_another_answer(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert vault.look().recall() is None
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.chdir(vault.root)
    assert vault.look().recall() is None


def test_what_changed_while_it_was_found_is_not_kept(vault: Vault) -> None:
    looked = vault.look()
    vault.write("docs/b.md", "")
    vault.keep(looked)
    assert vault.look().recall() is None


def test_another_day_is_another_answer(vault: Vault) -> None:
    vault.today += datetime.timedelta(days=1)
    assert vault.look().recall() is None


def test_those_who_ask_in_turn_are_all_answered(vault: Vault) -> None:
    for asks in ("one", "two", "three"):
        vault.asks = asks
        vault.keep(vault.look())
    for asks in ("verify", "one", "two", "three"):
        vault.asks = asks
        assert vault.look().recall() == ANSWER
    vault.asks = "four"
    vault.keep(vault.look())
    vault.asks = "verify"
    assert vault.look().recall() is None


def test_what_is_printed_is_kept_and_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    with remembered.copied_output() as kept:
        sys.stdout.write("one\n")
        sys.stdout.write("two\n")
    assert "".join(kept) == capsys.readouterr().out == "one\ntwo\n"


def test_what_is_only_kept_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with remembered.copied_output(passing=False) as kept:
        sys.stdout.write("one\n")
    assert "".join(kept) == "one\n"
    assert capsys.readouterr().out == ""


def wiki(vault: Path, *options: str) -> str:
    command = [sys.executable, "-m", "wiki_tools", "verify", "--docs", str(vault / "docs")]
    environment = os.environ | {"XDG_CACHE_HOME": str(vault / "cache")}
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stderr == "" or "Traceback" not in done.stderr
    return f"{done.returncode} {done.stdout}"


def test_what_is_told_again_is_what_would_be_found(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "a.md"
    page.parent.mkdir()
    page.write_text(
        "# A\n```python\nimport helper\nassert helper.one == 1\n```\n", encoding="utf-8"
    )
    module = page.with_name("helper.py")
    for value, code in ((1, 0), (2, 1), (1, 0)):
        module.write_text(f"one = {value}\n", encoding="utf-8")
        assert wiki(tmp_path).startswith(f"{code} ")
        told, found = wiki(tmp_path), wiki(tmp_path, "--no-cache")
        assert told == found
        assert told.startswith(f"{code} ")
        assert "Nothing ran" in told


def test_a_link_that_leads_elsewhere_now_is_another_question(tmp_path: Path) -> None:
    page = "### Pattern 1\n```python\nassert {}\n```\n"
    make_vault(tmp_path, {"a/A.md": page.format(1), "b/B.md": page.format(0)})
    docs = tmp_path / "docs"
    (docs / "cur").symlink_to("a")
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}

    def verify(*paths: str) -> int:
        command = [sys.executable, "-m", "wiki_tools", "verify", "--docs", str(docs), *paths]
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode

    verify()
    assert [verify(str(docs / "cur")), verify(str(docs / "cur"))] == [0, 0]
    (docs / "cur").unlink()
    (docs / "cur").symlink_to("b")
    assert verify(str(docs / "cur")) == 1
