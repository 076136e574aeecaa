"""Where `wiki verify` runs: this machine, or the machines of a Ray cluster."""

import contextlib
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from wiki_tools.config import Config
from wiki_tools.environment import resolve_versions
from wiki_tools.errors import UsageError, printable
from wiki_tools.protocol import Environment

if TYPE_CHECKING:
    from wiki_tools.cli.request import Request
    from wiki_tools.protocol import Job, Outcome
    from wiki_tools.runner import Executor, Given
    from wiki_tools.runner.early import Early
    from wiki_tools.snippets import Snippet


class Where(enum.StrEnum):
    """Which machines run."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What runs, and what is known of the machine that it runs on."""

    executor: "Executor"
    environment: Environment
    cores: int
    """That a measurement has to itself."""
    machines: int = 1
    """On which measurements run."""
    resolve: Callable[[tuple[str, ...]], Mapping[str, str]] = resolve_versions


@contextlib.contextmanager
def this_machine(
    config: Config,
    environment: Environment,
    jobs: int,
    start: str,
    given: "Given",
    use_cache: bool,
    early: "Early | None" = None,
) -> Iterator[Place]:
    """Get ready to run `jobs` at a time here, 0 for one a core; `start` is one of `STARTS`."""
    from wiki_tools.runner.choice import choose_executor
    from wiki_tools.runner.compiled import Compiled

    cores = os.cpu_count() or 1
    compiled = Compiled.of_user() if use_cache else None
    with choose_executor(config, jobs or cores, start, given, compiled, early) as executor:
        yield Place(executor=executor, environment=environment, cores=cores)


def start_early(request: "Request") -> "Early":
    """Start the parent that pages will probably need here, while they are being read."""
    from wiki_tools.runner.choice import forks
    from wiki_tools.runner.compiled import Compiled
    from wiki_tools.runner.early import Early, guess_key

    environment = request.environment
    if environment is None or not forks(request.start):
        return Early()
    folder = request.folder(environment)
    paths, every = request.paths, request.every
    key = guess_key(request.config, environment.device, folder, paths, every=every)
    if key is None:
        return Early()
    compiled = Compiled.of_user() if request.cache else None
    return Early.start(key, request.config, request.jobs or os.cpu_count() or 1, compiled)


class ChangedMeanwhile(Exception):  # noqa: N818 - nobody's error: somebody has edited a page
    """There is something to run where there should be nothing."""


class _Nobody:
    """Runs nothing, and says so where anything is to be run."""

    def run(self, jobs: "Iterable[Job]") -> "Iterator[Outcome]":
        if list(jobs):
            raise ChangedMeanwhile
        return iter(())


@contextlib.contextmanager
def nowhere(environment: Environment) -> Iterator[Place]:
    """Get ready to find that nothing is to be run.

    Raises:
        ChangedMeanwhile: something is.
    """
    yield Place(executor=_Nobody(), environment=environment, cores=1)


@contextlib.contextmanager
def a_cluster(
    config: Config,
    snippets: "Sequence[Snippet]",
    device: str,
    jobs: int,
    start: str,
    given: "Given",
) -> Iterator[Place]:
    """Get ready to run `jobs` at a time on each machine of a cluster, 0 for one a core.

    Whatever runs there is started and confined as it would be here.

    Raises:
        UsageError: there is no cluster, none of its machines has such a device, or a module of
            the vault cannot be read.
        WorkerError: none of its machines could be used.
    """
    from wiki_tools.runner.choice import choose_executor
    from wiki_tools.runner.cluster import Kit, join_cluster
    from wiki_tools.runner.ray import RayExecutor

    choose_executor(config, jobs, start).close()  # refuses here what no machine would take
    packages = tuple(sorted({name for snippet in snippets for name in snippet.packages}))
    modules = {path for snippet in snippets for path in snippet.modules}
    files = {path: _read(config.root / path) for path in sorted(modules)}
    kit = Kit(config=config, packages=packages, modules=files, start=start)
    with join_cluster(kit, _tell) as cluster:
        ray = RayExecutor(
            cluster, device=device, jobs=jobs, packages=packages, tell=_tell, given=given
        )
        yield Place(
            executor=ray,
            environment=ray.environment,
            cores=ray.cores,
            machines=ray.machines,
            resolve=ray.resolve,
        )


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: a page imports it: {error.strerror}") from error


def _tell(text: str) -> None:
    typer.echo(f"wiki: {printable(text)}", err=True)
