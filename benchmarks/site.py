"""What the plugin adds to `mkdocs build`, beside the same pages with plain links and without it."""

import posixpath
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from rich.console import Console
from rich.table import Table

from benchmarks.checking import write_vault
from wiki_tools.config import read_config
from wiki_tools.graph import ResolvedLink, link_pages
from wiki_tools.pages import read_pages

SIZES = (250, 1000)
RUNS = 3
SETTINGS = """site_name: Bench
theme: {{name: material, font: false{features}}}
plugins: [search{plugin}]
"""
THEMES = {
    "Material as it comes": "",
    "navigation.prune": ", features: [navigation.prune]",
}


def write_peer(docs: Path, out: Path) -> None:
    """Write the same pages with each wikilink as a relative Markdown link."""
    config = read_config(docs)
    pages = read_pages(config)
    links: dict[str, list[ResolvedLink]] = {}
    for found in link_pages(pages, config).resolved:
        links.setdefault(found.path, []).append(found)
    for page in pages:
        text = page.markup.text
        for found in sorted(links.get(page.path, ()), key=lambda f: -f.link.span.start):
            span = found.link.span
            if span.start < page.markup.body:
                continue
            target = posixpath.relpath(found.target_path, posixpath.dirname(page.path) or ".")
            words = found.link.display or found.link.target
            anchor = f"#{found.anchor}" if found.anchor else ""
            text = f"{text[: span.start]}[{words}]({quote(target)}{anchor}){text[span.end :]}"
        file = out / page.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def build(root: Path) -> float:
    """Build a site in a process of its own, from nothing, and give the seconds."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean"]
    start = time.perf_counter()
    subprocess.run(command, cwd=root, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(docs: Path, folder: Path, features: str) -> tuple[float, float]:
    """The least seconds of some builds without and with the plugin, one after the other."""
    peer, ours = folder / "peer", folder / "ours"
    write_peer(docs, peer / "docs")
    shutil.copytree(docs, ours / "docs")
    for root, plugin in ((peer, ""), (ours, ", wiki")):
        settings = SETTINGS.format(features=features, plugin=plugin)
        (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    rounds = [(build(peer), build(ours)) for _ in range(RUNS)]
    return min(plain for plain, _ in rounds), min(wiki for _, wiki in rounds)


def print_table() -> None:
    """Print seconds without and with the plugin, and their ratio, for each size and theme."""
    table = Table("pages", "theme", "plain links, s", "with the plugin, s", "ratio", title="site")
    for count in SIZES:
        for name, features in THEMES.items():
            with TemporaryDirectory() as folder:
                docs = Path(folder, "docs")
                write_vault(docs, count)
                plain, wiki = compare(docs, Path(folder), features)
            table.add_row(f"{count}", name, f"{plain:.1f}", f"{wiki:.1f}", f"{wiki / plain:.2f}x")
    Console().print(table)
