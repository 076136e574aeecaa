"""Runs snippets through a swappable executor and records evidence."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self

from wiki_tools.protocol import Job, Outcome

Given = Callable[[Job], None]
"""Is told of each job as it is handed out, in whatever thread, for whoever shows progress."""


def tell_nobody(_job: Job) -> None:
    """Take in that a job was handed out, where nobody shows progress."""


class Closing(ABC):
    """Is closed where its `with` block ends."""

    @abstractmethod
    def close(self) -> None:
        """End all that was started."""

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it, whatever happened."""
        self.close()


class Executor(Protocol):
    """Where jobs run: this machine, a cluster, or a test's imagination."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs and give each outcome as it comes, in any order, one for each job.

        Raises:
            WorkerError: the machinery broke; says nothing about the snippets.
        """
        ...
