"""A failure that comes of what was guessed is no failure of the page."""

import pytest

from tests.support import make_config, make_snippets
from wiki_tools.checks.snippets import find_incomplete_snippets
from wiki_tools.checks.types import Backing
from wiki_tools.protocol import Outcome, Status
from wiki_tools.snippets import Snippet, describe_missing, explain_guess, is_worth_trying
from wiki_tools.snippets.guesses import doubt
from wiki_tools.snippets.types import Missing

PAGE = "### Pattern 1\n```python\n{code}\n```\n"


def make(code: str) -> Snippet:
    return make_snippets(PAGE.format(code=code))[0]


def failed(message: str, line: int, file: str = "docs/page.md") -> Outcome:
    trace = f'Traceback (most recent call last):\n  File "{file}", line {line}, in <module>\n'
    return Outcome(
        snippet="s",
        status=Status.FAILED,
        message=message,
        path="docs/page.md",
        line=line,
        traceback=trace,
    )


@pytest.mark.parametrize(
    ("code", "message", "line", "blamed"),
    [
        ("y = x.encoder", "AttributeError: 'Tensor' object has no attribute", 3, ("x",)),
        ("y = x + 1\nz = y @ y", "RuntimeError: mat1 and mat2", 4, ("x",)),
        ("def f(): return x @ x\ny = f()", "RuntimeError: mat1 and mat2", 4, ("x",)),
        ("y = x + W\nz = 1 / 0", "RuntimeError: of its own", 4, ()),
        ("y = x * 1\ny = 2\nz = y[0]", "TypeError: not subscriptable", 5, ()),
        ("y = x + 1\ntorch.gone(y)", "AttributeError: module 'torch' has no attribute", 4, ()),
        ("assert x.sum() == 7", "AssertionError: the assertion does not hold", 3, ()),
        ("y = norm(x)", "AssertionError: a library's own", 3, None),
        ("a = torch.ones(2)\nb = a @ torch.ones(3)", "RuntimeError: size mismatch", 4, ()),
    ],
)
def test_what_is_made_of_a_guess_may_be_to_blame(
    code: str, message: str, line: int, blamed: tuple[str, ...] | None
) -> None:
    (program, *_) = make(code).programs
    assert doubt(program, failed(message, line)) == (("x",) if blamed is None else blamed)


def test_a_guess_that_does_not_fit_is_incomplete_and_said() -> None:
    (program, *_) = make("y = x.encoder").programs
    outcome = explain_guess(program, failed("AttributeError: no encoder", 3))
    assert outcome.status is Status.INCOMPLETE
    assert outcome.message == (
        "what was guessed for x does not fit: AttributeError: no encoder; "
        "define it in a setup fence or in snippets/fixtures/wiki.py"
    )


def test_a_failure_of_the_page_s_own_stays_one() -> None:
    (program, *_) = make("y = 1 / 0").programs
    outcome = failed("ZeroDivisionError: division by zero", 3)
    assert explain_guess(program, outcome) is outcome


def test_sizes_on_the_page_that_a_guess_does_not_have_are_no_failure() -> None:
    (program, *_) = make("y = x + 1  # (32, 64, 128)").programs
    message = "docs/page.md:3: y has shape (4, 512, 512), the page says (32, 64, 128)"
    assert doubt(program, failed(f"AssertionError: {message}", 3)) == ("x",)


def test_a_function_is_left_uncalled_only_where_a_guess_is_to_blame() -> None:
    called, *_, uncalled = make("def f(x): return x.encoder").programs
    assert uncalled.notes == ("line 3: f was defined and not called: no guess fits its parameters",)
    guess = failed("AttributeError: 'Tensor' object has no attribute", 1, "<drive>")
    assert is_worth_trying(uncalled, called, guess)
    gone = failed("AttributeError: module 'torch' has no attribute", 1, "<drive>")
    assert not is_worth_trying(uncalled, called, gone)


def test_what_an_earlier_fence_lacks_is_no_reason_to_skip_a_definition() -> None:
    text = PAGE.format(code="import nowhere_to_be_found\ntable = [1]")
    text += PAGE.format(code="def total(table): return sum(table)")
    called, *others = make_snippets(text)[1].programs
    reason = "needs nowhere_to_be_found, which is not installed"
    there = Outcome(snippet="s", status=Status.SKIPPED, message=reason, path="docs/page.md", line=3)
    assert [p for p in others if is_worth_trying(p, called, there) and not p.variant.driven]
    here = Outcome(snippet="s", status=Status.SKIPPED, message=reason, path="docs/page.md", line=8)
    assert not any(is_worth_trying(p, called, here) for p in others)


def test_all_that_stands_above_is_the_last_resort() -> None:
    text = (
        "### Pattern 1\n```python\ntable = [1]\n```\n"
        "### Pattern 2\n```python\ntable.append(2)\n```\n"
        "### Pattern 3\n```python\nassert table == [1, 2]\n```\n"
    )
    first, *_, last = make_snippets(text)[2].programs
    assert first.context == {"table": "#p01"}
    assert set(last.context.values()) == {"everything above"}
    assert last.variant.is_resort


def test_layers_say_how_large_their_input_is() -> None:
    snippet = make(
        "net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))\nnet(x)"
    )
    calls = [c.code for p in snippet.programs for c in p.cells if "x = _x" in c.code]
    assert any("D=784" in call.rpartition("\n")[2] for call in calls)


def test_a_class_of_the_page_says_it_by_what_it_is_made_with() -> None:
    snippet = make(
        "class Block(nn.Module):\n    def __init__(self, dim, heads=8):\n"
        "        super().__init__()\n        self.qkv = nn.Linear(dim, dim * 3)\n"
        "block = Block(256)\nblock.qkv(x)"
    )
    calls = [c.code for p in snippet.programs for c in p.cells if "x = _x" in c.code]
    assert any("D=256" in call.rpartition("\n")[2] for call in calls)


def test_no_digest_depends_on_a_last_resort() -> None:
    snippet = make("net = nn.Linear(784, 10)\nnet(x)")
    assert any(program.variant.sizes for program in snippet.programs)
    other = make("net = nn.Linear(784, 10)\nnet( x )")
    assert snippet.digest == other.digest


def test_what_nothing_provides_is_named_with_what_was_meant() -> None:
    missing = (Missing(name="lodaer", line=3, near="loader"), Missing(name="do_stuff", line=4))
    assert describe_missing(missing) == (
        "nothing provides lodaer (line 3, did you mean 'loader'?), do_stuff (line 4, a "
        "placeholder); define it in a setup fence or in snippets/fixtures/wiki.py"
    )


def test_a_name_of_the_page_is_what_was_meant() -> None:
    text = PAGE.format(code="quarterly = [1]") + PAGE.format(code="total = sum(quartely)")
    assert make_snippets(text)[1].programs[0].missing[0].near == "quarterly"


def test_a_check_tells_what_was_meant() -> None:
    text = PAGE.format(code="quarterly = [1]") + PAGE.format(code="total = sum(quartely)")
    (found,) = find_incomplete_snippets(Backing(config=make_config(), snippets=make_snippets(text)))
    assert (found.path, found.line) == ("page.md", 7)
    assert found.hint == "Did you mean 'quarterly'? Else define it."
