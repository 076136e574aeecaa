"""One change at a time, in the page's own code and nowhere else."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.reports import make_vault
from wiki_tools.cli import app
from wiki_tools.ledger import Ledger
from wiki_tools.protocol import Cell
from wiki_tools.snippets.mutants import find_mutants


def pattern(code: str) -> Cell:
    return Cell(role="pattern", code=code, path="page.md", line=10, timed=True)


def changes(code: str, most: int = 99) -> list[str]:
    return [m.after for m in find_mutants((pattern(code),), most)]


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("y = a + b", ["y = a - b"]),
        ("y = (a) * (b)", ["y = (a) / (b)"]),
        ("y = a ** b", ["y = a * b"]),
        ("y = a @ b", ["y = a * b"]),
        ("ok = a < b", ["ok = a >= b"]),
        ("ok = a < b < c", []),
        ("y = x.sum(dim=-1)", ["y = x.sum(dim=0)"]),
        ("y = x.sum(axis=0, keepdims=True)", ["y = x.sum(axis=-1, keepdims=True)",
                                              "y = x.sum(axis=0, keepdims=False)"]),
        ("y = x.sum(dim=(0, 1))", []),
        ("y = 3", ["y = 4"]),
        ("y = 0.5", ["y = 1.0"]),
        ("y = 0.0", ["y = 1.0"]),
        ("y = 1.7e308", ["y = 1.0"]),
        ("y = '합계', 2", ["y = '합계', 3"]),
        ("s = 'a' 'b'", []),
        ("y = f'{3:4}'", []),
        ("y = (a\n  + b)", []),
        ("def (", []),
    ],
)  # fmt: skip
def test_one_place_is_changed(code: str, changed: list[str]) -> None:
    assert changes(code) == changed


def test_a_change_is_told_with_its_line_on_the_page() -> None:
    (mutant,) = find_mutants((pattern("x = f()\n\ny = x - z"),))
    assert (mutant.path, mutant.line, mutant.kind) == ("page.md", 12, "operator")
    assert (mutant.before, mutant.after) == ("y = x - z", "y = x + z")


def test_checks_and_fixtures_stay_as_they_are() -> None:
    fixture = Cell(role="fixture", code="x = 1 + 1")
    check = Cell(role="check", code="assert y == 3")
    (mutant,) = find_mutants((fixture, pattern("y = x - z"), check))
    assert (mutant.cells[0], mutant.cells[2]) == (fixture, check)


def test_of_many_changes_the_same_few_are_drawn_of_each_kind() -> None:
    code = "\n".join(f"y = {n}" for n in range(50)) + "\nz = a + b\nw = x.sum(dim=1)"
    drawn = changes(code, 6)
    assert len(drawn) == 6
    assert drawn == changes(code, 6)
    assert "z = a - b" in drawn
    assert "w = x.sum(dim=0)" in drawn


NAMES = st.sampled_from(["a", "b1", "값", "x.y", "f(2, dim=1)", "(3 + c)", "-1.5", "True"])


@given(st.lists(st.tuples(NAMES, st.sampled_from("+-*/%<>"), NAMES), min_size=1, max_size=5))
def test_every_mutant_is_python_and_another_program(rows: list[tuple[str, str, str]]) -> None:
    code = "\n".join(f"r{i} = {a} {op} {b}" for i, (a, op, b) in enumerate(rows))
    seen = set()
    for mutant in find_mutants((pattern(code),), 999):
        (cell,) = mutant.cells
        assert ast.dump(ast.parse(cell.code)) != ast.dump(ast.parse(code))
        seen.add(cell.code)
    assert len(seen) == len(find_mutants((pattern(code),), 999))


# What notices them

CHECKED = """\
---
id: a
---
# A

### Pattern 1 — Checked
```python
y = [n * n for n in (2, 3)]
```
```python check
assert y == [4, 9]
```

### Pattern 2 — Unchecked
```python
y = 2 + 3
```

### Pattern 3 — Nothing to change
```python
y = "a"
```
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    make_vault(tmp_path, {"a.md": CHECKED})
    return tmp_path


def verify(vault: Path, *arguments: str) -> str:
    command = ["verify", "--docs", str(vault / "docs"), "--mutate", "--no-cache", *arguments]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output + repr(done.exception)
    return done.stdout


def test_a_change_that_no_check_notices_is_told_at_its_line(vault: Path) -> None:
    text = verify(vault)
    assert "docs/a.md:16: no check notices `y = 2 + 3` to `y = 2 - 3`" in text
    assert "docs/a.md:8" not in text
    assert "6 changes in 2 patterns: 3 noticed (50%). 1 pattern not tried." in text
    assert "docs/a.md:21: not tried: nothing in it is an operator, a comparison, " in text


def test_what_no_check_notices_is_data_too(vault: Path) -> None:
    document = json.loads(verify(vault, "--format", "json"))
    checked, unchecked = document["mutants"]
    assert [row["snippet"] for row in document["untried"]] == ["a#p03"]
    assert (checked["tried"], checked["unnoticed"]) == (3, [])
    assert unchecked["unnoticed"][0] == {
        "line": 16,
        "kind": "operator",
        "before": "y = 2 + 3",
        "after": "y = 2 - 3",
    }


def test_a_mutant_leaves_no_evidence(vault: Path) -> None:
    verify(vault)
    rows = Ledger.read(vault / "evidence").evidence["local"]
    assert set(rows) == {"a#p01", "a#p02", "a#p03"}
