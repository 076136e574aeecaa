"""What makes a snippet run again, and what does not: caches elsewhere err on both sides."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.support import FakeExecutor, make_outcome
from tests.test_runner import HERE, Answers
from wiki_tools import environment
from wiki_tools.config import Config, read_config
from wiki_tools.environment import Environment, resolve_versions
from wiki_tools.ledger import LOCAL, Ledger, write_evidence
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Job, Outcome, Status
from wiki_tools.runner import changed
from wiki_tools.runner.changed import count_aged
from wiki_tools.runner.moment import now
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import extract_all
from wiki_tools.worker.absent import FILE, NETWORK, PROGRAM, lacked

PAGE = """\
---
id: a
tags: [one]
---
# A

Prose.

### Pattern 1
```python timeout=5
import helper
import numpy as np

total = helper.double(np.ones(2))  # doubled
```

### Pattern 2
```python
y = x.reshape(2, 4)  # (2, 4)
```

### Pattern 3
```python needs=absent
z = 1
```
"""
FIXTURES = """\
import numpy as np


def x():
    return np.arange(8)  # what p02 takes


def unused():
    return 1
"""


@dataclass(slots=True, kw_only=True)
class Machine:
    """A vault, and what lies around it."""

    root: Path
    environment: Environment = HERE
    versions: dict[str, str] = field(default_factory=lambda: {"numpy": "2.4.6", "python": "3.11"})
    settings: dict[str, float] = field(default_factory=dict)
    answers: Answers = make_outcome
    oldest: str = ""

    def resolve(self, packages: tuple[str, ...]) -> Mapping[str, str]:
        return {name: self.versions.get(name, "") for name in (*packages, "python")}

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def config(self) -> Config:
        return replace(read_config(self.root / "docs"), **self.settings)  # type: ignore[arg-type]

    def ran(self) -> list[str]:
        """Verify, and say which snippets ran or were found not to."""
        config = self.config()
        verifier = Verifier(
            config=config,
            environment=self.environment,
            folder=LOCAL,
            executor=FakeExecutor(self.answers),
            resolve=self.resolve,
            oldest=self.oldest,
        )
        snippets = extract_all(config, read_pages(config))
        return list(verifier.verify(snippets, Ledger.read(config.evidence)).ran)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(root=tmp_path)
    made.write("docs/a.md", PAGE)
    made.write("docs/helper.py", "from deeper.inside import half\n\ndouble = 2\n")
    made.write("docs/deeper/__init__.py", "")
    made.write("docs/deeper/inside.py", "half = 0.5  # of one\n")
    made.write("snippets/fixtures/wiki.py", FIXTURES)
    assert made.ran() == ["a#p01", "a#p02", "a#p03"]
    return made


NOTHING: dict[str, tuple[str, str, str]] = {
    "a tag": ("docs/a.md", "tags: [one]", "tags: [one, two]"),
    "prose": ("docs/a.md", "Prose.", "Other prose.\n\nAnd more."),
    "a title": ("docs/a.md", "# A\n", "# Another title\n"),
    "a heading": ("docs/a.md", "### Pattern 2", "### Pattern 2 — reshaped"),
    "a comment": ("docs/a.md", "# doubled", "# twice as much"),
    "layout": ("docs/a.md", "y = x.reshape(2, 4)", "\n\ny  =  x.reshape( 2,4 )"),
    "a claim": ("docs/a.md", "```python timeout=5", "```python timeout=5 speedup=2"),
    "a timeout": ("docs/a.md", "timeout=5", "timeout=50"),
    "a comment of a module": ("docs/deeper/inside.py", "# of one", "# of two"),
    "a comment of a fixture": ("snippets/fixtures/wiki.py", "# what p02 takes", "# taken"),
    "a fixture that nothing takes": ("snippets/fixtures/wiki.py", "return 1", "return 2"),
}


@pytest.mark.parametrize("what", NOTHING)
def test_what_decides_nothing_runs_nothing(machine: Machine, what: str) -> None:
    machine.edit(*NOTHING[what])
    assert machine.ran() == []


SOMETHING: dict[str, tuple[str, str, str, str]] = {
    "code": ("docs/a.md", "np.ones(2)", "np.ones(3)", "a#p01"),
    "a module beside the page": ("docs/helper.py", "double = 2", "double = 3", "a#p01"),
    "what a module imports": ("docs/deeper/inside.py", "0.5", "0.25", "a#p01"),
    "a fixture": ("snippets/fixtures/wiki.py", "arange(8)", "ones(8)", "a#p02"),
    "a shape comment": ("docs/a.md", "# (2, 4)", "# (4, 2)", "a#p02"),
    "what must be raised": ("docs/a.md", "timeout=5", "timeout=5 raises=TypeError", "a#p01"),
    "a need": ("docs/a.md", "needs=absent", "needs=numpy", "a#p03"),
}


@pytest.mark.parametrize("what", SOMETHING)
def test_what_decides_a_snippet_runs_it_and_no_other(machine: Machine, what: str) -> None:
    path, old, new, snippet = SOMETHING[what]
    machine.edit(path, old, new)
    assert machine.ran() == [snippet]
    assert machine.ran() == []


def test_a_module_that_appears_is_seen(machine: Machine) -> None:
    machine.edit("docs/a.md", "import helper", "import other as helper")
    assert machine.ran() == ["a#p01"]
    machine.write("snippets/other.py", "double = 4\n")
    assert machine.ran() == ["a#p01"]
    machine.write("docs/other/part.py", "")
    assert machine.ran() == ["a#p01"]
    assert machine.ran() == []


def test_another_version_of_what_is_imported_runs_it(machine: Machine) -> None:
    machine.versions["numpy"] = "2.5.0"
    assert machine.ran() == ["a#p01", "a#p02"]
    machine.versions["elsewhere"] = "1"
    assert machine.ran() == []


def test_a_package_that_bears_a_modules_name_counts_as_well(machine: Machine) -> None:
    machine.versions["helper"] = "1.0"
    assert machine.ran() == ["a#p01"]


def test_what_was_skipped_for_a_package_runs_once_that_is_there(machine: Machine) -> None:
    machine.versions["absent"] = "1.0"
    assert machine.ran() == ["a#p03"]


@pytest.mark.parametrize("kind", ["file", "program"])
def test_what_was_skipped_for_a_file_or_a_program_runs_once_that_has_come(
    machine: Machine, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = machine.root / "bin" / "late"
    monkeypatch.setenv("PATH", f"{place.parent}:/bin")
    reason = FILE.format(place) if kind == "file" else PROGRAM.format("late")

    def skips(job: Job) -> Outcome:
        return Outcome(snippet=job.snippet, status=Status.SKIPPED, message=reason)

    machine.answers = skips
    machine.edit("docs/a.md", "(2, 4)\n", "(2, 4)\ny\n")
    assert machine.ran() == ["a#p02"]
    assert machine.ran() == []
    monkeypatch.setattr(changed, "moment_of", lambda _text: time.time())
    machine.write("bin/late", "#!/bin/sh\n")
    place.chmod(0o755)
    assert machine.ran() == [], "it was there when the snippet ran, and kept from it"
    monkeypatch.setattr(changed, "moment_of", lambda _text: time.time() - 60)
    assert machine.ran() == ["a#p02"]


def test_a_relative_file_never_comes() -> None:
    assert lacked(FILE.format("data.csv")) == ("", "")
    assert lacked(FILE.format("/data.csv")) == ("file", "/data.csv")
    assert lacked(PROGRAM.format("ffmpeg")) == ("program", "ffmpeg")
    assert lacked(NETWORK) == ("", "")


def test_what_a_module_showed_that_was_edited_meanwhile_is_not_kept(machine: Machine) -> None:
    def edits(job: Job) -> Outcome:
        if job.snippet == "a#p01":
            machine.write("docs/deeper/inside.py", "half = 0.25\n")
        return make_outcome(job)

    machine.edit("docs/helper.py", "double = 2", "double = 3")
    machine.answers = edits
    assert machine.ran() == ["a#p01"]
    assert "a#p01" not in fresh(machine), "it may have imported either"
    assert machine.ran() == ["a#p01"]
    assert "a#p01" in fresh(machine)
    assert machine.ran() == []


def fresh(machine: Machine) -> set[str]:
    """The snippets whose evidence speaks of what they are now."""
    config = machine.config()
    rows = Ledger.read(config.evidence).evidence[LOCAL]
    snippets = extract_all(config, read_pages(config))
    return {s.id for s in snippets if s.id in rows and rows[s.id].digest == s.digest}


def test_another_python_runs_everything(machine: Machine) -> None:
    machine.versions["python"] = "3.12"
    assert len(machine.ran()) == 3


def test_another_device_runs_everything(machine: Machine) -> None:
    machine.environment = replace(HERE, device="cuda", device_name="Card")
    assert len(machine.ran()) == 3
    assert machine.ran() == []


def measured(root: Path) -> list[str]:
    rows = Ledger.read(root / "evidence").evidence[LOCAL]
    return [name for name, row in rows.items() if row.measured]


def test_other_hardware_measures_again_and_leaves_alone_what_has_no_ratio(tmp_path: Path) -> None:
    machine = Machine(root=tmp_path)
    pair = "```python\nz = 1\n```\n```python baseline\nz = 1 + 0\n```\n"
    machine.write("docs/a.md", f"---\nid: a\n---\n### Pattern 1\n{pair}### Pattern 2\n{pair[:20]}")
    machine.ran()
    assert measured(tmp_path) == ["a#p01"]
    machine.environment = replace(HERE, processor="Other(R) CPU 7", device_name="Other(R) CPU 7")
    assert machine.ran() == ["a#p01"]
    assert measured(tmp_path) == ["a#p01"]
    assert machine.ran() == []


@pytest.mark.parametrize(
    ("status", "setting", "runs"),
    [
        (Status.TIMED_OUT, {"timeout": 90.0}, True),
        (Status.TIMED_OUT, {"timeout": 30.0}, False),
        (Status.TIMED_OUT, {"memory": 9.0}, True),
        (Status.CRASHED, {"memory": 9.0}, True),
        (Status.FAILED, {"memory": 9.0}, True),
        (Status.FAILED, {"timeout": 90.0}, False),
        (Status.PASSED, {"timeout": 90.0}, False),
        (Status.PASSED, {"memory": 9.0}, False),
    ],
)
def test_a_limit_counts_where_it_may_have_ended_a_run(
    tmp_path: Path, status: Status, setting: dict[str, float], runs: bool
) -> None:
    def answer(job: Job) -> Outcome:
        return make_outcome(job, status)

    machine = Machine(root=tmp_path, answers=answer)
    machine.write("docs/a.md", "---\nid: a\n---\n```python\nz = 1\n```\n")
    machine.ran()
    machine.settings = setting
    assert bool(machine.ran()) is runs


def test_versions_are_found_without_importing() -> None:
    found = resolve_versions(("jax", "no_such_package", "numpy", "yaml"))
    assert set(found) == {"jax", "jaxlib", "no_such_package", "numpy", "python", "yaml"}
    assert found["no_such_package"] == ""
    assert found["numpy"][0].isdigit()
    assert found["yaml"][0].isdigit()


def test_what_lies_in_the_current_folder_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside_us.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert resolve_versions(("beside_us",))["beside_us"].startswith("of ")
    resolve_versions.cache_clear()
    environment._module_version.cache_clear()
    monkeypatch.chdir(tmp_path)
    assert resolve_versions(("beside_us",))["beside_us"] == ""


def test_a_job_says_how_long_it_took_and_where_its_modules_lie(machine: Machine) -> None:
    def answer(job: Job) -> Outcome:
        jobs.append(job)
        return replace(make_outcome(job), seconds=1.5)

    jobs: list[Job] = []
    machine.answers = answer
    for old, new in (("np.ones(2)", "np.ones(3)"), ("np.ones(3)", "np.ones(4)")):
        machine.edit("docs/a.md", old, new)
        machine.ran()
    docs = machine.root / "docs"
    assert [job.expected for job in jobs] == [0.0, 1.5]
    assert jobs[0].folders == (str(docs), str(machine.root / "snippets"))


def test_what_is_aged_is_measured_again_only_when_asked(tmp_path: Path) -> None:
    machine = Machine(root=tmp_path)
    pair = "```python\nz = 1\n```\n```python baseline\nz = 1 + 0\n```\n"
    machine.write("docs/a.md", f"---\nid: a\n---\n### Pattern 1\n{pair}")
    machine.ran()
    before = Ledger.read(tmp_path / "evidence").evidence[LOCAL]["a#p01"]
    old = replace(before.measured[0], recorded="2001-01-01T00:00:00Z")
    write_evidence(tmp_path / "evidence", LOCAL, "a", [replace(before, measured=(old,))])
    assert machine.ran() == ["a#p01-baseline"]  # it has no row in that file
    assert Ledger.read(tmp_path / "evidence").evidence[LOCAL]["a#p01"].measured == (old,)
    assert count_aged([replace(before, measured=(old,))], now(days_ago=365)) == 1
    machine.oldest = now(days_ago=365)
    assert machine.ran() == []
    (new,) = Ledger.read(tmp_path / "evidence").evidence[LOCAL]["a#p01"].measured
    assert (new.digest, new.recorded > machine.oldest) == (old.digest, True)
    assert now(days_ago=10**6) == ""


def test_another_compiler_runs_what_was_skipped(machine: Machine) -> None:
    machine.environment = replace(machine.environment, compiler="g++ 12.2")
    assert machine.ran() == ["a#p03"]
    assert machine.ran() == []
