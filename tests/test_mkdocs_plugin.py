"""The plugin in real builds: what MkDocs, its plugins and a vault's settings do to pages."""

import json
import logging
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import get_navigation

from tests.sites import BROKEN, CARD, OURS, PAGES, PLAIN, ROOT, build_site, record, write_vault
from wiki_tools.config import SETTINGS, read_config, read_mkdocs
from wiki_tools.mkdocs_plugin import WikiPlugin
from wiki_tools.mkdocs_plugin.navigation import order_navigation
from wiki_tools.mkdocs_plugin.notebooks import clean_notebook
from wiki_tools.mkdocs_plugin.plugin import CHATTY, WikiSettings
from wiki_tools.mkdocs_plugin.settings import EXTENSIONS, complete_settings, needed_extensions


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with our own settings, in two languages, with evidence."""
    root = tmp_path_factory.mktemp("vault")
    record(write_vault(root), BROKEN)
    build_site(root, "--strict")
    return root / "site"


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def test_a_row_is_on_the_page_in_both_languages(site: Path) -> None:
    english, korean = (
        unescape(re.sub(r"<[^>]+>", "", read(folder / "Fusing" / "index.html")))
        for folder in (site, site / "ko")
    )
    assert "3.7x (3.6 to 3.8) over the baseline" in english
    assert "기준 코드 대비 속도 3.7배 (3.6~3.8)" in korean
    assert "line 27: NameError" in english


def test_links_and_anchors_are_those_of_the_site(site: Path) -> None:
    page = read(site / "Fusing" / "index.html")
    assert 'href="../Memory/">Memory</a>' in page
    assert '<span class="wiki-wanted"' in page
    assert 'href="../status/#environment-cpu"' in page
    assert 'id="environment-cpu"' in read(site / "status" / "index.html")
    assert 'href="../Fusing/"' in read(site / "ko" / "Memory" / "index.html")


def test_notebooks_are_pages_in_every_language_with_the_recorded_output(site: Path) -> None:
    for folder in (site, site / "ko"):
        page = read(folder / "notebooks" / "Fusing" / "index.html")
        assert "torch.Size([8, 8])" in page
        assert page.count("undefined_thing") == 1  # a cell's code is there once
        assert "md-header" in page
        assert 'href="../../Fusing/' in page
    assert json.loads(read(site / "notebooks" / "Fusing" / "Fusing.ipynb"))["nbformat"] == 4


def test_the_runnable_file_is_published_as_it_is(site: Path) -> None:
    (href,) = set(
        re.findall(r'href="\.\./(snippets/[^"]*01[^"]*\.py)"', read(site / "Fusing" / "index.html"))
    )
    assert "torch.relu" in read(site / href)


def test_nothing_is_fetched_from_another_host(site: Path) -> None:
    for file in site.rglob("*.html"):
        found = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?(https?:)?//", read(file)
        )
        assert not found, file


def test_notebooks_are_not_in_the_navigation(site: Path) -> None:
    navigation = read(site / "index.html")
    assert "notebooks/" not in navigation
    assert "Memory" in navigation


def test_folders_come_before_pages_and_what_is_made_comes_last() -> None:
    config = load_config(str(ROOT / "mkdocs.yml"))
    config.nav = None
    paths = ["Findings.md", "index.md", "status.md", "a/Z.md", "a/b/C.md", "wanted.md"]
    files = Files([File(path, "docs", "site", use_directory_urls=True) for path in paths])
    nav = order_navigation(get_navigation(files, config), {"status", "wanted"})
    order = [page.file.src_uri for page in nav.pages]
    assert order == ["index.md", "a/b/C.md", "a/Z.md", "Findings.md", "status.md", "wanted.md"]
    assert [type(item).__name__ for item in nav.items] == ["Page", "Section", *["Page"] * 3]
    assert nav.pages[0].next_page is nav.pages[1]
    assert nav.pages[1].previous_page is nav.pages[0]
    assert nav.pages[-1].next_page is None


def paths_in(nav: Any) -> Iterator[str]:
    """The paths that a navigation of mkdocs.yml names, in its order."""
    for item in nav.values() if isinstance(nav, dict) else nav:
        yield from [item] if isinstance(item, str) else paths_in(item)


def test_our_navigation_has_every_page_once_and_its_sections_in_korean() -> None:
    settings = read_mkdocs(read_config(ROOT / "docs"))
    pages = {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    originals = {page for page in pages if not page.endswith(".ko.md")}
    named = list(paths_in(settings["nav"]))
    assert sorted(named) == sorted(originals | {"status.md", "wanted.md"})
    assert {f"{page.removesuffix('.md')}.ko.md" for page in originals} <= pages
    (languages,) = (p["i18n"]["languages"] for p in settings["plugins"] if "i18n" in p)
    sections = {title for item in settings["nav"] if isinstance(item, dict) for title in item}
    assert sections == set(languages[1]["nav_translations"])


def test_a_duplicate_sends_its_readers_on_and_no_other_page_does(site: Path) -> None:
    moved = [f for f in site.rglob("index.html") if 'http-equiv="refresh"' in read(f)]
    assert {f.parent.name for f in moved} == {"Old"}
    assert "url=../Memory/" in read(site / "Old" / "index.html")


def test_aliases_in_both_languages_are_in_the_search_index(site: Path) -> None:
    index = json.loads(read(site / "search" / "search_index.json"))
    found = {entry["location"] for entry in index["docs"] if "커널 융합" in entry["text"]}
    assert {"Fusing/", "ko/Fusing/"} <= {location.partition("#")[0] for location in found}
    assert {"en", "ko"} <= set(index["config"]["lang"])


def test_the_search_finds_pages_and_not_what_is_said_of_their_code(site: Path) -> None:
    texts = [doc["text"] for doc in json.loads(read(site / "search" / "search_index.json"))["docs"]]
    assert not [text for text in texts if "passed on AMD" in text or "source trust" in text]
    assert any("Compile" in doc or "relu" in doc for doc in texts)


def test_a_reader_who_is_lost_finds_words_in_every_language(site: Path) -> None:
    whole, korean = read(site / "404.html"), read(site / "ko" / "404.html")
    assert '<h1 lang="en">No such page</h1>' in whole
    assert '<h2 lang="ko">없는 문서</h2>' in whole
    assert '<a href="/ko/">' in whole
    assert '<html lang="en"' in whole
    assert '<h1 lang="ko">없는 문서</h1>' in korean
    assert "No such page" not in korean
    assert '<html lang="ko"' in korean


def test_another_site_can_show_a_pages_title_and_description(site: Path) -> None:
    head = read(site / "ko" / "Fusing" / "index.html").partition("</head>")[0]
    assert '<meta property="og:title" content="융합">' in head
    assert '<meta property="og:type" content="article">' in head
    home = read(site / "index.html").partition("</head>")[0]
    assert '<meta property="og:title" content="A wiki whose claims are tests">' in home


def test_the_navigation_tells_a_pages_status(site: Path) -> None:
    assert 'class="md-status md-status--failing" title="failing"' in read(site / "index.html")


def test_formulas_need_no_script(site: Path) -> None:
    assert "<msubsup>" in read(site / "Memory" / "index.html")


def test_a_second_build_writes_no_page_of_the_tree_again(tmp_path: Path) -> None:
    write_vault(tmp_path, settings=PLAIN)
    build_site(tmp_path)
    tree = tmp_path / ".wiki" / "site"
    before = {file: file.stat().st_mtime_ns for file in tree.rglob("*.*")}
    build_site(tmp_path)
    assert {file: file.stat().st_mtime_ns for file in tree.rglob("*.*")} == before
    assert tree / "Fusing.md" in before


def test_a_wiki_without_evidence_builds_and_says_unverified(tmp_path: Path) -> None:
    write_vault(tmp_path, settings=PLAIN)
    build_site(tmp_path, "--strict")
    page = read(tmp_path / "site" / "Fusing" / "index.html")
    assert ">unverified<" in page
    assert "wiki-mark passed" not in page
    assert "untested: no GPU has run this yet" in page


def test_code_that_nobody_ran_is_said_to_be_unverified_once(tmp_path: Path) -> None:
    write_vault(tmp_path, {"index.md": "# A\n\n```python\nx = 1\n```\n"}, PLAIN)
    build_site(tmp_path, "--strict")
    page = read(tmp_path / "site" / "index.html")
    assert page.count("wiki-mark unverified") == 1
    assert "wiki-row" not in page
    assert not (tmp_path / "site" / "snippets").exists()


def test_code_is_coloured_and_the_search_index_is_not(tmp_path: Path) -> None:
    write_vault(tmp_path, {"index.md": "# A\n\n```python\nx = '<1>'\n```\n"}, PLAIN)
    build_site(tmp_path)
    page = read(tmp_path / "site" / "index.html")
    assert '<span class="n">x</span> <span class="o">=</span>' in page
    assert "&lt;1&gt;" in page
    assert "span" not in read(tmp_path / "site" / "search" / "search_index.json")


def test_backlinks_are_on_the_page_and_in_its_contents_but_not_in_the_search(
    tmp_path: Path,
) -> None:
    pages = {"index.md": "# A\n\n[[x/b]]\n", "x/b.md": "# B\n\nSee [[A|<i>this*]] &amp; more.\n"}
    write_vault(tmp_path, pages, PLAIN)
    build_site(tmp_path, "--strict")
    page = read(tmp_path / "site" / "index.html")
    assert '<h2 class="wiki-backlinks" id="linked-from">Linked from<a class="headerlink"' in page
    assert '<a href="x/b/">B</a>: See <strong>' in page
    assert "<i>this" not in page
    assert page.count('href="#linked-from"') >= 2  # the heading's own, and the contents'
    assert "Linked from" not in read(tmp_path / "site" / "search" / "search_index.json")


def test_broken_front_matter_is_a_warning_with_its_place_and_fails_a_strict_build(
    tmp_path: Path,
) -> None:
    pages = {"index.md": "# Home\n", "a.md": "---\nid: [\n---\n# A\n"}
    write_vault(tmp_path, pages, PLAIN)
    assert re.search(r"WARNING -  wiki: docs/a\.md:\d+:\d+: ", build_site(tmp_path))
    with pytest.raises(AssertionError, match=r"docs/a\.md:"):
        build_site(tmp_path, "--strict")


def test_notebooks_do_not_crowd_the_search_and_have_plain_titles(site: Path) -> None:
    index = json.loads(read(site / "search" / "search_index.json"))
    assert not any("notebooks/" in entry["location"] for entry in index["docs"])
    page = read(site / "notebooks" / "Fusing" / "index.html")
    assert "¶" not in page.partition("<title>")[2].partition("</title>")[0]


def test_a_vault_in_one_other_language_has_no_pages_in_the_default_one(tmp_path: Path) -> None:
    write_vault(tmp_path, {"a.ko.md": "# 가\n\n[[나]]\n"}, PLAIN)
    build_site(tmp_path)
    tree = tmp_path / ".wiki" / "site"
    assert {file.name for file in tree.glob("*.md")} == {
        *("a.ko.md", "status.ko.md", "wanted.ko.md", "index.ko.md", "index.md")
    }
    assert "이 위키의 문서" in read(tree / "index.md")


def test_a_page_goes_through_no_extension_that_it_has_nothing_for() -> None:
    every = [*EXTENSIONS, "theirs"]
    bare = {"attr_list", "tables", "toc", "theirs"}
    assert set(needed_extensions(every, ["theirs"], "# A\n\n```\na == b [^1]\n```\n")) == bare
    for text, name in (
        ("!!! note", "admonition"),
        ("==a==", "pymdownx.mark"),
        ("x[^1]", "footnotes"),
        ("- [ ] a", "pymdownx.tasklist"),
        ("??? note", "pymdownx.details"),
        ("Term\n: what it is", "def_list"),
        ("~~a~~", "pymdownx.tilde"),
        ("<details markdown>", "md_in_html"),
        ("    ```python\n    x\n    ```", "pymdownx.superfences"),
        ('```python title="a"\nx\n```', "pymdownx.superfences"),
    ):
        assert name in set(needed_extensions(every, ["theirs"], text)) - bare


def test_a_pattern_edited_after_its_run_is_outdated(tmp_path: Path) -> None:
    config = write_vault(tmp_path, settings=PLAIN)
    record(config, BROKEN)
    file = config.docs / "Fusing.md"
    file.write_text(read(file).replace("torch.relu(", "torch.relu(2 * "), encoding="utf-8")
    build_site(tmp_path)
    page = read(tmp_path / "site" / "Fusing" / "index.html")
    assert "has changed since this run" in page
    assert "3.7x" not in page


def test_the_strongest_device_comes_first(tmp_path: Path) -> None:
    config = write_vault(tmp_path, settings=PLAIN)
    record(config, BROKEN)
    record(config, {}, ratio=5.2, environment=CARD)
    build_site(tmp_path)
    page = read(tmp_path / "site" / "Fusing" / "index.html")
    assert page.index("NVIDIA H200") < page.index("AMD EPYC")
    assert "no GPU has run this yet" not in page


def test_the_edit_link_leads_to_the_page_that_people_write(tmp_path: Path) -> None:
    write_vault(
        tmp_path, settings=PLAIN + "repo_url: https://example.org/w\nedit_uri: edit/docs/\n"
    )
    build_site(tmp_path)
    page = read(tmp_path / "site" / "Fusing" / "index.html")
    assert ".wiki" not in page
    assert "edit/docs/status.md" not in read(tmp_path / "site" / "status" / "index.html")


def test_a_vault_of_pages_only_builds_with_a_home_page(tmp_path: Path) -> None:
    write_vault(tmp_path, {"x/a.md": "[[b]]", "x/b.md": "text"}, PLAIN)
    build_site(tmp_path, "--strict")
    assert 'href="x/a/"' in read(tmp_path / "site" / "index.html")
    assert (tmp_path / ".wiki" / ".gitignore").read_text().endswith("\n*\n")


@pytest.mark.parametrize(
    "page", ["---\nid: [\n---\n# A\n", "```python\nunclosed", "\0", "", "# [[\n"]
)
def test_a_broken_page_does_not_stop_a_build(tmp_path: Path, page: str) -> None:
    write_vault(tmp_path, {"index.md": "# Home\n", "a.md": page}, PLAIN)
    build_site(tmp_path)
    assert (tmp_path / "site" / "a" / "index.html").is_file()


def test_an_unknown_setting_is_refused_by_name(tmp_path: Path) -> None:
    write_vault(tmp_path, settings=PLAIN)
    settings = PLAIN.replace("[search, wiki]", "[search, {wiki: {sectoins: {}}}]")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    with pytest.raises(AssertionError, match="sectoins"):
        build_site(tmp_path, "--strict")


def test_a_setting_of_another_type_is_an_error_with_its_file(tmp_path: Path) -> None:
    write_vault(tmp_path, settings=PLAIN)
    settings = PLAIN.replace("[search, wiki]", "[search, {wiki: {timeout: soon}}]")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    plugin = WikiPlugin()
    with pytest.raises(PluginError, match="timeout is 'soon'"):
        plugin.on_config(load_config(str(tmp_path / "mkdocs.yml"), plugins=[]))


def test_configuring_again_for_another_language_changes_nothing(tmp_path: Path) -> None:
    write_vault(tmp_path, settings=PLAIN)
    config = load_config(str(tmp_path / "mkdocs.yml"), plugins=[])
    plugin = WikiPlugin()
    plugin.on_config(config)
    tree, css = config.docs_dir, list(config.extra_css)
    plugin.on_config(config)
    assert config.docs_dir == tree == str(tmp_path / ".wiki" / "site")
    assert config.extra_css == css == ["assets/wiki.css"]


def test_settings_of_an_extension_that_a_vault_chose_are_kept(tmp_path: Path) -> None:
    settings = PLAIN + "markdown_extensions:\n  - toc: {permalink: false, toc_depth: 2}\n"
    write_vault(tmp_path, settings=settings)
    config = load_config(str(tmp_path / "mkdocs.yml"), plugins=[])
    complete_settings(config, "a.css", "ko")
    assert config.mdx_configs["toc"]["permalink"] is False
    assert config.mdx_configs["toc"]["slugify"] is EXTENSIONS["toc"]["slugify"]
    assert config.extra["status"]["failing"] == "실패 있음"


class FakeServer:
    """Remembers what it was told to watch."""

    def __init__(self, *watched: str) -> None:
        self.watched = set(watched)

    def watch(self, path: str) -> None:
        self.watched.add(path)

    def unwatch(self, path: str) -> None:
        self.watched.remove(path)


def test_serving_watches_pages_and_evidence_and_not_the_rendered_tree(tmp_path: Path) -> None:
    vault = write_vault(tmp_path, settings=PLAIN)
    record(vault, BROKEN)
    config = load_config(str(tmp_path / "mkdocs.yml"), plugins=[])
    plugin = WikiPlugin()
    plugin.on_config(config)
    server = FakeServer(config.docs_dir)
    plugin.on_serve(server, config=config, builder=None)
    assert server.watched == {str(vault.docs), str(vault.evidence)}


@pytest.mark.parametrize(
    ("command", "asked", "told"), [("serve", "1", False), ("serve", "", True), ("build", "1", True)]
)
def test_wiki_serve_keeps_other_plugins_quiet(
    monkeypatch: pytest.MonkeyPatch, command: str, asked: str, told: bool
) -> None:
    monkeypatch.setenv("WIKI_SERVE", asked)
    levels = {name: logging.getLogger(name).level for name in CHATTY}
    try:
        for name in CHATTY:
            logging.getLogger(name).setLevel(logging.INFO)
        WikiPlugin().on_startup(command=command, dirty=False)
        for name in ("mkdocs.plugins.some", "mkdocs.mkdocs-jupyter"):
            assert logging.getLogger(name).isEnabledFor(logging.INFO) is told
            assert logging.getLogger(name).isEnabledFor(logging.WARNING)
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def test_our_own_settings_name_every_extension_that_pages_need() -> None:
    assert all(f"  - {name}" in OURS for name in EXTENSIONS)


def test_a_notebook_without_a_wrapper_is_left_alone() -> None:
    assert clean_notebook("<p>x</p>", None, None) == "<p>x</p>"


def test_the_pages_of_the_test_vault_are_all_built(site: Path) -> None:
    for path in PAGES:
        stem = path.removesuffix(".md").removesuffix(".ko")
        folder = site / "ko" if ".ko." in path else site
        assert (folder / ("" if stem == "index" else stem) / "index.html").is_file()


def test_a_title_speaks_no_html_anywhere(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / "mkdocs.yml").write_text(OURS.replace("findings.json", "none.json"))
    (docs / "index.md").write_text("# Start\n\n[[x]]\n")
    (docs / "x.md").write_text(
        '---\ntitle: "</title><script>alert(3)</script><img src=x onerror=alert(3)>"\n---\n'
        "## Pattern 1\n```python\nx = 1\n```\n"
    )
    build_site(tmp_path)
    assert (tmp_path / "site" / "notebooks" / "x" / "index.html").is_file()
    for file in (tmp_path / "site").rglob("*.html"):
        text = read(file)
        assert "<script>alert(3)" not in text, file
        assert not re.search(r"<img[^>]*onerror", text), file


def test_mkdocs_knows_every_setting() -> None:
    assert {name for name, _ in WikiSettings._schema} == set(SETTINGS)
