"""Tiny vaults with evidence that tests write by hand, and their sites, built by MkDocs."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tests.reports import CARD, CPU, make_evidence
from wiki_tools.config import Config, read_config
from wiki_tools.environment import Environment
from wiki_tools.ledger import Evidence, Measured, write_evidence
from wiki_tools.measure import plan_comparisons
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Outcome, Output, Samples, Status
from wiki_tools.snippets import Snippet, extract_all

ROOT = Path(__file__).parent.parent
PLAIN = """
site_name: Tiny
theme: {name: material, font: false}
plugins: [search, wiki]
"""
OURS = re.sub(
    r"^nav:\n(?:[ ].*\n)+",
    "",
    (ROOT / "mkdocs.yml").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)
"""Our own settings but for the navigation, which names our own pages."""

FUSING = """---
id: fusing
title: Fusing
aliases: [Kernel fusion, 커널 융합]
status: verified
source_trust_level: A
---
# Fusing

See [[Memory]] and [[Not-Written]].

## Patterns

### Pattern 1 — Compile
```python speedup=2..8
import torch
y = torch.relu(torch.randn(8, 8))
```
```python baseline
import torch
y = torch.randn(8, 8).clamp(min=0)
```

### Pattern 2 — Broken
```python
z = undefined_thing + 1
```

### Pattern 3 — On a card
```python
import torch
c = torch.ones(2, device='cuda')
```
"""
FUSING_KO = (
    FUSING.replace("# Fusing", "# 융합")
    .replace("title: Fusing", "title: 융합")
    .replace("Compile", "컴파일")
)
MEMORY = """---
id: memory
title: Memory
---
# Memory

Formula: $x_1^2$. Fusing saves [[Fusing|round trips]] to memory.
"""
PAGES = {
    "index.md": "# Home\n\n[[Fusing]]\n",
    "index.ko.md": "# 홈\n\n[[Fusing]]\n",
    "Fusing.md": FUSING,
    "Fusing.ko.md": FUSING_KO,
    "Memory.md": MEMORY,
    "Old.md": "---\nid: old\ntitle: Old\nduplicate_of: memory\n---\n# Old\n",
}


def write_vault(root: Path, pages: Mapping[str, str] = PAGES, settings: str = OURS) -> Config:
    """Write a vault and give its settings."""
    for path, text in pages.items():
        file = root / "docs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return read_config(root / "docs")


def record(
    config: Config,
    outcomes: Mapping[str, Outcome],
    ratio: float = 3.7,
    environment: Environment = CPU,
    folder: str = "",
) -> None:
    """Write evidence for every snippet, as a run would have left it.

    `outcomes` gives some snippets, by their place (`p02`), an outcome of their own.
    """
    pages = read_pages(config)
    snippets = extract_all(config, pages)
    by_page: dict[str, list[Evidence]] = {}
    for snippet in snippets:
        place = snippet.id.rpartition("#")[2]
        outcome = outcomes.get(place, Outcome(snippet=snippet.id, status=Status.PASSED, seconds=1))
        row = replace(
            make_evidence(snippet, environment),
            outcome=replace(outcome, snippet=snippet.id),
            measured=_measured(config, snippet, snippets, ratio),
        )
        by_page.setdefault(snippet.page, []).append(row)
    for page, rows in by_page.items():
        write_evidence(config.evidence, folder or environment.device, page, rows)


def _measured(
    config: Config, snippet: Snippet, snippets: tuple[Snippet, ...], ratio: float
) -> tuple[Measured, ...]:
    siblings = tuple(one for one in snippets if one.page == snippet.page)
    return tuple(
        Measured(
            digest=comparison.digest,
            samples=Samples(
                against=comparison.pairing.against,
                size=comparison.pairing.size,
                metric=comparison.pairing.metric,
                baseline=tuple(ratio * (1 + i / 200) for i in range(-5, 6)),
                candidate=(1.0,) * 11,
            ),
            recorded="2026-11-30T03:31:03Z",
        )
        for comparison in plan_comparisons(config, snippet, siblings)
    )


BROKEN = {
    "p01": Outcome(
        snippet="",
        status=Status.PASSED,
        seconds=0.2,
        outputs=(Output(cell=0, text="torch.Size([8, 8])\n"),),
    ),
    "p02": Outcome(
        snippet="",
        status=Status.FAILED,
        message="NameError: name 'undefined_thing' is not defined",
        path="docs/Fusing.md",
        line=27,
    ),
    "p03": Outcome(snippet="", status=Status.PASSED, notes=("retargeted",)),
}


def build_site(root: Path, *arguments: str) -> str:
    """Build a vault's site in a process of its own, and give what that said.

    Raises:
        AssertionError: the build failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-f", "mkdocs.yml", *arguments],
        cwd=root,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


__all__ = ["BROKEN", "CARD", "CPU", "OURS", "PAGES", "PLAIN", "build_site", "record", "write_vault"]
