import math
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.casefiles import CASES, Case, read_cases
from tests.support import make_config, make_page, seed_page, seed_snippets
from wiki_tools.claims import Claim, find_claims, parse_range, phrases
from wiki_tools.claims.phrases import find_phrases
from wiki_tools.claims.vocabulary import Rule
from wiki_tools.markup.fences import ATTRIBUTES
from wiki_tools.snippets import extract_snippets


def claims_of(text: str) -> tuple[Claim, ...]:
    page = make_page(text)
    return find_claims(page, extract_snippets(make_config(), page, (page,)))


def written(claim: Claim) -> str:
    known = {"on": claim.on, "expected": claim.expected, "snippet": claim.snippet[len("page") :]}
    rest = "".join(f" {key}={value}" for key, value in known.items() if value)
    place = f"{claim.line}:{claim.column} {claim.source} {claim.kind}"
    return f"{place} {claim.low:.3g}..{claim.high:.3g} {claim.text}{rest}"


@pytest.mark.parametrize("case", read_cases("claims"), ids=lambda case: case.title)
def test_claims(case: Case) -> None:
    assert [written(claim) for claim in claims_of(case.text)] == case.expected


def read_sentences() -> list[tuple[str, str]]:
    """The sentences of the case file with the claims that each makes, none for most."""
    text = (CASES / "sentences.md").read_text(encoding="utf-8")
    rows = [item.partition(" => ") for item in re.findall(r"^- (.*(?:\n  .*)*)$", text, re.M)]
    return [(said, wanted) for said, _, wanted in rows]


@pytest.mark.parametrize(("said", "wanted"), read_sentences())
def test_a_sentence_claims_what_a_reader_would_say(said: str, wanted: str) -> None:
    found = find_claims(make_page(said.replace("\n  ", "\n")), ())
    assert ", ".join(f"{c.kind} {c.low:.3g}..{c.high:.3g}" for c in found) == wanted


def test_there_are_enough_sentences_of_either_kind() -> None:
    claims = [bool(wanted) for _, wanted in read_sentences()]
    assert claims.count(True) >= 200
    assert claims.count(False) >= 120


def test_a_claim_on_a_paragraphs_second_line_has_its_place() -> None:
    text = "It is 2x\nfaster, and uses half\nthe memory.\n"
    claims = [(c.line, c.column, c.text) for c in find_claims(make_page(text), ())]
    assert claims == [(1, 7, "2x"), (2, 18, "half\nthe memory")]


def test_the_seed_claims_two_ratios_and_nothing_else() -> None:
    claims = find_claims(seed_page(), seed_snippets())
    assert [(c.text, c.kind, c.source) for c in claims] == [
        ("2-8배", "speedup", "comment"),
        ("1000배", "slowdown", "prose"),
    ]
    comment, prose = claims
    assert comment.snippet == "wiki-2026-0508-matrix-operations-and-ai#p04"
    lines = seed_page().markup.text.split("\n")
    for claim in (comment, prose):
        assert lines[claim.line - 1][claim.column - 1 :].startswith(claim.text)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2..8", 2, 8),
        ("..3", 0, 3),
        ("3..", 3, math.inf),
        (">1.5", 1.5, math.inf),
        (">=1.5", 1.5, math.inf),
        ("< 2", 0, 2),
        ("~1000", 1000 / math.sqrt(10), 1000 * math.sqrt(10)),
        ("2", 1.8, 2.2),
        ("2x", 1.8, 2.2),
        ("1,000..2,000", 1000, 2000),
        ("0.5..0.75", 0.5, 0.75),
        ("50%", 0.45, 0.55),
        ("1e3", 900, 1100),
    ],
)
def test_ranges(text: str, low: float, high: float) -> None:
    assert parse_range(text) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["", "fast", "..", ">", "8..2", "1.2.3", "2-8", "-1", "٣"])
def test_what_is_no_range_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"range|empty|float"):
        parse_range(text)


number = st.floats(min_value=0.001, max_value=1e6).map(lambda n: f"{n:.4f}".rstrip("0").rstrip("."))


@given(
    st.one_of(
        st.tuples(number, number).map(lambda pair: "..".join(sorted(pair, key=float))),
        number.map("~{}".format),
        number.map(">{}".format),
        number.map("..{}".format),
        number,
    )
)
def test_every_range_that_the_grammar_takes_can_be_read(text: str) -> None:
    assert ATTRIBUTES["speedup"].value.fullmatch(text)
    low, high = parse_range(text)
    assert 0 <= low <= high


@given(st.text(alphabet="0123456789x배%.-~ ,faster느림`<$[](", max_size=80))
def test_phrases_slice_back_to_their_text_and_do_not_overlap(text: str) -> None:
    end = 0
    for phrase in find_phrases(text):
        assert end <= phrase.start < phrase.end <= len(text)
        assert 0 <= phrase.low <= phrase.high
        end = phrase.end


@given(st.text(max_size=200))
def test_any_page_has_claims_or_none(text: str) -> None:
    page = make_page(text)
    for claim in find_claims(page, ()):
        assert claim.text in text


def test_each_claim_of_a_paragraph_has_its_own_place() -> None:
    page = make_page("# A\n\nIt is 2x faster, or 3x faster,\nor\n4x faster, then 5x faster.\n")
    places = [(claim.line, claim.column, claim.text) for claim in find_claims(page, ())]
    assert places == [(3, 7, "2x"), (3, 21, "3x"), (5, 1, "4x"), (5, 17, "5x")]


@pytest.mark.parametrize(
    "piece", ["9", "1-", "<", "`", "2x ", "1,000", "](", "$", "10배 ", "half of ", "O(", "memory "]
)
def test_no_text_takes_quadratic_time(piece: str) -> None:
    page = make_page(piece * 40_000)
    start = time.process_time()
    find_claims(page, ())
    assert time.process_time() - start < 8  # takes 0.1 s to 1 s; a square of it would take hours


@pytest.mark.parametrize("piece", ["절반 ", "half ", "2배 ", "10% "])
def test_dense_prose_is_asked_only_for_what_may_be_there(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Rule] = []
    read = phrases._read

    def count(rule: Rule, before: str, after: str) -> object:
        tried.append(rule)
        return read(rule, before, after)

    monkeypatch.setattr(phrases, "_read", count)

    def work(pieces: int) -> int:
        tried.clear()
        find_phrases(piece * pieces)
        return len(tried)

    assert work(2000) == 2 * work(1000)  # each asks as much as the one before
    assert not any(rule.before for rule in tried)  # nothing stands there that one speaks of


@given(st.text(alphabet="0123456789.,~<>=x%e- 배", max_size=12))
def test_a_fence_takes_a_claim_that_can_be_read_and_no_other(text: str) -> None:
    try:
        parse_range(text)
        readable = True
    except ValueError:
        readable = False
    assert ATTRIBUTES["speedup"].accepts(text) == readable


@pytest.mark.parametrize("text", ["5..2", "1e999", "1.2.3", "", "..", "fast"])
def test_a_claim_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_range(text)
