"""Several copies of each side, so that where one's data happens to lie decides nothing."""

import random
from dataclasses import dataclass

from wiki_tools.protocol import Pairing
from wiki_tools.worker.timing.side import Clock, Machine, Side, UnfairError
from wiki_tools.worker.timing.turns import sample_in_turns

MOST = 32
"""Copies: with 8, those of one side were still 0.6% faster than those of the other."""
SPACE = 1 << 16
"""Bytes, at most, that are left free between the data of two copies."""
HUGE = 1 << 21
"""Bytes, at most, that are left free before the first copy of a side: a huge page.

Which part of an array of 8 MB lies in huge pages depends on where it begins. In the same place in
each round, one side of a sum of it was 3% faster for that, and the interval did not show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """Copies of one side; each sample is taken of one of them, at random.

    Two copies of the same code differ by up to 3% in time for as long as they live, because
    their tensors lie at other addresses (with one copy a side, 74 of 100 intervals of an
    addition of 64 x 64 numbers against itself held 1.0). T. Mytkowicz et al., "Producing Wrong
    Data Without Doing Anything Obviously Wrong!", ASPLOS 2009, 265-276, found layout to matter
    as much, and advise to draw it at random.
    """

    sides: tuple[Side, ...]
    order: random.Random

    def sample(self, repeats: int, untimed: int = 0) -> float:
        """Time `repeats` calls, in seconds: of one copy, on a card of all copies in turn."""
        if len(self.sides) > 1 and self.sides[0].machine.device.in_use:
            return sample_in_turns(self.order.sample(self.sides, len(self.sides)), repeats)
        return self.order.choice(self.sides).sample(repeats, untimed)

    def busy(self) -> float | None:
        """Give the share of its samples' time that processors worked; None without samples.

        Those that waited most, a tenth and one at least, do not count: a host stops any of them,
        and the median of the ratios does not see so few.
        """
        spent = sorted((s for side in self.sides for s in side.spent), key=_waited)
        kept = spent[: len(spent) - max(1, len(spent) // 10)] or spent
        seconds = sum(wall for wall, _ in kept)
        return sum(work for _, work in kept) / seconds if seconds > 0 else None


def _waited(spent: tuple[float, float]) -> float:
    wall, work = spent
    return wall - work


def enlist(
    pairing: Pairing, machine: Machine, order: random.Random, *, last: bool
) -> tuple[Side, Side]:
    """Build the baseline and the candidate, the baseline first or `last`, at random places.

    What is built first gets other memory, in each process; so the rounds take turns.
    """
    sides = (
        ("baseline", pairing.baseline, pairing.off),
        ("candidate", pairing.candidate, ""),
    )
    made = {
        name: Side(name, cells, off, machine, order.randrange(64, HUGE))
        for name, cells, off in (reversed(sides) if last else sides)
    }
    return made["baseline"], made["candidate"]


def recruit(
    baseline: Side, candidate: Side, allowance: float, clock: Clock, order: random.Random
) -> tuple[Crew, Crew]:
    """Build copies of both sides for `allowance` seconds; at least the originals serve.

    What takes long to build (a model, a compilation) has long calls as well, on which layout
    has little influence.
    """
    ours, theirs = [baseline], [candidate]
    start = clock()
    took = baseline.built_in + candidate.built_in
    room = baseline.machine.device.has_room
    while len(ours) < MOST and clock() - start + took <= allowance and room():
        began = clock()
        made: dict[int, Side] = {}
        try:
            for which in order.sample((0, 1), 2):
                made[which] = (baseline, candidate)[which].copy(order.randrange(64, SPACE))
        except UnfairError:  # it can be built only once in a process
            break
        ours.append(made[0])
        theirs.append(made[1])
        took = clock() - began
    return Crew(sides=tuple(ours), order=order), Crew(sides=tuple(theirs), order=order)
