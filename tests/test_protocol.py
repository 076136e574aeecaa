"""The wire carries what was sent, and refuses what was not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki_tools.protocol import (
    Cell,
    Job,
    Outcome,
    Output,
    Pairing,
    Samples,
    Status,
    build,
    decode,
    encode,
)

cells = st.builds(Cell, role=st.text(), code=st.text(), path=st.text(), line=st.integers())
numbers = st.floats(allow_nan=False, allow_infinity=False)
samples = st.builds(Samples, against=st.text(), baseline=st.lists(numbers).map(tuple))
outcomes = st.builds(
    Outcome,
    snippet=st.text(),
    status=st.sampled_from(Status),
    notes=st.lists(st.text()).map(tuple),
    outputs=st.lists(
        st.builds(Output, cell=st.integers(), data=st.dictionaries(st.text(), st.text()))
    ).map(tuple),
    samples=st.lists(samples).map(tuple),
)


@given(outcomes)
def test_an_outcome_survives_the_wire(outcome: Outcome) -> None:
    assert decode(Outcome, encode(outcome)) == outcome


@given(st.lists(cells).map(tuple))
def test_a_job_survives_the_wire(program: tuple[Cell, ...]) -> None:
    pairing = Pairing(against="baseline", candidate=program, baseline=program)
    job = Job(snippet="a#p01", cells=program, pairings=(pairing,), prints=None)
    assert decode(Job, encode(job)) == job


@given(outcomes)
def test_a_message_is_one_line(outcome: Outcome) -> None:
    assert "\n" not in encode(outcome)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "verified"}, "verified"),
        ({"seconds": "3"}, "Outcome.seconds: expected float, not '3'"),
        ({"line": True}, "Outcome.line: expected int, not True"),
        ({"notes": "retargeted"}, "Outcome.notes: expected a list"),
        ({"proof": 1}, "Outcome: unknown field 'proof'"),
        ({"outputs": [{"text": "no cell"}]}, r"Outcome.outputs\[0\]"),
        ({"samples": [{"against": "x", "repeats": [1]}]}, "repeats: expected 2 items, not 1"),
    ],
)
def test_a_forged_outcome_is_refused(change: dict[str, object], words: str) -> None:
    forged = json.loads(encode(Outcome(snippet="a#p01", status=Status.PASSED))) | change
    with pytest.raises(ValueError, match=words):
        build(Outcome, forged)


@given(st.binary())
def test_bytes_that_are_no_outcome_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(Outcome, data)
