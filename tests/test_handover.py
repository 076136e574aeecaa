"""A host with a card and without MkDocs or JAX measures, and its evidence is shown here."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports import CARD, CPU
from tests.sites import record
from wiki_tools.config import read_config
from wiki_tools.environment import Environment, folder_name
from wiki_tools.render.vault import render_vault

PAGE = """# Page

### Pattern 1 — Half the work {#half}

```python baseline
total = sum(range(200_000))
total = sum(range(200_000))
```

```python speedup=1.2..4 on=cuda
total = sum(range(200_000))
```
"""
ABSENT = (
    "mkdocs", "material", "mkdocs_jupyter", "mkdocs_static_i18n", "jupytext", "nbformat", "jax",
    "matplotlib", "pydantic", "ray", "zensical", "hypothesis", "latex2mathml",
)  # fmt: skip
"""What the site, the tests and other frameworks need."""
BARE = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from wiki_tools.__main__ import main
sys.argv[1:1] = ["verify"]
main()
"""


def verify(folder: Path, *options: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run `wiki verify` as on such a host."""
    return subprocess.run(
        [sys.executable, "-c", BARE, "--docs", str(folder / "docs"), *options],
        env={"PATH": f"{path}:/usr/bin:/bin", "XDG_CACHE_HOME": str(folder / "cache")},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_without_the_site_pages_are_run_measured_and_recorded(vault: Path) -> None:
    done = verify(vault, "--record", "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (baseline, pattern) = document["results"]
    assert (baseline["status"], pattern["status"]) == ("passed", "passed")
    assert pattern["comparisons"][0]["samples"] > 0
    assert len(list((vault / "evidence").glob("cpu-*/page.json"))) == 1


def test_a_card_that_is_not_there_is_an_error_with_a_remedy(vault: Path) -> None:
    done = verify(vault, "--device", "cuda", "--record")
    assert done.returncode == 2
    assert "--device cuda: nvidia-smi finds no card; use --device cpu" in done.stderr
    assert done.stdout == ""
    assert not (vault / "evidence").exists()


def put_card(folder: Path, environment: Environment) -> None:
    """An `nvidia-smi` that tells of a card."""
    program = folder / "nvidia-smi"
    told = f"{environment.device_name}, {environment.capability}, {environment.driver}"
    program.write_text(f"#!/bin/sh\necho '{told}'\n")
    program.chmod(0o755)


@pytest.mark.torch
def test_a_torch_that_has_no_use_of_the_card_is_an_error_with_a_remedy(vault: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("torch has the use of a card here")
    put_card(vault, CARD)
    done = verify(vault, "--device", "cuda", path=str(vault))
    assert done.returncode == 2
    assert "--device cuda: torch 2" in done.stderr
    assert (
        "is built for CPUs; install" in done.stderr or "cannot use the NVIDIA H200" in done.stderr
    )


def test_a_page_shows_what_every_environment_saw_the_strongest_first(vault: Path) -> None:
    weaker = replace(CARD, device_name="NVIDIA T4", capability="7.5")
    config = read_config(vault / "docs")
    for environment, ratio in ((CPU, 1.1), (weaker, 3.5), (CARD, 2.5)):
        record(config, {}, ratio, environment, folder_name(environment))
    assert (vault / "evidence" / "nvidia-h200-linux-py3.11-torch2.13" / "page.json").is_file()
    _, tree = render_vault(vault / "docs", vault / "tree")
    text = (tree / "page.md").read_text(encoding="utf-8")
    names = ("NVIDIA H200", "NVIDIA T4", "AMD EPYC 9V74")
    above, row = text.split("## Pattern 1")[0], text[text.rindex("```") :]
    for part in (above, row):
        assert sorted(names, key=part.index) == list(names)
    assert sorted(("2.5x", "3.5x", "1.10x"), key=row.index) == ["2.5x", "3.5x", "1.10x"]
    assert row.count("wiki-mark confirmed") == 2
    assert "no GPU has run this" not in text
