"""Which comparisons of a run lack rounds, as its evidence grows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.claims import claims_of_fence
from wiki_tools.config import Config
from wiki_tools.ledger import Evidence
from wiki_tools.measure import Comparison, plan_comparisons
from wiki_tools.protocol import Status
from wiki_tools.runner.rounds import Rounds
from wiki_tools.runner.step import Step
from wiki_tools.snippets import Snippet

Todo = Mapping[str, tuple[Comparison, ...]]
"""Comparisons by the id of their snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """All comparisons of snippets that pass, and what is known of them by now."""

    snippets: Mapping[str, Snippet]
    comparisons: Todo
    evidence: Mapping[str, Evidence]
    """Of each snippet; it grows while this is in use."""
    asked: int
    """The setting `rounds`."""
    oldest: str
    """What was measured before counts as not there."""
    share: float
    """Seconds that a round of a comparison may spend on its samples."""
    machines: int

    @classmethod
    def of(
        cls,
        config: Config,
        pages: Mapping[str, Sequence[Snippet]],
        evidence: Mapping[str, Evidence],
        oldest: str,
        machines: int = 1,
    ) -> "Planned":
        """Plan what there is to compare."""
        snippets: dict[str, Snippet] = {}
        comparisons: dict[str, tuple[Comparison, ...]] = {}
        for page in pages.values():
            for snippet in page:
                found = evidence.get(snippet.id)
                if found and found.outcome.status is Status.PASSED:
                    planned = plan_comparisons(config, snippet, page, choice=found.choice)
                    snippets[snippet.id], comparisons[snippet.id] = snippet, planned
        return cls(
            snippets=snippets,
            comparisons=comparisons,
            evidence=evidence,
            asked=config.rounds,
            oldest=oldest,
            share=config.budget / config.rounds,
            machines=machines,
        )

    def of_snippet(self, key: str) -> Rounds:
        """Give the rounds of a snippet's comparisons."""
        snippet = self.snippets[key]
        claims = tuple(claims_of_fence(snippet.path, snippet.fence, snippet.id))
        found = self.evidence[key]
        return Rounds(found=found, asked=self.asked, oldest=self.oldest, claims=claims)

    def unmeasured(self, among: Todo | None = None) -> dict[str, tuple[Comparison, ...]]:
        """Pick those that lack samples, of all or among those that did before the last round."""
        todo = self.comparisons if among is None else among
        return {
            key: lacking
            for key, planned in todo.items()
            if (lacking := self.of_snippet(key).unmeasured(planned))
        }

    def lacking(self, todo: Todo) -> int:
        """Count the rounds that whichever has the fewest lacks; 1 where none is timed."""
        return max((self.of_snippet(key).lacking(row) for key, row in todo.items()), default=1)

    def are_open(self, todo: Todo) -> bool:
        """Say whether the first rounds of one of them have left a claim open."""
        return any(self.of_snippet(key).are_open(row) for key, row in todo.items())

    def step(self, todo: Todo, number: int, tries: int) -> Step:
        """Tell that a round begins, and what is to come.

        Args:
            todo: what it measures.
            number: how many there were before it, in this run.
            tries: how many there can be at most.
        """
        seconds = {key: self._seconds(key, row) for key, row in todo.items()}
        left = {key: self._left(todo, key, tries - number) for key in todo}
        return Step(
            kind="measured",
            total=sum(map(len, todo.values())),
            weights=seconds,
            round=number + 1,
            rounds_left=max(left.values(), default=0),
            later=sum(seconds[key] * left[key] for key in todo),
        )

    def _seconds(self, key: str, comparisons: Sequence[Comparison]) -> float:
        """Guess how long a round takes: both sides run, and their samples are taken."""
        each = 2 * self.evidence[key].outcome.seconds + self.share
        return len(comparisons) * each / self.machines

    def _left(self, todo: Todo, key: str, most: int) -> int:
        """Count the rounds that will follow this one."""
        return max(0, min(self.of_snippet(key).lacking(todo[key]), most) - 1)
