"""Settings are read once, as data, and refused with a place and a remedy."""

from pathlib import Path

import pytest

from wiki_tools.config import RELATIONS, SECTIONS, read_config
from wiki_tools.errors import ConfigError, UsageError


def vault(root: Path, settings: str | None) -> Path:
    (root / "docs").mkdir()
    if settings is not None:
        (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return root / "docs"


def test_a_vault_needs_no_settings(tmp_path: Path) -> None:
    config = read_config(vault(tmp_path, None))
    assert config.docs == tmp_path / "docs"
    assert config.root == tmp_path
    assert config.evidence == tmp_path / "evidence"
    assert config.snippets == tmp_path / "snippets"


def test_the_folder_of_mkdocs_yml_names_the_vault_too(tmp_path: Path) -> None:
    docs = vault(tmp_path, "plugins: [search, wiki]")
    assert read_config(tmp_path) == read_config(docs)


def test_docs_dir_is_followed(tmp_path: Path) -> None:
    vault(tmp_path, "docs_dir: notes")
    (tmp_path / "notes").mkdir()
    assert read_config(tmp_path).docs == tmp_path / "notes"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere: no such folder"):
        read_config(tmp_path / "nowhere")


def test_custom_tags_mean_nothing_here(tmp_path: Path) -> None:
    text = """
site_name: !ENV [NAME, wiki]
markdown_extensions:
  - pymdownx.emoji: {emoji_index: !!python/name:material.extensions.emoji.twemoji }
plugins:
  - wiki: {timeout: 5}
"""
    assert read_config(vault(tmp_path, text)).timeout == 5


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("plugins:\n  - wiki: {timeot: 5}", "unknown setting 'timeot'.*did you mean 'timeout'"),
        ("plugins:\n  - wiki: {timeout: soon}", "timeout is 'soon'; a number above 0"),
        ("plugins:\n  - wiki: {timeout: -1}", "timeout is -1"),
        ("plugins:\n  - wiki: {aged_days: 1.5}", "aged_days is 1.5; a whole number above 0"),
        ("plugins:\n  - wiki: {rounds: 2}", "rounds is 2; 1, or 3 to 100 was expected: fewer"),
        ("plugins:\n  - wiki: {rounds: 1000000000}", "rounds is 1000000000; 1, or 3 to 100"),
        ("plugins:\n  - wiki: {rounds: true}", "rounds is True; a whole number"),
        ("plugins:\n  - wiki: {relations: [a]}", "relations is"),
        ("plugins: [", "not readable as YAML: line 1, column 11"),
        ("plugins: 5", "plugins is 5; a list"),
        ("plugins:\n  - wiki: {sections: {core: 3}}", "sections: core is 3"),
        ("plugins:\n  - wiki: {budget: .nan}", "budget is nan"),
        ("- a\n- b", "a mapping of settings was expected"),
        ("a: " + "[" * 5000, "not readable as YAML"),
        ("a: !!timestamp x", "not readable as YAML"),
        ("a: !!bool x", "not readable as YAML"),
        ("a: !!int x", "not readable as YAML"),
        ("plugins:\n  - wiki: {languages: []}", r"languages is \[\]; a list such as"),
        ('plugins:\n  - wiki: {baseline: "a\\0b"}', "baseline is"),
    ],
)
def test_bad_settings_are_refused_with_file_and_remedy(
    tmp_path: Path, settings: str, words: str
) -> None:
    docs = vault(tmp_path, settings)
    with pytest.raises(ConfigError, match=words) as error:
        read_config(docs)
    assert str(tmp_path / "mkdocs.yml") in str(error.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    docs = vault(tmp_path, None)
    (tmp_path / "mkdocs.yml").write_bytes(b"site_name: \xff\x00")
    with pytest.raises(ConfigError, match="not readable as YAML"):
        read_config(docs)


def test_new_words_are_added_to_the_known_ones(tmp_path: Path) -> None:
    text = "plugins:\n  - wiki: {sections: {core: [Kern]}, relations: {contrast: [Gegenteil]}}"
    config = read_config(vault(tmp_path, text))
    assert config.sections["core"] == (*SECTIONS["core"], "Kern")
    assert config.relations == {**RELATIONS, "contrast": ("Gegenteil",)}


def test_languages_come_from_the_i18n_plugin_default_first(tmp_path: Path) -> None:
    text = """
plugins:
  - i18n:
      languages:
        - {locale: ko, name: 한국어}
        - {locale: en, name: English, default: true}
  - wiki
"""
    assert read_config(vault(tmp_path, text)).languages == ("en", "ko")
