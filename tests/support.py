"""Makes pages and snippets out of text, for the tests of every module."""

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wiki_tools.config import Config, read_config
from wiki_tools.pages import Page, read_page
from wiki_tools.protocol import Job, Outcome, Samples, Status
from wiki_tools.snippets import Snippet, extract_snippets

TESTS = Path(__file__).parent
SEED = TESTS / "wikis" / "seed"


def make_config(root: Path | None = None, sandbox: str = "auto") -> Config:
    """Settings of a vault at `root`; by default one that has no file at all."""
    root = root or Path("/nonexistent/vault")
    return Config(
        docs=root / "docs",
        root=root,
        evidence=root / "evidence",
        snippets=root / "snippets",
        sandbox=sandbox,
    )


def make_page(text: str, path: str = "page.md", config: Config | None = None) -> Page:
    """Read `text` as the page at `path` below docs."""
    return read_page(config or make_config(), path, text)


def make_snippets(
    text: str, path: str = "page.md", config: Config | None = None
) -> tuple[Snippet, ...]:
    """Extract the snippets of a page that holds `text`."""
    config = config or make_config()
    page = make_page(text, path, config)
    return extract_snippets(config, page, (page,))


def make_snippet(code: str, info: str = "python", path: str = "page.md") -> Snippet:
    """Extract the one snippet of a page that holds one fence, under the heading `Pattern 1`."""
    (snippet,) = make_snippets(f"### Pattern 1\n```{info}\n{code.rstrip()}\n```\n", path)
    return snippet


@functools.cache
def seed_config() -> Config:
    """Settings of the seed page's wiki."""
    return read_config(SEED)


@functools.cache
def seed_page() -> Page:
    """The seed page as it stands."""
    config = seed_config()
    (file,) = config.docs.rglob("*.md")
    return read_page(config, file.relative_to(config.docs).as_posix(), file.read_bytes())


@functools.cache
def seed_snippets() -> tuple[Snippet, ...]:
    """The eight patterns of the seed page."""
    return extract_snippets(seed_config(), seed_page(), (seed_page(),))


@dataclass(frozen=True, slots=True)
class FakeExecutor:
    """Answers every job from a table instead of running it."""

    answers: Callable[[Job], Outcome]
    jobs: list[Job] = field(default_factory=list)
    """What it was asked to run, in order."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Answer each job, the last one first: nothing may depend on the order."""
        for job in reversed(list(jobs)):
            self.jobs.append(job)
            yield self.answers(job)


def make_outcome(job: Job, status: Status = Status.PASSED, message: str = "") -> Outcome:
    """What became of a job, with samples of ratio 2 for each pairing of what differs."""
    samples = tuple(
        Samples(
            against=p.against,
            size=p.size,
            metric=p.metric,
            baseline=(2.0 if p.off or p.baseline != p.candidate else 1.0,) * 20,
            candidate=(1.0,) * 20,
        )
        for p in job.pairings
    )
    return Outcome(snippet=job.snippet, status=status, message=message, samples=samples)


def worker_of(pid: int) -> int:
    """The worker below what an executor started, where a sandbox stands in between."""
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:  # it has just ended
        return pid
    return next(iter(children_of(pid)), pid) if name == "bwrap" else pid


def children_of(pid: int) -> list[int]:
    """Direct children of a process; orphans come to the worker that adopts them."""
    try:
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has just ended
        return []
    return [int(word) for word in words]


def processes_below(pid: int) -> list[int]:
    """What descends from a process."""
    found = children_of(pid)
    return [*found, *(below for child in found for below in processes_below(child))]
