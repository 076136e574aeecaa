"""Calls copies of a side in turn, so that no call finds its inputs in a card's cache."""

from collections.abc import Sequence

from wiki_tools.worker.timing.side import Machine, Side, quiet

TASKS = 200
"""Times that the cache is flushed at once, to wait for it for milliseconds."""
BUSILY = 0.9
"""Share of such a wait that a processor works, at least, where it asks again and again."""


def sample_in_turns(sides: Sequence[Side], repeats: int) -> float:
    """Time `repeats` calls, each of the copy that was called longest ago, in seconds.

    A card's cache holds many megabytes, in which the inputs of a short call would stay from one
    call to the next. Where inputs must be restored before each call, as many calls as there are
    copies follow each other: one by one each would wait for the card.

    Args:
        sides: copies of one side.
        repeats: calls, of all copies together.
    """
    calls = [sides[i % len(sides)] for i in range(repeats)]
    batch = len(sides) if any(side.restores for side in sides) else repeats
    first, seconds, work = sides[0], 0.0, 0.0
    with first.told(), quiet():
        for at in range(0, repeats, batch):
            for side in sides[1:]:
                side.restore()
            first.prepare()
            worked = first.machine.cpu_clock()
            with first.off():
                seconds += _timed(calls[at : at + batch])
            work += first.machine.cpu_clock() - worked
    first.spent.append((seconds, work))
    first.check_threads()
    return seconds


def _timed(calls: Sequence[Side]) -> float:
    machine = calls[0].machine
    machine.device.flush()
    machine.device.synchronise()
    start = machine.clock()
    for side in calls:
        side.run(1)
    machine.device.synchronise()
    return machine.clock() - start


def waits_busily(machine: Machine) -> bool:
    """Say whether waiting for the card keeps a processor busy, as CUDA has it by default."""
    machine.device.synchronise()
    for _ in range(TASKS):
        machine.device.flush()
    start, worked = machine.clock(), machine.cpu_clock()
    machine.device.synchronise()
    return machine.cpu_clock() - worked >= BUSILY * (machine.clock() - start)
