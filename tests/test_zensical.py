"""The same vault through another generator: pages, anchors and links stay."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.sites import BROKEN, ROOT, record, write_vault
from wiki_tools.config import read_mkdocs
from wiki_tools.render.vault import render_vault
from wiki_tools.render.zensical import notebook_page, write_projects


def build(root: Path, generator: str) -> Path:
    """Build a vault's site with a generator."""
    target = root / generator
    done = subprocess.run(
        [
            *(sys.executable, "-m", "wiki_tools", "build", "--docs", str(root / "docs")),
            *("--generator", generator, "--site", str(target)),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def anchors(file: Path) -> list[str]:
    """The ids of a page's headings."""
    return re.findall(r'<h[1-6][^>]*?\bid="?([^">\s]+)', file.read_text(encoding="utf-8"))


def pages(site: Path) -> set[str]:
    """The pages of a site."""
    return {file.relative_to(site).as_posix() for file in site.rglob("*.html")}


@pytest.mark.skipif(find_spec("zensical") is None, reason="Zensical is not installed")
def test_zensical_builds_the_same_pages_with_the_same_anchors(tmp_path: Path) -> None:
    for name in ("docs", "evidence", "snippets"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("mkdocs.yml", "findings.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    theirs, ours = build(tmp_path, "zensical"), build(tmp_path, "mkdocs")
    assert pages(theirs) == pages(ours)
    for page in sorted(pages(ours)):
        if "notebooks/" in page:  # nothing links into them; ids are made of words in either way
            continue
        assert anchors(theirs / page) == anchors(ours / page), page


def test_each_language_is_a_project_with_the_pages_in_one_place(tmp_path: Path) -> None:
    config = write_vault(tmp_path)
    record(config, BROKEN)
    site, tree = render_vault(config.docs)
    out = tmp_path / "projects"
    nav = ["index.md", {"Labs": ["Fusing.md", {"Short": "Memory.md"}]}]
    english, korean = write_projects(site, tree, out, read_mkdocs(config) | {"nav": nav})
    assert (english.language, english.place) == ("en", "")
    assert (korean.language, korean.place) == ("ko", "ko/")
    assert "# 융합" in (out / "ko" / "docs" / "Fusing.md").read_text(encoding="utf-8")
    assert "# Memory" in (out / "ko" / "docs" / "Memory.md").read_text(encoding="utf-8")
    for folder in ("en", "ko"):
        docs = out / folder / "docs"
        names = {file.relative_to(docs).as_posix() for file in docs.rglob("*.md")}
        assert names >= {"index.md", "Fusing.md", "status.md", "notebooks/Fusing.md"}
        for name in names:
            text = (docs / name).read_text(encoding="utf-8")
            assert ".ko.md" not in text
            assert ".ipynb)" not in text
    settings = korean.config.read_text(encoding="utf-8")
    assert "language: ko" in settings
    assert "주장이 곧 테스트인 위키" in settings
    assert yaml.safe_load(settings)["nav"] == [
        nav[0],
        {"실습": ["Fusing.md", {"Short": "Memory.md"}]},
    ]


def test_a_notebook_is_a_page_with_its_outputs(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": "print('```')"}
    outputs = [{"text": "seen"}, {"data": {"image/png": "iVBO\n", "text/plain": "<Figure>"}}]
    file = tmp_path / "a.ipynb"
    file.write_text(
        json.dumps(
            {"cells": [{"cell_type": "markdown", "source": "# A"}, cell | {"outputs": outputs}]}
        )
    )
    text = notebook_page(file)
    assert "# A\n\n````python\nprint('```')\n````\n\n```text\nseen\n```" in text
    assert "![](data:image/png;base64,iVBO)" in text
    assert "<Figure>" not in text
