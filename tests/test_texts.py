"""What a page shows below its code, held against what was printed."""

import pytest

from tests.support import make_snippets
from wiki_tools.probes import agrees


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        ("1 2\n3\n", "1 2\n3\n"),
        ("tensor([[1., 2.],\n        [3., 4.]])", "tensor([[1., 2.],\n    [3., 4.]])\n"),
        ("0.33", "0.3333333"),
        ("0.6931", "0.6932"),
        ("1e-3", "0.00104"),
        ("tensor([0.1, ..., 0.9])", "tensor([0.1, 0.2, 0.3, 0.9])"),
        ("<A object at 0x7f00>", "<A object at 0x55ab>"),
        ("...", "anything at all"),
        ("a ... b ... c", "a 1 b 2 b 3 c"),
        ("", "\n"),
        ("-0.5", "-0.498"),
    ],
)
def test_what_a_reader_calls_the_same_agrees(wanted: str, seen: str) -> None:
    assert agrees(wanted, seen)


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        ("3", "4"),
        ("3", "3.1"),
        ("0.33", "0.34"),
        ("1e99999999", "1e3"),
        ("torch.Size([2, 3])", "torch.Size([3, 2])"),
        ("a ... z", "a b c"),
        ("1 2", "1 2 3"),
        ("1 2 3", "1 2"),
        ("x1", "x2"),
        ("", "something"),
        ("-0.5", "0.5"),
    ],
)
def test_another_value_does_not_agree(wanted: str, seen: str) -> None:
    assert not agrees(wanted, seen)


def test_random_numbers_agree_where_their_form_does() -> None:
    assert agrees("tensor([0.1, 0.2])", "tensor([0.7, 0.9])", loose=True)
    assert not agrees("tensor([0.1, 0.2])", "tensor([0.7])", loose=True)
    assert not agrees("tensor([0.1])", "array([0.1])", loose=True)


def test_a_long_text_is_compared_in_linear_time() -> None:
    assert not agrees("a ... b a ... b z", "a b " * 20_000)


PAGE = "```python\n{code}\n```\n{between}```{language}\n{shown}\n```\n"


@pytest.mark.parametrize(
    ("code", "between", "language", "shown", "prints"),
    [
        ("print(1 + 1)", "\nOutput:\n\n", "", "2", "2\n"),
        ("print(1 + 1)", "\n**출력 결과**\n\n", "text", "2", "2\n"),
        ("print(1 + 1)", "\n> Out:\n\n", "", "2", "2\n"),
        ("1 + 1", "Result:\n\n", "", "2", "2\n"),
        ("print(1 + 1)", "", "output", "2", "2\n"),
        ("print(1 + 1)", "\n", "text", "# Output:\n2", "2\n"),
        # no word says that this is an output, or it may differ the next time
        ("print(1 + 1)", "\n", "", "2", None),
        ("print(1 + 1)", "\nThe output layer:\n\n", "", "2", None),
        ("print(1 + 1)", "\nOutput:\n\n", "sh", "2", None),
        ("x = 1 + 1", "\nOutput:\n\n", "", "2", None),
        ("import random\nprint(random.random())", "\nOutput:\n\n", "", "0.2", None),
        ("print(x.shape)", "\nOutput:\n\n", "", "torch.Size([2, 3])", None),
    ],
)
def test_what_a_page_calls_the_output_is_what_must_be_printed(
    code: str, between: str, language: str, shown: str, prints: str | None
) -> None:
    text = PAGE.format(code=code, between=between, language=language, shown=shown)
    assert make_snippets(text)[0].prints == prints


TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n'


@pytest.mark.parametrize(
    ("between", "language", "shown", "raises"),
    [
        ("", "", f"{TRACEBACK}ValueError: no", "ValueError"),
        ("\n", "python", f"{TRACEBACK}torch.cuda.OutOfMemoryError: no", "OutOfMemoryError"),
        (
            "\nRunning it fails:\n\n",
            "text",
            "ZeroDivisionError: division by zero",
            "ZeroDivisionError",
        ),
        ("\n", "", "ValueError: is what you may see\nwhen it is late", ""),
        (
            "\nA long way below, after a paragraph.\n\nAnd another.\n\n",
            "",
            f"{TRACEBACK}ValueError",
            "",
        ),
    ],
)
def test_a_traceback_below_is_what_must_be_raised(
    between: str, language: str, shown: str, raises: str
) -> None:
    text = PAGE.format(code="y = 1 / 0", between=between, language=language, shown=shown)
    assert make_snippets(text)[0].raises == raises


def test_what_is_guessed_need_not_raise() -> None:
    text = PAGE.format(code="y = x @ x", between="\n", language="", shown="RuntimeError: shapes")
    assert make_snippets(text)[0].raises == ""


def run_session(session: str) -> str:
    """Run a session's program as an interpreter would; gives what its check says."""
    program = make_snippets(f"```python\n{session}\n```\n")[0].programs[0]
    namespace: dict[str, object] = {"device": "cpu", "__name__": "__main__"}
    try:
        for cell in program.cells:
            exec(compile(cell.code, cell.path or "generated", "exec"), namespace)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "session",
    [
        ">>> 1 / 3\n0.333",
        ">>> [1,\n...  2]\n[1,   2]",
        ">>> list(range(100))\n[0, 1, ..., 99]",
        ">>> object()\n<object object at 0x7f0000000000>",
        ">>> import random\n>>> random.random()\n0.25",
        ">>> 1 / 0\nTraceback (most recent call last):\n...\nZeroDivisionError: division by zero",
    ],
)
def test_a_session_shows_what_a_reader_calls_the_same(session: str) -> None:
    assert run_session(session) == ""


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (">>> 1 / 3\n0.34", "line 2 printed 0.3333333333333333, the page says 0.34"),
        (">>> 1 + 1\n3", "line 2 printed 2, the page says 3"),
        (">>> [1, 2]\n[1, 2, 3]", "line 2 printed [1, 2], the page says [1, 2, 3]"),
        (">>> print(1)\n>>> print('a\\nb')\na\n", "line 2 printed 1, the page says nothing; "
         "line 3 printed 'a\\nb', the page says a"),
        (">>> x = 1\n2", "line 2 printed nothing, the page says 2"),
        (">>> 1 / 0\nTraceback (most recent call last):\nValueError: x", "line 2 raised "
         "ZeroDivisionError: division by zero, the page says ValueError: x"),
        (">>> 1\n2\n>>> 1 / 0\n3", "line 2 printed 1, the page says 2; "
         "line 4 raised ZeroDivisionError: division by zero, the page says 3"),
    ],
)  # fmt: skip
def test_a_session_that_shows_something_else_fails(session: str, said: str) -> None:
    assert run_session(session) == said


def test_numbers_drawn_at_random_are_still_numbers() -> None:
    assert "the page says 0.25" in run_session(">>> import random\n>>> [random.random()]\n0.25")


def test_an_earlier_session_provides_names() -> None:
    text = "```python\n>>> table = [1, 2]\n```\n## Next\n```python\ntotal = sum(table)\n```\n"
    assert make_snippets(text)[1].programs[0].context == {"table": "#s00"}
