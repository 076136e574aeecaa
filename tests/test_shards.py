"""Shares of a wiki, and the pages that git says have changed."""

import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_ledger import SAMPLES, make
from wiki_tools.cli.choosing import choose_pages
from wiki_tools.cli.common import Vault, read_vault
from wiki_tools.errors import UsageError
from wiki_tools.ledger import LOCAL, Evidence, Ledger, Measured
from wiki_tools.runner.shards import share_pages, weigh_pages, weigh_snippets
from wiki_tools.snippets import extract_all

weights = st.dictionaries(st.text(max_size=4), st.floats(0, 1000), max_size=30)


@given(weights, st.integers(1, 8))
def test_every_page_is_in_one_share(pages: dict[str, float], count: int) -> None:
    shares = [share_pages(pages, index, count) for index in range(1, count + 1)]
    assert sum(map(len, shares)) == len(pages)
    assert set().union(*shares) == set(pages)


@given(weights, st.integers(1, 8))
def test_no_share_takes_longer_than_greed_allows(pages: dict[str, float], count: int) -> None:
    loads = [
        sum(pages[page] for page in share_pages(pages, index, count))
        for index in range(1, count + 1)
    ]
    even = sum(pages.values()) / count
    assert max(loads) <= even + max(pages.values(), default=0) + 1e-6


def test_the_longest_page_has_a_share_to_itself() -> None:
    pages = {"long": 60.0, "a": 20.0, "b": 20.0, "c": 20.0}
    assert share_pages(pages, 1, 2) == {"long"}
    assert share_pages(pages, 2, 2) == {"a", "b", "c"}


def lasting(snippet: str, seconds: float) -> Evidence:
    row = make(snippet, measured=())
    return replace(row, outcome=replace(row.outcome, seconds=seconds))


def vault_of(root: Path, names: Iterable[str]) -> Vault:
    for name in names:
        file = root / "docs" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nid: {name}\n---\n```python\nx = 1\n```\n", encoding="utf-8")
    return read_vault(root / "docs", None)


def weighed(vault: Vault, *folders: tuple[str, Evidence]) -> dict[str, float]:
    evidence: dict[str, dict[str, Evidence]] = {}
    for name, row in folders:
        evidence.setdefault(name, {})[row.snippet] = row
    snippets = extract_all(vault.config, vault.pages)
    weights = weigh_snippets(snippets, Ledger(evidence=evidence), LOCAL, 2.0)
    return weigh_pages(snippets, weights)


def test_a_page_weighs_what_it_took_the_last_time(tmp_path: Path) -> None:
    vault = vault_of(tmp_path, "abc")
    own = (LOCAL, lasting("a#s00", 3.0))
    committed = ("other", lasting("a#s00", 9.0)), ("other", lasting("b#s00", 5.0))
    assert weighed(vault, own, *committed) == {"a": 3.0, "b": 5.0, "c": 4.0}
    assert weighed(vault) == {"a": 1, "b": 1, "c": 1}
    measured = (Measured(digest="", samples=SAMPLES, recorded=""),)
    found = weighed(vault, (LOCAL, replace(lasting("a#s00", 3.0), measured=measured)))
    assert found["a"] == pytest.approx(3.0 + sum(SAMPLES.first_call) + 2.0)


@given(st.lists(st.floats(0, 50), max_size=6), st.lists(st.integers(0, 5), max_size=6))
def test_shares_stay_as_they_are_while_they_are_verified(
    tmp_path_factory: pytest.TempPathFactory, history: list[float], done: list[int]
) -> None:
    vault = vault_of(tmp_path_factory.mktemp("vault"), "abcdef")
    evidence = [(LOCAL, lasting(f"{'abcdef'[n]}#s00", s)) for n, s in enumerate(history)]
    before = weighed(vault, *evidence)
    for number in done:
        name = "abcdef"[number]
        row = replace(lasting(f"{name}#s00", 99.0), weight=before[name])
        evidence.append((LOCAL, row))
    assert weighed(vault, *evidence) == before


def git(root: Path, *command: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *settings, *command], check=True, capture_output=True)


class Repository:
    """A vault under git."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("docs/plain.md", "---\nid: plain\n---\n```python\nx = 1\n```\n")
        self.write("docs/own.md", "---\nid: own\n---\n```python\ny = x\n```\n")
        self.write("docs/sub/user.md", "---\nid: user\n---\n```python\nimport helper\n```\n")
        self.write("docs/sub/helper.py", "import deeper\n")
        self.write("snippets/deeper.py", "a = 1\n")
        self.write("snippets/fixtures/own.py", "def x():\n    return 1\n")
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def chosen(self, since: str = "HEAD", shard: str = "") -> set[str]:
        vault = read_vault(self.root / "docs", None)
        snippets = extract_all(vault.config, vault.pages)
        return choose_pages(
            vault,
            snippets,
            Ledger(evidence={}),
            paths=(),
            since=since,
            shard=shard,
            folder=LOCAL,
        ).keys


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize(
    ("path", "text", "pages"),
    [
        ("docs/plain.md", "---\nid: plain\n---\nchanged\n", {"plain"}),
        ("docs/new.md", "---\nid: new\n---\n", {"new"}),
        ("docs/plain.ko.md", "---\nid: plain\n---\n", {"plain"}),
        ("docs/sub/helper.py", "import deeper, os\n", {"user"}),
        ("snippets/deeper.py", "a = 2\n", {"user"}),
        ("docs/helper.py", "beside another page\n", set()),
        ("snippets/fixtures/own.py", "def x():\n    return 2\n", {"own"}),
        ("snippets/fixtures/wiki.py", "def z():\n    return 2\n", {"plain", "own", "user"}),
        ("README.md", "", set()),
    ],
)
def test_what_a_change_concerns_is_chosen(
    repository: Repository, path: str, text: str, pages: set[str]
) -> None:
    assert repository.chosen() == set()
    repository.write(path, text)
    found = repository.chosen()
    assert found == pages
    git(repository.root, "add", "-A")
    git(repository.root, "commit", "-qm", "second")
    assert repository.chosen() == set()
    assert repository.chosen("HEAD~1") == found


@pytest.mark.parametrize(
    "path", ["docs/sub/helper.py", "snippets/deeper.py", "snippets/fixtures/own.py"]
)
def test_what_was_removed_concerns_whoever_had_it(repository: Repository, path: str) -> None:
    (repository.root / path).unlink()
    assert repository.chosen() == ({"own"} if "own" in path else {"user"})


def test_shares_are_of_what_is_chosen(repository: Repository) -> None:
    shares = [repository.chosen("", f"{index}/2") for index in (1, 2)]
    assert sorted(map(len, shares)) == [1, 2]
    assert set().union(*shares) == {"plain", "own", "user"}
    assert repository.chosen("HEAD", "1/2") == set()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/2/3", "1/9999999999"])
def test_a_share_that_is_none_is_refused(repository: Repository, shard: str) -> None:
    with pytest.raises(UsageError, match="expected I/N"):
        repository.chosen("", shard)


@pytest.mark.parametrize("revision", ["--output=x", "no-such-revision"])
def test_a_revision_that_is_none_is_refused(repository: Repository, revision: str) -> None:
    with pytest.raises(UsageError, match="--since"):
        repository.chosen(revision)
