"""Runs snippets through a swappable executor and records evidence."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from wiki_tools.protocol import Job, Outcome


class Executor(Protocol):
    """Where jobs run: this machine, a cluster, or a test's imagination."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs and give each outcome as it comes, in any order, one for each job.

        Raises:
            WorkerError: the machinery broke; says nothing about the snippets.
        """
        ...
