"""Labs and notebooks: a page's text between its cells, and what a run showed, with its machine."""

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.structure.toc import AnchorLink

from tests import reports as made
from wiki_tools.graph import link_pages
from wiki_tools.mkdocs_plugin.notebooks import clean_notebook, name_headings
from wiki_tools.protocol import Output
from wiki_tools.render import render_wiki
from wiki_tools.render.zensical import notebook_page
from wiki_tools.report import EnvironmentReport

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path style="stroke: #000000" d="M0 0"/></svg>'
LAB = """---
title: Lab
id: lab
lab: true
---
# Lab

It costs $2 n^3$ operations, see [[Other]].

## Drawing {#drawing}
Before the code.
```python
y = f(x)
```

Between the codes.
```python baseline
y = g(x)
```

```text
no code
```
After them.
"""
OTHER = "# Other\n"
SHOWN = (
    Output(cell=0, text="printed *this*\nand this\n", data={"image/svg+xml": SVG}),
    Output(cell=0, data={"text/html": "<script>alert(1)</script>"}),
)


def build(root: Path, lab: str = LAB, *, cards: int = 0, outdated: bool = False) -> dict[str, str]:
    """The tree of a vault with a lab, which ran on a CPU and on cards."""
    korean = lab.replace("Between", "사이")
    config = made.make_vault(root, {"Lab.md": lab, "Lab.ko.md": korean, "Other.md": OTHER})
    pages = made.load_pages(config)
    english = next(page for page in pages if page.path == "Lab.md")
    snippets = made.fence_snippets(english)
    environments: list[EnvironmentReport] = []
    for environment in [made.CARD] * cards + [made.CPU]:
        evidence = [made.make_evidence(one, environment, outputs=SHOWN) for one in snippets]
        seen = [
            made.make_seen(one, row, outdated=outdated)
            for one, row in zip(snippets, evidence, strict=True)
        ]
        made_one = made.make_environment(seen)
        environments.append(replace(made_one, environment=environment, name=environment.device))
    report = made.make_report(english, list(snippets), environments)
    out = root / "out"
    render_wiki(config, pages, link_pages(pages, config), [report], out)
    return {
        file.relative_to(out).as_posix(): file.read_text(encoding="utf-8")
        for file in out.rglob("*")
        if file.suffix in (".md", ".ipynb")
    }


def cells(tree: dict[str, str], path: str = "notebooks/Lab.ipynb") -> list[Any]:
    nbformat.validate(nbformat.reads(tree[path], as_version=4))
    found: list[Any] = json.loads(tree[path])["cells"]
    return found


def test_a_cell_is_tagged_with_the_role_of_its_fence(tmp_path: Path) -> None:
    notebook = json.loads(build(tmp_path)["notebooks/Lab.ipynb"])
    tags = {
        cell["source"]: cell["metadata"]["tags"]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    }
    assert tags["y = f(x)"] == ["pattern"]
    assert tags["y = g(x)"] == ["baseline"]


def test_a_notebook_has_the_text_of_its_page_between_its_cells(tmp_path: Path) -> None:
    tree = build(tmp_path)
    kinds = [(cell["cell_type"], cell["source"]) for cell in cells(tree)]
    assert [kind for kind, _ in kinds] == ["markdown", "markdown", "code", "markdown", "code",
                                           "markdown"]  # fmt: skip
    texts = [text for _, text in kinds]
    assert "It costs $2 n^3$ operations, see [Other](../Other.md)." in texts[1]
    assert texts[1].endswith('<a id="drawing"></a>\n\n## Drawing\nBefore the code.')
    assert texts[2:5] == ["y = f(x)", "Between the codes.", "y = g(x)"]
    assert texts[5] == "```text\nno code\n```\nAfter them."


def test_a_translation_has_a_notebook_of_its_own(tmp_path: Path) -> None:
    tree = build(tmp_path)
    assert any("사이 the codes" in c["source"] for c in cells(tree, "notebooks/Lab.ko.ipynb"))
    assert "(notebooks/Lab.ko.ipynb)" in tree["Lab.ko.md"]
    assert "(notebooks/Lab.ipynb)" in tree["Lab.md"]


def test_a_notebook_holds_pictures_and_texts_and_nothing_else(tmp_path: Path) -> None:
    (first, *_), *_ = [c["outputs"] for c in cells(build(tmp_path)) if c["cell_type"] == "code"]
    assert first["text"] == "printed *this*\nand this\n"
    text = json.dumps(cells(build(tmp_path)))
    assert "image/svg+xml" in text
    assert "script" not in text


def test_a_lab_shows_what_was_printed_and_drawn_with_the_machine_and_the_day(
    tmp_path: Path,
) -> None:
    for path, date in (("Lab.md", "30 Nov 2026"), ("Lab.ko.md", "2026년 11월 30일")):
        page = build(tmp_path)[path]
        (code, shown, *_) = page.split("y = f(x)\n```", 1)[1].strip().split("\n\n", 2)
        assert code.startswith(
            '<div class="wiki-output"><pre>printed *this*&#10;and this</pre><svg'
        )
        assert code.endswith(f"<p>AMD EPYC 9V74 (CPU), {date}</p></div>")
        assert shown.startswith("!!! wiki-row passed")
        assert "stroke:currentColor" in code


def test_another_page_shows_what_was_drawn_only(tmp_path: Path) -> None:
    page = build(tmp_path, LAB.replace("lab: true\n", ""))["Lab.md"]
    assert "<svg class=" in page
    assert "printed" not in page


def test_what_several_machines_drew_is_told_apart(tmp_path: Path) -> None:
    page = build(tmp_path, cards=1)["Lab.md"]
    shown = page.split("y = f(x)\n```", 1)[1].strip().partition("\n\n")[0]
    first, _, second = shown.partition("</div>")
    assert "<p>NVIDIA H200, 30 Nov 2026</p>" in first
    assert second.startswith('<details class="wiki-output"><summary>AMD EPYC 9V74 (CPU), 30 Nov')
    assert first.count("<svg") == second.count("<svg") == 1


def test_what_code_drew_before_it_changed_is_not_shown(tmp_path: Path) -> None:
    tree = build(tmp_path, outdated=True)
    assert "<svg" not in tree["Lab.md"]
    assert "and this" not in tree["Lab.md"]
    assert "image/svg" not in tree["notebooks/Lab.ipynb"]
    assert "its outputs are left out" in tree["notebooks/Lab.ipynb"]


def test_a_notebook_on_the_site_has_formulas_and_figures_of_the_page(tmp_path: Path) -> None:
    data = base64.b64encode(SVG.encode()).decode()
    html = clean_notebook(
        f"<p>Of $x_1 &lt; 2$, US$5 or $6.</p><p>$$\na\n$$</p><code>$no$</code><pre>$x$ y $z$</pre>"
        f'<img alt="none" src="data:image/svg+xml;base64,{data}"/>',
        None,
        None,
    )
    assert html.count("<math") == 2
    assert "US$5 or $6." in html
    assert "<code>$no$</code><pre>$x$ y $z$</pre>" in html
    assert html.endswith("</svg>")
    assert "currentColor" in html


def test_headings_bear_the_ids_that_the_contents_lead_to() -> None:
    toc = [AnchorLink("실습", "_1", 1)]
    toc[0].children.append(AnchorLink("Graph", "graph", 2))
    html = '<h1 id="">실습</h1><h2 id="Graph">Graph</h2>'
    assert name_headings(html, toc) == '<h1 id="_1">실습</h1><h2 id="graph">Graph</h2>'
    assert name_headings(html, toc[0].children) == html


def test_zensical_shows_the_same(tmp_path: Path) -> None:
    build(tmp_path)
    page = notebook_page(tmp_path / "out" / "notebooks" / "Lab.ipynb")
    assert "<math" in page
    assert "$2 n^3$" not in page
    assert "<svg class=" in page
