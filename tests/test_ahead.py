"""What is done for a child before it begins is what it would have done itself."""

import os
import warnings
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_config
from wiki_tools.protocol import Cell, Job, Pairing, Status
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.queue import Queue
from wiki_tools.worker.ahead import prepare, restore
from wiki_tools.worker.ending import Ending, pack_ending
from wiki_tools.worker.order import Order
from wiki_tools.worker.program import plan_program

cells = st.builds(
    Cell, role=st.sampled_from(["pattern", "check"]), code=st.text(), line=st.integers(0, 99)
)


def job(*codes: str, name: str = "page#p01", **fields: object) -> Job:
    rows = tuple(
        Cell(role="pattern", code=code, path="docs/page.md", line=10 * (n + 1), timed=True)
        for n, code in enumerate(codes)
    )
    return Job(snippet=name, cells=rows, **fields)  # type: ignore[arg-type]


@given(st.lists(cells, max_size=4).map(tuple))
def test_a_job_arrives_as_it_was_sent(program: tuple[Cell, ...]) -> None:
    pairing = Pairing(against="baseline", candidate=program, baseline=program)
    sent = Job(snippet="a#p01", cells=program, pairings=(pairing,), frameworks=("torch",))
    arrived, plan = restore(prepare(sent, "/scratch"))
    assert arrived == sent
    planned = plan_program(program, "/scratch")
    assert (plan.layout, plan.text) == (planned.layout, planned.text)


def test_what_does_not_compile_is_left_to_the_child_with_all_that_follows() -> None:
    for second in ("x =", "'\\d'", "1 is 1", "\0", "(" * 500):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _, plan = restore(prepare(job("x = 1", second, "y = 2"), "/scratch"))
        assert len(plan.compiled) == 1


def test_what_a_compiler_warns_of_is_shown_with_the_snippet(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with LocalExecutor(make_config()) as local:
        (outcome,) = local.run([job("assert 1 is 1")])
    assert outcome.status is Status.PASSED
    assert "SyntaxWarning" in outcome.outputs[0].text
    assert "SyntaxWarning" not in capfd.readouterr().err


def test_a_future_import_holds_for_the_cells_after_it() -> None:
    codes = ("from __future__ import annotations", "def f(x: no_such_name): pass")
    with LocalExecutor(make_config()) as local:
        (outcome,) = local.run([job(*codes)])
    assert outcome.status is Status.PASSED


# Pieces of the wire


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4), st.integers(0, 300))
def test_orders_are_read_when_all_of_them_is_there(jobs: list[bytes], cut: int) -> None:
    orders = [Order(number=f"{n}", timeout=1.5, memory=7, job=j) for n, j in enumerate(jobs)]
    data = b"".join(order.pack() for order in orders)
    found, at = [], 0
    while read := Order.unpack(data[:cut], at):
        found.append(read[0])
        at = read[1]
    assert found == orders[: len(found)]
    if cut >= len(data):
        assert found == orders
    else:
        assert data[at:cut] == data[:cut][at:]
        assert at + len(orders[len(found)].pack()) > cut


@given(st.lists(st.text(max_size=20), min_size=2, max_size=4), st.integers(0, 200))
def test_endings_are_read_when_all_of_them_is_there(texts: list[str], cut: int) -> None:
    whole = [text.encode("utf-8", "replace") for text in texts]
    data = pack_ending("12", -9, "time", 3, whole)
    assert Ending.unpack(data[: min(cut, len(data) - 1)], 0, "/f") is None
    read = Ending.unpack(data + b"more", 0, "/f")
    assert read is not None
    ending, end = read
    assert (ending.number, ending.code, ending.ended, ending.cell) == ("12", -9, "time", 3)
    assert [ending.printed, ending.trace, *ending.messages] == [w.decode() for w in whole]
    assert (ending.folder, end) == ("/f/12", len(data))


# In which order


def names(queue: Queue) -> list[str]:
    taken = iter(lambda: queue.take(queue.parents()), None)
    return [ticket.job.snippet for ticket in taken if ticket]


def test_the_longest_runs_first_whatever_it_imports() -> None:
    jobs = [
        job("x", name="short", expected=0.1),
        job("x", name="long", expected=9.0, frameworks=("torch",)),
        job("x", name="middle", expected=2.0),
    ]
    assert names(Queue.of(jobs)) == ["long", "middle", "short"]


def test_a_job_that_nobody_knows_may_be_the_longest() -> None:
    jobs = [job("x", name="known", expected=9.0), job("x", name="new")]
    assert names(Queue.of(jobs)) == ["new", "known"]


def test_what_is_measured_waits_for_all_others() -> None:
    pairing = Pairing(against="baseline", candidate=(), baseline=())
    queue = Queue.of([job("x", name="measured", pairings=(pairing,)), job("x", name="other")])
    assert names(queue) == ["other"]
    assert [ticket.job.snippet for ticket in queue.alone] == ["measured"]


def test_nothing_is_imported_beside_a_measurement() -> None:
    """A measurement notes what runs beside it; every parent must be there before it begins."""
    code = """
import os, pathlib
parents = []
for entry in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        words = (entry / "cmdline").read_bytes().split(b"\\0")
        state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        asker = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        continue
    if b"wiki_tools.worker" in words and int(entry.name) != os.getpid() and asker == {asker}:
        parents.append(state)
assert parents and set(parents) == {{"S"}}, parents
"""
    pairing = Pairing(against="baseline", candidate=(), baseline=())
    asker = os.getpid()
    measured = job(code.format(asker=asker), budget=0.1, pairings=(pairing,))
    config = replace(make_config(), sandbox="off")  # which hides other processes
    with LocalExecutor(config, jobs=2) as local:
        seen = list(local.run([measured, job("import numpy"), job("x = 1")]))
    assert [o.message for o in seen] == [""] * 3
