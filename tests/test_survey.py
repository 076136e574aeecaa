"""A survey finds what `check_wiki` finds, whatever it remembers."""

import datetime
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import make_config
from wiki_tools import parallel
from wiki_tools.cache import Cache
from wiki_tools.checks import reading, resolving, sight
from wiki_tools.checks.check import check_wiki
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.linking import link_page
from wiki_tools.checks.survey import survey_vault
from wiki_tools.pages import read_pages
from wiki_tools.tree import load_file

TODAY = datetime.date(2026, 6, 1)
NAMES = ("a", "b/a", "b/C", "b/c", "c", "c.ko", "한글", "d e", "sub/d-e")
TEXTS = (
    "# A\n\n[[c]] [[a#Part]] [[d_e]] ![[x.png]]\n\n## Part\n",
    "---\nid: one\naliases: [별칭, c]\nlast_reinforced: 2020-01-01\n---\n[[별칭]] [[Nowhere]]\n",
    "---\nid: two\nduplicate_of: one\n---\n[[../x.png]] [x](../../outside.txt)\n",
    "---\nid: one\ncanonical_id: two\n---\n## Graph\n- Parent: [[c]], [[a]]\n",
    "## Graph\n- Parent: [[b/a]]\n\n```python\nx = 1\n```\n[[한글]] [[b/c]] ^b\n",
    "[[a#^b]] [[c#Part]] [x](b/c.md#part)\n```python\nreturn 1\n```\n",
    "",
)


def place(root: Path, name: str, text: str) -> None:
    file = root / "docs" / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def everything(root: Path) -> tuple[Diagnostic, ...]:
    config = make_config(root)
    return check_wiki(config, read_pages(config), TODAY)


def surveyed(root: Path, **caches: Path) -> tuple[Diagnostic, ...]:
    config = make_config(root)
    cache = Cache(config, caches["cache"]) if caches else None
    return survey_vault(config, cache, TODAY).diagnostics


KEPT = ("census", "pages", "links", "rules", "all")
Edit = tuple[str, str, str]
edits = st.lists(
    st.tuples(
        st.sampled_from(("write", "write", "add", "remove", "file", "forget", "harm")),
        st.sampled_from(NAMES),
        st.sampled_from(TEXTS),
    ),
    max_size=12,
)


def apply(root: Path, cache: Path, edit: Edit) -> None:
    what, name, text = edit
    match what:
        case "write":
            place(root, name, text)
        case "add":  # below all links, so that often no outline changes
            file = root / "docs" / f"{name}.md"
            if file.exists():
                file.write_text(file.read_text(encoding="utf-8") + f"\n{text[-30:]}\n", "utf-8")
        case "remove":
            (root / "docs" / f"{name}.md").unlink(missing_ok=True)
        case "file":
            for file in (root / "docs" / "x.png", root.parent / f"{root.name}-outside"):
                if file.exists():
                    file.unlink()
                else:
                    file.touch()
        case "forget":
            for file in list(cache.rglob("*")):
                if file.is_file() and file.name in KEPT[len(text) % 3 :]:
                    file.unlink()
        case "harm":
            for file in sorted(file for file in cache.rglob("*") if file.is_file())[:: len(name)]:
                file.write_bytes(file.read_bytes()[: -len(text) - 1] + b"x")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(edits, st.booleans()), min_size=2, max_size=4))
def test_what_is_remembered_never_changes_what_is_found(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[tuple[list[Edit], bool]]
) -> None:
    root = tmp_path_factory.mktemp("vault")
    (root / "docs").mkdir()
    cache = root / "cache"
    for number, text in enumerate(TEXTS):
        place(root, NAMES[number], text)
    for round_, many in rounds:
        for edit in round_:
            apply(root, cache, edit)
        expected = everything(root)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "_WORTH_READING", 1 if many else 300)
            patch.setattr(parallel, "cores", lambda: 1)
            assert surveyed(root, cache=cache) == expected
        assert surveyed(root, cache=cache) == expected


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for number, name in enumerate(NAMES):
        place(tmp_path, name, TEXTS[number % len(TEXTS)])
    return tmp_path


def test_pages_read_and_linked_on_several_cores_are_the_same(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = surveyed(vault)
    for module in (sight, reading, resolving):
        for name in [name for name in vars(module) if name.startswith("_WORTH_")]:
            monkeypatch.setattr(module, name, 1)
    monkeypatch.setattr(parallel, "cores", lambda: 3)
    assert surveyed(vault) == alone == everything(vault)


@pytest.mark.parametrize("harm", [b"", b"nonsense", b"wiki-cache 1\n" + bytes(200)])
def test_a_damaged_cache_is_no_cache(vault: Path, harm: bytes) -> None:
    cache = vault / "cache"
    expected = surveyed(vault, cache=cache)
    files = [file for file in cache.rglob("*") if file.is_file()]
    assert {file.name for file in files} == {"pages", "census", "links", "rules", "all"}
    for file in files:
        file.write_bytes(harm)
    assert surveyed(vault, cache=cache) == expected
    for file in files:
        file.write_bytes(file.read_bytes()[:-3])
    assert surveyed(vault, cache=cache) == expected


def test_a_cache_that_cannot_be_written_is_done_without(vault: Path) -> None:
    (vault / "cache").touch()
    assert surveyed(vault, cache=vault / "cache") == everything(vault)


def test_an_unchanged_vault_is_read_and_not_parsed(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = surveyed(vault, cache=vault / "cache")
    monkeypatch.setattr(reading, "make_record", None)
    monkeypatch.setattr(resolving, "link_page", None)
    assert surveyed(vault, cache=vault / "cache") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXTS[0] + "\nA word, and [[Nowhere]].\n", {"a.md"}),
        (TEXTS[0].replace("## Part", "## Section"), {"a.md", "c.ko.md", "d e.md"}),
    ],
)
def test_an_edit_that_changes_no_name_is_linked_with_those_that_name_its_headings(
    vault: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: set[str]
) -> None:
    surveyed(vault, cache=vault / "cache")
    place(vault, "a", text)
    linked = []
    real = link_page

    def link(*args: object) -> object:
        linked.append(args[1].path)  # type: ignore[attr-defined]
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(resolving, "link_page", link)
    assert surveyed(vault, cache=vault / "cache") == everything(vault)
    assert set(linked) == expected
    assert len(linked) == len(expected)


def test_the_day_and_the_settings_decide_what_is_found(vault: Path) -> None:
    config = make_config(vault)
    for days in (365, 36_500):
        config = replace(config, aged_days=days)
        for day in (TODAY, datetime.date(2020, 1, 2)):
            found = survey_vault(config, Cache(config, vault / "cache"), day).diagnostics
            assert found == check_wiki(config, read_pages(config), day)
            aged = any(row.code == "aged-page" for row in found)
            assert aged is (days == 365 and day == TODAY)


def test_a_page_that_cannot_be_read_is_said_until_it_can(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(file: str) -> tuple[bytes, str]:
        return (b"", "Not now") if file.endswith("/docs/a.md") else load_file(file)

    with monkeypatch.context() as patch:
        patch.setattr(sight, "load_file", load)
        rows = surveyed(vault, cache=vault / "cache")
        assert [row.path for row in rows if row.code == "unreadable-file"] == ["a.md"]
    assert surveyed(vault, cache=vault / "cache") == everything(vault)


def test_reading_says_how_far_it_is(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_WORTH_READING", 1)
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    told: list[tuple[int, int]] = []
    config = make_config(vault)
    survey_vault(
        config, Cache(config, vault / "cache"), TODAY, progress=lambda *row: told.append(row)
    )
    assert told[-1] == (len(NAMES), len(NAMES))
    assert told == sorted(told)
    assert len(told) > 2
    told.clear()
    survey_vault(
        config, Cache(config, vault / "cache"), TODAY, progress=lambda *row: told.append(row)
    )
    assert told == []


def test_a_folder_that_cannot_be_listed_is_said_until_it_can(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def list_some(folder: str) -> object:
        if str(folder).endswith("/docs/b"):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    with monkeypatch.context() as patch:
        patch.setattr("wiki_tools.tree.os.scandir", list_some)
        for _ in range(2):
            rows = [r for r in surveyed(vault, cache=vault / "cache") if r.path == "b/"]
            assert [(row.code, row.severity) for row in rows] == [("unreadable-file", "error")]
            assert "Permission denied" in rows[0].message
    assert surveyed(vault, cache=vault / "cache") == everything(vault)
