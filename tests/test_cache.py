import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_config
from wiki_tools import cache
from wiki_tools.cache import Cache, Shelf, digest

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(plain)
def test_a_value_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    kept = Cache(make_config(), tmp_path_factory.mktemp("cache"))
    kept.save("name", value)
    assert kept.load("name") == value
    assert kept.load("other") is None


def test_another_vault_or_other_settings_find_nothing(tmp_path: Path) -> None:
    config = make_config()
    Cache(config, tmp_path).save("name", 1)
    assert Cache(config, tmp_path).load("name") == 1
    assert Cache(replace(config, aged_days=1), tmp_path).load("name") is None
    assert Cache(make_config(tmp_path), tmp_path).load("name") is None


def test_another_version_of_the_package_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cache(make_config(), tmp_path).save("name", 1)
    monkeypatch.setattr(cache, "_package_state", lambda: b"edited")
    assert Cache(make_config(), tmp_path).load("name") is None


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    kept = Cache(make_config(), tmp_path)
    kept.save("name", "x" * 100)
    (file,) = (file for file in tmp_path.rglob("name") if file.is_file())
    data = bytearray(file.read_bytes())
    data[-50] ^= 1
    file.write_bytes(data)
    assert kept.load("name") is None


def test_what_was_saved_under_another_name_is_not_taken_for_it(tmp_path: Path) -> None:
    kept = Cache(make_config(), tmp_path)
    kept.save("one", {"a": 1})
    (file,) = tmp_path.rglob("one")
    file.rename(file.with_name("two"))
    assert kept.load("two") is None


def test_what_is_no_file_is_neither_waited_for_nor_followed(tmp_path: Path) -> None:
    kept = Cache(make_config(), tmp_path)
    kept.save("pipe", 1)
    (file,) = tmp_path.rglob("pipe")
    file.rename(file.with_name("other"))
    os.mkfifo(file)
    file.with_name("link").symlink_to("/dev/zero")
    file.with_name("folder").mkdir()
    for name in ("pipe", "link", "folder"):
        assert kept.load(name) is None
        kept.save(name, 2)
    assert [kept.load(name) for name in ("pipe", "link", "folder")] == [2, 2, None]
    assert Path("/dev/zero").is_char_device()


def test_the_folder_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Cache(make_config()).save("name", 1)
    (folder,) = (tmp_path / "wiki_tools").iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert [file.name for file in folder.iterdir()] == ["name"]


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(Path, "home", homeless)
    kept = Cache(make_config())
    kept.save("name", 1)
    assert kept.load("name") is None


def test_equal_content_has_one_digest() -> None:
    assert digest(b"a") == digest(b"a") != digest(b"b")
    assert len(digest(b"")) == 16


def test_a_few_changes_are_written_beside_a_mapping(tmp_path: Path) -> None:
    kept = Cache(make_config(), tmp_path)
    rows: dict[str, object] = {str(number): number for number in range(500)}
    Shelf(kept, "name").save(rows, rows, {"note": 1})
    (base,) = tmp_path.rglob("name")
    before = base.read_bytes()
    changes: tuple[dict[str, object], ...] = ({"7": "seven"}, {"8": "eight"}, {"new": 0})
    for change in changes:
        shelf = Shelf(kept, "name")
        assert shelf.rows == rows
        rows |= change
        shelf.save(rows, change, {"note": 2})
    assert base.read_bytes() == before
    shelf = Shelf(kept, "name")
    assert (shelf.rows, shelf.notes) == (rows, {"note": 2})
    shelf.save(rows, list(rows)[:200], {})
    assert base.read_bytes() != before
    assert Shelf(kept, "name").rows == rows
    assert Shelf(kept, "name", b"other key").rows == {}


def test_without_a_cache_a_shelf_is_empty() -> None:
    shelf = Shelf(None, "name")
    shelf.save({"a": 1}, ["a"], {})
    assert Shelf(None, "name").rows == {}
