"""What a fence is taken for, and that knowing it faster changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.casefiles import Case, read_cases
from wiki_tools.code import compile_error, find_kind, is_plain
from wiki_tools.markup import is_runnable, parse_markup


@pytest.mark.parametrize("case", read_cases("kinds"), ids=lambda case: case.title)
def test_kinds(case: Case) -> None:
    lines = []
    for fence in parse_markup(case.text).fences:
        if is_runnable(fence):
            kind = find_kind(fence.code, fence.role, fence.line)
            said = kind.skip or ("session" if kind.session else "code")
            lines.append(f"{fence.span.line}: {said}" + (f" ~ {kind.note}" if kind.note else ""))
    assert lines == case.expected


PIECES = [
    "1", "7", "12", "0", "07", "1_0", "1e5", "1.5", "2j", "0x1", "५", "999999999999999999",
    " ", "\n", "\n    ", "\\\n", "x", "·", "한", "=", "==", "+", "-", ",", ":", ".", "(", ")",
    "[", "]", "{", "}", '"', "'", '"""', "f'{", "}'", "!r", ":>", "\\", "\\x", "\\u", "\\U",
    "\\N{DIGIT ", "b'", "#", "if ", "if", "for x in ", "def f(", "return ", "del ", "global ",
    "nonlocal ", "lambda ", "match x:", "\n    case {", "case ", "|", "True", "*", "**", "%", "...",
    "import x", "from . import ", "await ", "async ", "@", ";", "~", "->", ":=", "print(",
]  # fmt: skip
CODE = [
    "x = {}\n", "f({}, {})\n", "'{} a'\n", "f'{{x:{}}} {}'\n", "x[{}:{}]\n", "if {}: pass\n",
    "'\\x{}'\n", "'\\u00{}'\n", "'\\N{{DIGIT {}}}'\n", "'\\{}'\n", "x{} = {}\n", "{}.real\n",
    "match x:\n    case {{{}: a, {}: b}}: pass\n", "def f(a={}):\n    return {}\n", "{} = {}\n",
    "{}if x else {}\n", "# {}\n", "x = ({}\n", "global x{}\n", "b'\\x{}'\n", "{}_{}\n", "{}{}\n",
    "def f(·{}, ·{}): pass\n", "'\\U0000{}'\n", "{}jx\n", "x.{}\n", "print {}\n", "{} {}\n",
]  # fmt: skip
numbers = st.one_of(
    st.integers(0, 10**16).map(str), st.sampled_from(["00", "01", "1e3", "1.", "041", "41", "one"])
)
rows = st.builds(lambda row, a, b: row.format(a, b), st.sampled_from(CODE), numbers, numbers)
codes = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.lists(rows, max_size=4).map("".join),
)


@settings(max_examples=500)
@given(codes)
def test_what_is_taken_for_plain_compiles(code: str) -> None:
    if is_plain(code):
        assert compile_error(code) is None
        assert find_kind(code).code == code


@given(codes, st.integers(1, 10**14), st.integers(1, 10**14))
def test_another_number_makes_no_other_kind(code: str, one: int, other: int) -> None:
    text = code.replace("7", str(one))
    if is_plain(text):
        assert compile_error(text) is None
    changed = code.replace("7", str(other))
    if is_plain(changed):
        assert compile_error(changed) is None


@pytest.mark.parametrize(
    "code",
    ["x = 1\n", "x = 12\ny = 'a 3'\n", "\n", "", "class A:\n\n    x = 1\n", "x = y + 100  # 5\n"],
)
def test_usual_code_is_plain(code: str) -> None:
    assert is_plain(code) == (code != "\n")


@pytest.mark.parametrize(
    "code", ["x = Net(...)\n", ">>> x\n", "    x = 1\n", "x = = 1\n", "ls -l\n"]
)
def test_what_needs_a_closer_look_is_not_plain(code: str) -> None:
    assert not is_plain(code)


@pytest.mark.parametrize(
    "text",
    ["\n-" * 9_000, "$ " * 50_000, "A=" * 50_000, "'" * 50_001, "File " * 20_000, "(" * 50_000,
     "1 " * 50_000, "a." * 50_000, "a.\n" * 50_000, " " * 50_000, "\n ?" * 20_000],
    ids=lambda text: text[:4],
)  # fmt: skip
def test_no_text_takes_quadratic_time(text: str) -> None:
    find_kind(text)
