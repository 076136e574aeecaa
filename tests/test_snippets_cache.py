"""What is remembered of an extraction never changes what is extracted."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import SEED
from wiki_tools.cache import Cache
from wiki_tools.config import Config, read_config
from wiki_tools.pages import read_pages
from wiki_tools.snippets import Snippet, extract_all, extract_wiki
from wiki_tools.snippets.packing import pack_snippets, unpack_snippets

FENCE = "### Pattern 1\n```python\n{}\n```\n"
TEXTS = {
    "docs/a.md": [
        FENCE.format("y = x + 1  # (2, 3)"),
        "---\nid: other\ntags: [t]\n---\n" + FENCE.format("import helper\ny = x"),
        FENCE.format("import pkg.inner\nz = total(1)") + "```python setup\ntotal = abs\n```\n",
        "Prose alone.\n",
    ],
    "docs/a.ko.md": [FENCE.format("y = 5"), ""],
    "docs/sub/b.md": [FENCE.format("import helper as h\nprint(x)  #> 3"), FENCE.format("return 1")],
    "docs/helper.py": ["import deep\n", "double = 1  # one\n", "double = 2\n"],
    "docs/sub/helper.py": ["half = 1\n"],
    "docs/pkg/inner.py": ["a = 1\n", "import helper\n"],
    "docs/deep.py": ["b = 2\n"],
    "snippets/helper.py": ["import nothing\n", "import pkg\n"],
    "snippets/fixtures/wiki.py": [
        "def x():\n    return 1\n",
        "import helper\n\n\ndef x():\n    return helper.double\n",
    ],
    "snippets/fixtures/a.py": ["def x():\n    return 'own'\n"],
}
edits = st.sampled_from([(path, text) for path, texts in TEXTS.items() for text in [*texts, None]])


def apply(root: Path, path: str, text: str | None) -> None:
    file = root / path
    if text is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def extracted(config: Config, cache: Cache | None = None) -> tuple[Snippet, ...]:
    return extract_wiki(config, read_pages(config), cache).snippets


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(edits, min_size=1, max_size=3), min_size=2, max_size=5))
def test_what_is_remembered_never_changes_what_is_extracted(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[tuple[str, str | None]]]
) -> None:
    root = tmp_path_factory.mktemp("vault")
    for path, texts in TEXTS.items():
        apply(root, path, texts[0])
    config = read_config(root / "docs")
    cache = Cache(config, root / "cache")
    for round_ in rounds:
        for path, text in round_:
            apply(root, path, text)
        expected = extract_all(config, read_pages(config))
        assert extracted(config, cache) == expected
        assert extracted(config, cache) == expected


def test_an_unchanged_page_is_not_extracted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("docs/a.md", "docs/sub/b.md", "docs/helper.py"):
        apply(tmp_path, path, TEXTS[path][0])
    config = read_config(tmp_path / "docs")
    cache = Cache(config, tmp_path / "cache")
    expected = extracted(config, cache)
    seen: list[str] = []

    def extract(_config: Config, page: object, *_rest: object) -> tuple[Snippet, ...]:
        seen.append(getattr(page, "path", ""))
        return ()

    monkeypatch.setattr("wiki_tools.snippets.extract.extract_snippets", extract)
    assert extracted(config, cache) == expected
    assert seen == []
    apply(tmp_path, "docs/helper.py", "double = 3\n")  # beside another page
    extracted(config, cache)
    assert seen == []
    apply(tmp_path, "docs/sub/helper.py", "double = 3\n")
    extracted(config, cache)
    assert seen == ["sub/b.md"]
    assert len(extracted(replace(config, timeout=5.0), Cache(config, tmp_path / "cache"))) < 3


def test_what_is_packed_comes_back_as_it_was() -> None:
    config = read_config(SEED)
    snippets = extract_all(config, read_pages(config))
    assert snippets
    assert unpack_snippets(pack_snippets(snippets)) == snippets
