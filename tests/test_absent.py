"""What a machine lacks is no failure of the page, and is said."""

import pytest

from tests.support import make_snippet
from wiki_tools.protocol import Cell, Job, Status
from wiki_tools.worker.child import run_program


def outcome_of(code: str, tmp_path: object) -> tuple[Status, str]:
    cells = (Cell(role="pattern", code=code, path="docs/page.md", line=3),)
    outcome = run_program(Job(snippet="s", cells=cells), str(tmp_path), lambda _index: None)
    assert outcome.line >= 3
    return outcome.status, outcome.message


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("open('data.csv')", "needs the file data.csv, which is not here"),
        ("import os\nos.listdir('photos')", "needs the file photos, which is not here"),
        (
            "import subprocess\nsubprocess.run(['a-program-of-mine'])",
            "needs the program a-program-of-mine, which is not installed",
        ),
        (
            "import os\nos.environ['LOCAL_RANK']",
            "needs the environment variable LOCAL_RANK, which snippets do not see: "
            "set it in a setup",
        ),
        (
            "import os\ndel os.environ['PATH']\nos.environ['PATH']",
            "needs the environment variable PATH, which is not set (--all tries again)",
        ),
        (
            "import socket\nraise socket.gaierror(-3, 'no name')",
            "needs the network, and there was none (--all tries again)",
        ),
        (
            "from urllib.request import urlopen\nurlopen('http://127.0.0.1:9/')",
            "needs the network, and there was none (--all tries again)",
        ),
        (
            "model = ...\nmodel.parameters()",
            "a placeholder: `...` stands for what the page leaves out",
        ),
        ("get_ipython = lambda: None\nget_ipython().kernel", "needs a notebook"),
        (
            "exec(compile('from itertools import of_a_later_version', '/library.py', 'exec'))",
            "needs another version of Python: cannot import name 'of_a_later_version' from "
            "'itertools'",
        ),
        ("import nowhere_to_be_found", "needs nowhere_to_be_found, which is not installed"),
    ],
)
def test_what_is_not_here_is_skipped_with_its_name(
    code: str, reason: str, tmp_path: object
) -> None:
    assert outcome_of(code, tmp_path) == (Status.SKIPPED, reason)


@pytest.mark.parametrize(
    "code",
    [
        "raise FileNotFoundError('made up')",
        "raise ConnectionError('made up')",
        "raise RuntimeError('Default process group has not been initialized')",
        "{}['LOCAL_RANK']",
    ],
)
def test_what_the_page_raises_itself_is_its_failure(code: str, tmp_path: object) -> None:
    assert outcome_of(code, tmp_path)[0] is Status.FAILED


def test_a_name_that_only_the_run_finds_missing_is_incomplete(tmp_path: object) -> None:
    code = "counter = 1\nexec('total = countr')"
    status, message = outcome_of(code, tmp_path)
    assert status is Status.INCOMPLETE
    assert message.startswith("nothing provides countr: did you mean 'counter'?")


def test_a_question_to_nobody_is_said(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(_prompt: str = "") -> str:
        raise EOFError("EOF when reading a line")

    monkeypatch.setattr("builtins.input", ask)
    status, message = outcome_of("name = input()", tmp_path)
    assert status is Status.FAILED
    assert message.endswith("it asks for input, and nobody answers")


def test_an_excerpt_of_a_method_is_named() -> None:
    assert make_snippet("q = self.W_q(x)").skip == "line 3: an excerpt of a method (`self`)"
