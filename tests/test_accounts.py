"""Every fence of every page is accounted for, and what runs may not silently become less."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.reports import make_vault
from tests.support import FakeExecutor, make_outcome, make_page
from tests.test_runner import HERE
from wiki_tools.cli import app
from wiki_tools.config import read_config
from wiki_tools.ledger import LOCAL, Account, Evidence, Ledger, write_evidence
from wiki_tools.pages import read_pages
from wiki_tools.report import (
    Fewer,
    PageAccount,
    account_pages,
    find_fewer,
    known_accounts,
    totals,
)
from wiki_tools.report.accounts import FenceAccount, unowned
from wiki_tools.report.summary import code_span
from wiki_tools.report.words import fence_totals
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import extract_all

PAGE = """\
---
id: a
---
```python setup
base = 2
```
### Pattern 1
``` python
y = base + 1
```
```python check
assert y == 3
```
### Pattern 2
```python no-run
launch()
```
### Pattern 3
```python
print(nobody_knows)
```
### Pattern 4
```python needs=cuda
z = 1
```
### Pattern 5
```python
return base
```
### Others
```bash
make
```
```text
import torch
x = torch.ones(2)
```
```
def f():
    return 1
```
~~~py3
what
"""


def verified(root: Path, text: str = PAGE) -> tuple[PageAccount, ...]:
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / "a.md").write_text(text, encoding="utf-8")
    config = read_config(root / "docs")
    pages = read_pages(config)
    snippets = extract_all(config, pages)
    executor = FakeExecutor(make_outcome)
    verifier = Verifier(config=config, environment=HERE, folder=LOCAL, executor=executor)
    verifier.verify(snippets, Ledger.read(config.evidence))
    return account_pages(pages, snippets, Ledger.read(config.evidence).evidence[LOCAL])


def test_every_fence_ran_or_says_why_not(tmp_path: Path) -> None:
    accounts = verified(tmp_path)
    (page,) = accounts
    assert [(fence.line, fence.place, fence.reason) for fence in page.fences] == [
        (5, "setup", ""),
        (9, "p01", ""),
        (12, "p01", ""),
        (16, "p02", "no-run"),
        (20, "p03", "incomplete"),
        (24, "p04", "needs a CUDA device"),
        (28, "p05", "an excerpt of a function"),
        (32, "", "not Python"),
        (35, "", "Python labelled text"),
        (39, "", "Python without a label"),
        (43, "", "not Python"),
    ]
    ran, reasons = totals(accounts)
    assert ran == 3
    assert reasons.total() == 8
    assert page.short() == Account(fences=11, ran={"p01": 2, "setup": 1})
    assert "nobody_knows (line 20)" in page.fences[4].message


@pytest.mark.parametrize(
    ("fence", "reason"),
    [
        ("```json\n{}\n```", "not Python"),
        ("```pyhton\nimport os\n```", "Python labelled pyhton"),
        ("```console\n>>> 1 + 1\n2\n```", "Python labelled console"),
        ("```text\nimport everything you know\n```", "not Python"),
        ("```python setup\nx = 1\n```", "set-up that nothing takes in"),
        ("```text out\n3\n```", "output of nothing"),
    ],
)
def test_what_no_snippet_has_says_what_it_is(fence: str, reason: str) -> None:
    (found,) = make_page(fence).markup.fences
    assert unowned(found) == reason


def fewer(page: tuple[PageAccount, ...], before: Mapping[str, Account]) -> list[Fewer]:
    return list(find_fewer(page, before))


BEFORE = {"a": Account(fences=11, ran={"p01": 2, "setup": 1})}


def test_as_many_as_before_is_well(tmp_path: Path) -> None:
    assert fewer(verified(tmp_path), BEFORE) == []
    assert fewer(verified(tmp_path), {}) == []


def test_a_fence_that_runs_no_more_is_named_with_its_reason(tmp_path: Path) -> None:
    accounts = verified(tmp_path, PAGE.replace("``` python\n", "``` python needs=cuda\n"))
    found = fewer(accounts, BEFORE)
    assert [(row.path, row.line, row.gone) for row in found] == [
        ("a.md", 9, False),
        ("a.md", 12, False),
        ("a.md", 5, False),
    ]
    assert found[0].message == "#p01 ran before, and does not now: needs a CUDA device"


def test_a_fence_under_another_label_is_missed(tmp_path: Path) -> None:
    accounts = verified(tmp_path, PAGE.replace("```python check", "```text"))
    (found,) = fewer(accounts, BEFORE)
    assert "#p01 ran before, and nothing on the page is it now" in found.message
    assert not found.gone


def test_a_fence_that_left_its_page_is_said_and_accepted(tmp_path: Path) -> None:
    accounts = verified(tmp_path, PAGE.replace("```python check\nassert y == 3\n```\n", ""))
    (found,) = fewer(accounts, BEFORE)
    assert found.gone
    assert found.message == "1 of its fences is no longer on the page"


def test_a_fence_that_left_hides_no_other_that_stopped(tmp_path: Path) -> None:
    text = PAGE.replace("```python check\nassert y == 3\n```\n", "")
    accounts = verified(tmp_path, text.replace("``` python\n", "``` python no-run\n"))
    found = fewer(accounts, BEFORE)
    assert [row.gone for row in found] == [True, False, False]


def test_a_renumbered_pattern_is_no_loss(tmp_path: Path) -> None:
    accounts = verified(tmp_path, PAGE.replace("### Pattern 1\n", "### Pattern 9\n"))
    assert fewer(accounts, BEFORE) == []


def test_of_version_1_the_patterns_are_known(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    accounts = verified(tmp_path)
    rows = list(Ledger.read(evidence).evidence[LOCAL].values())
    write_evidence(evidence, "recorded", "a", rows)
    known = known_accounts(Ledger.read(evidence), LOCAL, HERE)
    assert known == {"a": Account(fences=0, ran={"p01": 1})}
    assert fewer(accounts, known) == []
    accounts = verified(tmp_path, PAGE.replace("``` python\n", "```python no-run\n"))
    assert {row.line for row in fewer(accounts, known)} == {9, 12}
    gone = PAGE.replace("``` python\ny = base + 1\n```\n", "").replace("check\n", "out\n", 1)
    assert all(row.gone for row in fewer(verified(tmp_path, gone), known))


def test_what_is_committed_counts_before_what_this_machine_saw(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    verified(tmp_path)
    local: list[Evidence] = list(Ledger.read(evidence).evidence[LOCAL].values())
    assert set(known_accounts(Ledger.read(evidence), LOCAL, HERE)) == {"a"}
    other = [row for row in local if row.snippet.endswith("p02")]
    write_evidence(evidence, "committed", "a", other)
    assert known_accounts(Ledger.read(evidence), LOCAL, HERE)["a"].ran == {}


def test_a_reason_that_a_page_words_steers_neither_a_log_nor_a_summary() -> None:
    reason = "needs <b>|\n::error::\x1b[2J"
    fence = FenceAccount(line=1, place="p01", reason=reason, message=reason)
    account = PageAccount(path="a.md", key="a", fences=(fence,))
    told = fence_totals([account])
    assert "\n" not in told
    assert "\x1b" not in told
    assert "1 `needs <b>| ::error::\\x1b[2J`." in fence_totals([account], code_span)


def test_evidence_that_cannot_be_read_lets_nothing_become_fewer(tmp_path: Path) -> None:
    make_vault(tmp_path, {"a.md": "```python\nassert 1\n```\n"})
    command = ["verify", "--docs", str(tmp_path / "docs"), "--no-fewer", "--no-cache"]
    assert CliRunner().invoke(app, command).exit_code == 0
    (file,) = (tmp_path / "evidence").rglob("*.json")
    file.write_text(file.read_text("utf-8")[:100], "utf-8")
    done = CliRunner().invoke(app, command)
    assert "--no-fewer: evidence that cannot be read" in str(done.exception)
