"""What the plugin adds to `mkdocs build`, beside the same pages with plain links and without it."""

import os
import posixpath
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

from rich.console import Console
from rich.table import Table

from benchmarks.vault import write_vault
from wiki_tools.config import read_config
from wiki_tools.graph import ResolvedLink, link_pages
from wiki_tools.pages import read_pages

SIZES = tuple(int(size) for size in os.environ.get("PAGES", "1000").split())
RUNS = int(os.environ.get("RUNS", "3"))
"""Builds of each kind; the least time of them counts."""
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


class Cost(NamedTuple):
    """What a build takes, in seconds."""

    wall: float
    cpu: float
    """Of all its processes; on a busy machine the fairer one."""


def build(root: Path) -> Cost:
    """Build a site in a process of its own, from nothing."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean"]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def compare(docs: Path, folder: Path, features: str) -> tuple[Cost, Cost]:
    """The least that some builds take without and with the plugin, one after the other."""
    peer, ours = folder / "peer", folder / "ours"
    write_peer(docs, peer / "docs")
    shutil.copytree(docs, ours / "docs")
    for root, plugin in ((peer, ""), (ours, ", wiki")):
        settings = SETTINGS.format(features=features, plugin=plugin)
        (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    rounds = [(build(peer), build(ours)) for _ in range(RUNS)]
    plain, wiki = (Cost(*map(min, zip(*row, strict=True))) for row in zip(*rounds, strict=True))
    return plain, wiki


def print_table() -> None:
    """Print seconds without and with the plugin, and their ratio, for each size and theme."""
    columns = ("pages", "theme", "plain links, s", "with the plugin, s", "ratio", "ratio of CPU")
    table = Table(*columns, title="site")
    for count in SIZES:
        for name, features in THEMES.items():
            with TemporaryDirectory() as folder:
                docs = Path(folder, "docs")
                write_vault(docs, count)
                plain, wiki = compare(docs, Path(folder), features)
            ratios = (f"{wiki.wall / plain.wall:.2f}x", f"{wiki.cpu / plain.cpu:.2f}x")
            table.add_row(f"{count}", name, f"{plain.wall:.1f}", f"{wiki.wall:.1f}", *ratios)
    Console().print(table)
