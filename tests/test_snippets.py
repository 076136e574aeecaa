"""Extraction: identity, context, devices, assertions, digests, files."""

import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.casefiles import Case, read_cases
from tests.support import (
    make_config,
    make_page,
    make_snippet,
    make_snippets,
    seed_snippets,
)
from wiki_tools.errors import ConfigError
from wiki_tools.protocol import Cell
from wiki_tools.snippets import (
    Program,
    Snippet,
    complete,
    extract_all,
    extract_snippets,
    share_statements,
)
from wiki_tools.snippets.assertions import parse_shape
from wiki_tools.snippets.devices import retarget
from wiki_tools.snippets.edits import Edit, apply_edits
from wiki_tools.snippets.names import find_names


def described(snippet: Snippet) -> str:
    program = snippet.programs[0]
    parts = [snippet.id.partition("#")[2], snippet.role]
    parts.append("; ".join(f"{k}: {v}" for k, v in program.context.items() if v != "import"))
    parts += [f"! {missing.name}:{missing.line}" for missing in program.missing]
    parts += [f"~ {note}" for note in program.notes]
    parts.append(f"skip: {snippet.skip}" if snippet.skip else "")
    return " ".join(part for part in parts if part)


@pytest.mark.parametrize("case", read_cases("context"), ids=lambda case: case.title)
def test_context(case: Case) -> None:
    assert [described(s) for s in make_snippets(case.text)] == case.expected


def run(program: Program, device: str = "cpu") -> dict[str, object]:
    """Run a program's cells as an interpreter would; needs no worker."""
    namespace: dict[str, object] = {"device": device, "__name__": "__main__"}
    for cell in program.cells:
        lines = "\n" * (cell.line - 1) + cell.code
        exec(compile(lines, cell.path or "generated", "exec"), namespace)
    return namespace


def roles(snippet: Snippet, index: int = 0) -> list[str]:
    return [cell.role for cell in snippet.programs[index].cells]


def cells(snippet: Snippet, role: str) -> list[Cell]:
    return [cell for cell in snippet.programs[0].cells if cell.role == role]


# ------------------------------------------------------------------------ the seed


def test_the_seed_has_eight_patterns_that_lack_nothing() -> None:
    snippets = seed_snippets()
    assert [s.id.partition("#")[2] for s in snippets] == [f"p0{n}" for n in range(1, 9)]
    assert all(not s.skip and not s.programs[0].missing for s in snippets)
    assert {s.page for s in snippets} == {"wiki-2026-0508-matrix-operations-and-ai"}


def test_the_seed_names_a_card_in_patterns_1_and_4() -> None:
    assert [n for n, s in enumerate(seed_snippets(), 1) if s.programs[0].retargeted] == [1, 4]


def test_the_seed_keeps_the_lines_of_the_page() -> None:
    for snippet in seed_snippets():
        (cell,) = cells(snippet, "pattern")
        assert cell.line == snippet.fence.line
        assert cell.code.count("\n") == snippet.fence.code.rstrip("\n").count("\n")
        assert cell.path == f"docs/{snippet.path}"


def test_the_seed_states_one_shape() -> None:
    checks = {n: cells(s, "check") for n, s in enumerate(seed_snippets(), 1)}
    assert [n for n in checks if checks[n]] == [3]
    assert checks[3][0].line == 61
    assert "Matrix-Operations-and-AI.md:61: c has shape" in checks[3][0].code


def test_the_seed_drives_patterns_7_and_8() -> None:
    drives = [[c.code for c in cells(s, "drive")] for s in seed_snippets()]
    assert drives == [[]] * 6 + [["result = block(x)"], ["result = fwd(x, W)"]]
    assert [c.timed for c in seed_snippets()[6].programs[0].cells if c.role == "pattern"] == [False]


def test_the_seed_speaks_jax_in_pattern_8_only() -> None:
    assert [s.programs[0].frameworks for s in seed_snippets()] == [("torch",)] * 7 + [("jax",)]


def test_einsum_says_which_world_a_pattern_lives_in() -> None:
    assert seed_snippets()[7].programs[0].context["x"] == "stock: matrix"
    assert seed_snippets()[1].programs[0].context["Q"] == "stock: sequence"


# ------------------------------------------------------------------- what is filled


def test_a_vault_s_own_fixtures_come_before_earlier_fences_and_the_wiki_s_after(
    tmp_path: Path,
) -> None:
    config = make_config(tmp_path)
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "page.py").write_text("def own():\n    return 'page'\n")
    (fixtures / "wiki.py").write_text(
        "def own():\n    return 'wiki'\n\n\ndef earlier():\n    return 'wiki'\n\n\n"
        "def rest():\n    return 'wiki'\n"
    )
    text = (
        "### Pattern 1\n```python\nown = earlier = 'fence'\n```\n"
        "### Pattern 2\n```python\nsaid = own, earlier, rest\n```\n"
    )
    program = make_snippets(text, "page.ko.md", config)[1].programs[0]
    assert program.context == {
        "own": "snippets/fixtures/page.py",
        "earlier": "#p01",
        "rest": "snippets/fixtures/wiki.py",
    }
    assert run(program)["said"] == ("page", "fence", "wiki")


def test_a_fixture_brings_what_it_needs_of_its_file(tmp_path: Path) -> None:
    config = make_config(tmp_path)
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "wiki.py").write_text(
        "import math\nfrom fractions import Fraction as Part\n\nFACTOR = 2\nUNUSED = 1 / 0\n\n\n"
        "def _helper(n):\n    return n * FACTOR\n\n\n"
        "def base(N=3, device='cuda'):\n    return [_helper(N), device]\n\n\n"
        "def table(base, framework, M=5):\n    return base, Part(1, 2), framework, M, math.pi\n"
    )
    (snippet,) = make_snippets("### Pattern 1\n```python\nsaid = table\n```\n", config=config)
    program = snippet.programs[0]
    said = ([6, "cpu"], Fraction(1, 2), "torch", 5, math.pi)
    assert run(program)["said"] == said
    assert program.sizes == ("N", "M")
    assert all("UNUSED" not in cell.code for cell in program.cells)


def test_a_sweep_changes_the_sizes_of_fixtures_and_of_set_up() -> None:
    text = "### Pattern 1\n```python setup\nM = 3\n```\n```python\nsaid = M, S, N\n```\n"
    page = make_page(text.replace("said", "S = 512\nsaid").replace(", N", ""))
    (program,) = complete(make_config(), page, page.markup.fences[1], sizes={"M": 7, "S": 9})
    assert run(program)["said"] == (7, 9)
    assert set(program.sizes) == {"M", "S"}
    snippet = make_snippet("y = x @ W")
    (swept,) = complete(
        make_config(),
        make_page("```python\ny = x @ W\n```\n"),
        snippet.fence,
        sizes={"S": 128},
        like=snippet.programs[0],
    )
    assert "x = _x(S=128, device=device)" in "\n".join(c.code for c in swept.cells)


def test_a_baseline_gets_its_pattern_s_inputs_and_not_its_work() -> None:
    text = (
        "### Pattern 1\n```python\nleft = [1, 2]\nright = left[::-1]\n"
        "out = work(left, right)\n```\n"
        "```python baseline\nout = [l + r for l, r in zip(left, right)]\n```\n"
        "```python setup\ndef work(a, b):\n    raise AssertionError('the pattern ran')\n```\n"
    )
    baseline = make_snippets(text)[1]
    assert baseline.pattern.endswith("#p01")
    assert run(baseline.programs[0])["out"] == [3, 3]


def test_a_name_that_an_earlier_fence_overwrote_is_made_again(tmp_path: Path) -> None:
    config = make_config(tmp_path)
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "page.py").write_text("def value():\n    return 'fixture'\n")
    text = (
        "### Pattern 1\n```python\nvalue, other = 'fence', 1\n```\n"
        "### Pattern 2\n```python\nsaid = value, other\n```\n"
    )
    program = make_snippets(text, config=config)[1].programs[0]
    assert run(program)["said"] == ("fixture", 1)


def test_programs_try_earlier_fences_then_other_worlds() -> None:
    text = (
        "### Pattern 1\n```python\nx = torch.load('weights')\n```\n"
        "### Pattern 2\n```python\ny = x.mean()\n```\n"
    )
    programs = make_snippets(text)[1].programs
    assert [p.context["x"] for p in programs] == ["#p01", "stock: sequence", "stock: matrix"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def x(:\n", "snippets/fixtures/wiki.py:1: not readable as Python"),
        ("\n\ndef x(*rest):\n    return 1\n", "snippets/fixtures/wiki.py:3: fixture 'x' takes"),
    ],
)
def test_a_broken_fixture_file_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "wiki.py").write_text(text)
    with pytest.raises(ConfigError, match=said):
        make_snippets("```python\ny = x\n```\n", config=make_config(tmp_path))


def test_fixtures_that_ask_for_each_other_provide_nothing(tmp_path: Path) -> None:
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    (fixtures / "wiki.py").write_text(
        "def p_(q_):\n    return q_\n\n\ndef q_(p_):\n    return p_\n"
    )
    (snippet,) = make_snippets("```python\ny = p_\n```\n", config=make_config(tmp_path))
    assert [m.name for m in snippet.programs[0].missing] == ["p_"]


# -------------------------------------------------------------------------- devices


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("A = f(device='cuda')", "A = f(device=device)"),
        ('A = f(device="cuda:1")', "A = f(device=device)"),
        ("x.cuda()", "x.to(device)"),
        ("x.cuda(0)", "x.to(device)"),
        ("x.cuda(non_blocking=True)", "x.to(device, non_blocking=True)"),
        ("x = x.to('cuda')", "x = x.to(device)"),
        ("d = torch.device('cuda')", "d = torch.device(device)"),
        ("torch.autocast(device_type='cuda')", "torch.autocast(device_type=device)"),
        ("def f(x, device='cuda'): pass", "def f(x, device=device): pass"),
        ("torch.cuda.amp.autocast()", "torch.amp.autocast(device)"),
        ("torch.cuda.amp.autocast(False)", "torch.amp.autocast(device, enabled=False)"),
        ("torch.cuda.synchronize()", "torch.get_device_module(device).synchronize()"),
        ("jax.devices('gpu')", "jax.devices(device)"),
        ("한글 = '가'; y = x.to('cuda')", "한글 = '가'; y = x.to(device)"),
        ("(x\n .cuda(\n ))", "(x\n .to(\n device))"),
        ("if x.device.type == 'cuda': pass", None),
        ("print('cuda', f'{x} cuda')", None),
        ("assert kind in ('cuda', 'cpu')", None),
        ("table['cuda'] = 1", None),
        ("'cuda'", None),
        ("name.startswith('cuda')", None),
        ("# runs on 'cuda'", None),
        ("x = 'cuda' = 1", None),
    ],
)
def test_code_that_names_a_card_uses_the_run_s_device(code: str, expected: str | None) -> None:
    assert retarget(code) == (code if expected is None else expected)


def test_a_page_that_gives_device_another_value_keeps_it() -> None:
    snippet = make_snippet("device = torch.device('cuda')\nwith torch.autocast('cuda'):\n    y = x")
    program = snippet.programs[0]
    assert program.retargeted
    assert program.cells[0].code.endswith(
        "_device = device  # the page gives `device` another value"
    )
    assert "torch.autocast(_device)" in cells(snippet, "pattern")[0].code
    assert "x = _x(device=_device)" in cells(snippet, "fixture")[0].code


# ----------------------------------------------------------------------- assertions


@pytest.mark.parametrize(
    ("comment", "dims"),
    [
        ("# (32, 64, 128)", ("32", "64", "128")),
        ("# (32, 64, 128) — shape mismatch 시 silent bug", ("32", "64", "128")),
        ("# (B, S, D): after the norm", ("B", "S", "D")),
        ("# (5,)", ("5",)),
        ("# (M, K) -> (K, M)", ("K", "M")),
        ("# (batch, seq_len, 4D)", ("batch", "seq_len", "4D")),
        ("# (..., D//2)", ("...", "D//2")),
        ("# (B, M, K) @ (B, K, N) -> (B, M, N)", ("B", "M", "N")),
        ("# (B, M, K) @ (B, K, N)", None),
        ("# Batched: (B, M, K) @ (B, K, N)", None),
        ("# (faster, simpler)", None),
        ("# (see above, for details)", None),
        ("# (128)", None),
        ("# stride 재배치", None),
    ],
)
def test_shape_comments(comment: str, dims: tuple[str, ...] | None) -> None:
    assert parse_shape(comment) == dims


class Shaped:
    """Stands for an array; tests of shapes need no framework."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape


def checked(code: str) -> dict[str, object]:
    """Run a page's code, with `make(2, 3)` for an array of that shape."""
    snippet = make_snippet(code)
    program = snippet.programs[0]
    namespace: dict[str, object] = {"make": Shaped}
    for cell in program.cells:
        exec(compile(cell.code, cell.path, "exec"), namespace)
    return namespace


@pytest.mark.parametrize(
    "code",
    [
        "c = make(32, 64)  # (32, 64)",
        "a = make(4, 5)  # (B, D)\nb = make(5, 4)  # (D, B)",
        "a = make(4, 8)  # (B, 2*D)\nb = make(3, 4)  # (D, B)",
        "a = make(4, 4)  # (N, N)",
        "a = make(1, 2, 3, 4)  # (..., 3, D)",
        "a = b = make(2, 3)  # (2, 3)",
        "a, b = make(9, 9), make(2, 3)  # (2, 3)",
        "a, b = make(2, 3), make(4, 5)  # (2, 3), (4, 5)",
        "a, b, loss = make(2, 3), make(4, 5), 0.5  # (2, 3), (4, 5), (1)",
        "a = make(2, 3)  # (2, 3)\na = make(3, 2)  # (3, 2)",
        "s = make(2, 3).shape  # (2, 3)",
        "import contextlib\nwith contextlib.nullcontext():\n    a = make(2, 3)  # (2, 3)",
    ],
)
def test_true_shapes_pass(code: str) -> None:
    assert "check" in roles(make_snippet(code))
    checked(code)


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("c = make(32, 65)  # (32, 64)", 3, r"c has shape \(32, 65\), the page says \(32, 64\)"),
        ("a = make(4, 5)  # (B, D)\nb = make(6, 4)  # (D, B)", 4, "with B = 4, D = 5"),
        ("a = make(4, 5)  # (N, N)", 3, "with N = 4"),
        ("a = make(2, 3, 4)  # (2, 3)", 3, "the page says"),
        ("a = make(2, 3)  # (3, 2)\na = make(3, 2)  # (3, 2)", 3, "the page says"),
        ("a = make(1, 2, 3)  # (..., 4, 3)", 3, "the page says"),
        ("a, b = make(2, 3), make(4, 6)  # (2, 3), (4, 5)", 3, "b has shape"),
        ("a, b = make(2, 4), make(4, 5)  # (2, 3), (4, 5)", 3, "a has shape"),
    ],
)
def test_false_shapes_fail_and_name_the_page_s_line(code: str, line: int, said: str) -> None:
    with pytest.raises(AssertionError, match=rf"docs/page.md:{line}: .*{said}"):
        checked(code)


def test_more_shapes_than_targets_assert_nothing() -> None:
    assert "check" not in roles(make_snippet("a = make(2, 3), make(4, 5)  # (2, 3), (4, 5)"))


def test_a_shape_is_checked_where_it_stands_and_not_timed() -> None:
    snippet = make_snippet("a = x  # (4, 512, 512)\na = a.T\nb = a")
    own = [c for c in snippet.programs[0].cells if c.role in ("pattern", "check")]
    assert [(c.role, c.line, c.timed) for c in own] == [
        ("pattern", 3, True),
        ("check", 3, False),
        ("pattern", 4, True),
    ]


def test_shapes_inside_functions_and_loops_are_said_to_be_unchecked() -> None:
    snippet = make_snippet(
        "def f(x):\n    y = x  # (B, S)\n    return y\nfor i in range(2):\n    z = i  # (2, 3)"
    )
    assert snippet.programs[0].unchecked == ("4: (B, S)", "7: (2, 3)")


@pytest.mark.parametrize(
    "code",
    [
        "print(3.5)  #> 3.5",
        "print('a')\n#> a",
        "for i in range(2):\n    print(i)\n#> 0\n#> 1",
        "print('first')\nprint('a', 'b', sep='-')  #> a-b",
    ],
)
def test_true_prints_pass(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked(code)
    assert capsys.readouterr().out


def test_false_prints_fail() -> None:
    with pytest.raises(AssertionError, match=r"docs/page.md:4: printed '3', the page says '4'"):
        checked("a = 3\nprint(a)  #> 4\n")


# ------------------------------------------------------------------------- sessions


def test_a_session_compares_every_output() -> None:
    session = ">>> a = 1\n>>> a + 1\n2\n>>> 1 / 0\nTraceback (most recent call last):\n"
    run(make_snippet(session + "ZeroDivisionError: division by zero").programs[0])
    with pytest.raises(AssertionError, match=r"^line 3 printed 2, the page says 3$"):
        run(make_snippet(">>> 1 + 1\n3").programs[0])


def test_a_session_that_names_a_card_is_retargeted() -> None:
    program = make_snippet(">>> x.to('cuda').device\ndevice(type='cpu')").programs[0]
    assert program.retargeted
    assert any(">>> x.to(device).device" in cell.code for cell in program.cells)


# --------------------------------------------------------------------------- slices


def test_a_slice_holds_what_makes_the_names_and_keeps_lines() -> None:
    code = "import m\na = m.f()\nb = 2\na[0] = b\nc = a + 1\n"
    shared, rest = share_statements(code, {"a"})
    assert shared == "import m\na = m.f()\nb = 2\na[0] = b\n\n"
    assert rest == "\n\n\n\nc = a + 1\n"


def test_a_slice_leaves_out_what_is_overwritten() -> None:
    shared, rest = share_statements("a = slow()\na = 1\nb = a\n", {"a"})
    assert shared == "\na = 1\n\n"
    assert rest == "a = slow()\n\nb = a\n"


def test_code_that_is_no_python_has_no_slice() -> None:
    assert share_statements("a = = 1", {"a"}) == ("", "a = = 1")


# -------------------------------------------------------------------------- digests

CODE = "y = x @ W  # (4, 512, 512)\nprint(1)  #> 1"


def test_comments_layout_and_place_do_not_change_the_digest() -> None:
    first = make_snippet(CODE)
    same = make_snippets(
        f"# Title\n\nprose\n\n### Pattern 1 — New title\n```python speedup=2 title=t\n"
        f"{CODE.replace('@', '  @ ')}\n# new\n```\n"
    )[0]
    assert first.digest == same.digest


@pytest.mark.parametrize(
    ("code", "info"),
    [
        (CODE.replace("@", "*"), "python"),
        (CODE.replace("512)", "511)"), "python"),
        (CODE.replace("#> 1", "#> 2"), "python"),
        (CODE.replace("# (4, 512, 512)", ""), "python"),
        (CODE, "python raises=ValueError"),
        (CODE, "python needs=cuda"),
        (CODE, "python no-run"),
        (CODE, "python antipattern"),
    ],
)
def test_what_decides_a_pass_changes_the_digest(code: str, info: str) -> None:
    assert make_snippet(code, info).digest != make_snippet(CODE).digest


def test_fixtures_checks_and_outputs_change_the_digest(tmp_path: Path) -> None:
    text = "### Pattern 1\n```python\nprint(x)\n```\n"
    digests = {
        make_snippets(text + more)[0].digest for more in ("", "```python check\nassert x\n```\n")
    }
    digests |= {make_snippets(text + f"```text out\n{n}\n```\n")[0].digest for n in (1, 2)}
    fixtures = tmp_path / "snippets" / "fixtures"
    fixtures.mkdir(parents=True)
    for value in (1, 2):
        (fixtures / "wiki.py").write_text(f"def x():\n    return {value}\n")
        digests.add(make_snippets(text, config=make_config(tmp_path))[0].digest)
    assert len(digests) == 6


# ---------------------------------------------------------------------------- pages


def test_translations_share_ids_and_the_default_language_s_path(tmp_path: Path) -> None:
    config = make_config(tmp_path)
    text = "---\nid: one\n---\n### Pattern 1\n```python\na = 1\n```\n"
    pages = (make_page(text, "X.ko.md", config), make_page(text, "X.md", config))
    (korean,) = extract_snippets(config, pages[0], pages)
    (only,) = extract_all(config, pages)
    assert korean.id == only.id == "one#p01"
    assert korean.path == only.path == "X.md"
    assert korean.digest == only.digest


def test_a_page_without_its_default_language_is_extracted_all_the_same(tmp_path: Path) -> None:
    config = make_config(tmp_path)
    page = make_page("```python\na = 1\n```\n", "X.ko.md", config)
    assert [s.path for s in extract_all(config, (page,))] == ["X.ko.md"]


def test_ids_are_unique_whatever_the_headings() -> None:
    fence = "```python\na = 1\n```\n"
    text = f"### Pattern 4\n{fence}### Pattern 4\n{fence}## x {{#p04-2}}\n{fence}"
    ids = [s.id.partition("#")[2] for s in make_snippets(text)]
    assert ids == ["p04", "p04-2", "p04-2-2"]


def test_an_unclosed_fence_is_skipped_and_says_so() -> None:
    (snippet,) = make_snippets("### Pattern 1\n```python\na = 1\n")
    assert snippet.skip == "line 3: the fence is not closed"


def test_each_antipattern_goes_with_its_own_pattern() -> None:
    fence = "```python {}\na = 1\n```\n"
    order = ["antipattern", "", "antipattern", "antipattern", "", "baseline"]
    text = "## Anti-patterns\n" + "".join(fence.format(role) for role in order)
    snippets = make_snippets(text)
    assert [s.pattern.partition("#")[2] for s in snippets] == [
        *("s01", "", "s01", "s01-2", "", "s01-2")
    ]


# -------------------------------------------------------------------------- hostile

HOSTILE = [
    "x = " + "(" * 150 + "1" + ")" * 150,
    "x = 1" + " + 1" * 5000,
    "x = " + "-" * 3000 + "1",
    "f" + "()" * 2000,
    "\x00",
    "\ud800",
    "x = '''",
    "def f(:",
    "\\",
    "\tx = 1\n  y = 2",
    "lambda: (yield)",
    "type X = int",
    "match x:\n case {**rest}: pass",
    "print(x)  #> \udcff",
    "x = 1  # ({}, {0})",
    "from __future__ import braces",
    "class A[T]: pass",
    "x = '\\d'; x is 1",
]


@pytest.mark.parametrize("code", HOSTILE)
@pytest.mark.parametrize("info", ["python", "python baseline", "pycon", "python no-run"])
def test_no_code_breaks_extraction(code: str, info: str) -> None:
    for text in (code, f">>> {code}", f"{code}\n{CODE}"):
        snippets = make_snippets(
            f"# P\n```{info}\n{text}\n```\n\n### Pattern 1\n```python\nx\n```\n"
        )
        assert all(s.programs and len(s.digest) == 64 for s in snippets)


@given(st.text(max_size=300))
@settings(max_examples=60)
def test_no_text_breaks_extraction(text: str) -> None:
    page = make_page(f"```python\n{text}\n```\n")
    assert all(s.programs for s in extract_snippets(make_config(), page, (page,)))


NAMES = st.sampled_from(["a", "b", "c", "d"])


@st.composite
def straight_lines(draw: st.DrawFn) -> str:
    """Programs of assignments, deletions, functions and comprehensions over four names."""
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        x, y, z = draw(NAMES), draw(NAMES), draw(NAMES)
        rows.append(
            draw(
                st.sampled_from(
                    [
                        *(f"{x} = 1", f"{x} = {y}", f"{x} += {y}", f"del {x}", f"{x}"),
                        *(f"({x} := {y})", f"for {x} in [{y}]: {z}", f"import math as {x}"),
                        f"[{x} for {x} in [{y}]]",
                    ]
                )
            )
        )
    return "\n".join(rows)


@given(straight_lines())
def test_free_names_are_those_that_a_run_misses(code: str) -> None:
    """A program runs exactly where its free names are given, and each is needed."""
    free = find_names(code).free

    def misses(given: set[str]) -> bool:
        try:
            exec(code, dict.fromkeys(given, 1))
        except NameError:
            return True
        except TypeError:  # a module was added to: no name was missing until here
            return False
        return False

    assert all(misses(set(free) - {name}) for name in free) or "import" in code
    if not any(f"del {name}" in code for name in free):
        assert not misses(set(free))


@given(st.text(alphabet="ab가\n", max_size=30), st.data())
def test_edits_keep_every_line(code: str, data: st.DataObject) -> None:
    rows = code.split("\n")
    line = data.draw(st.integers(1, len(rows)))
    end = len(rows[line - 1].encode())
    edit = Edit(line=line, column=end, end_line=line, end_column=end, text="!")
    changed = apply_edits(code, [edit, edit]).split("\n")
    assert len(changed) == len(rows)
    assert changed[line - 1] == rows[line - 1] + "!"


def test_a_heading_with_a_number_of_five_thousand_digits_is_a_heading() -> None:
    (snippet,) = make_snippets(f"# A\n\n## Pattern {'9' * 5000} - x\n\n```python\nx = 1\n```\n")
    assert snippet.id.endswith("#s01")
