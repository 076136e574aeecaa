"""Verifies a small wiki in processes that are killed; run by test_killed.py in one of its own.

`python -m tests.killing FOLDER SEED ROUNDS` prints a line for each round. Snippets do not run: what
is killed is whoever records what became of them.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support import make_outcome
from tests.test_runner import HERE
from wiki_tools.config import Config, read_config
from wiki_tools.ledger import LOCAL, Ledger
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Job, Outcome
from wiki_tools.runner.step import Step
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import Snippet, extract_all

PAGES, SECTIONS = 8, 5


class Hasty:
    """Takes about a millisecond for each job."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        for job in jobs:
            time.sleep(0.0005)
            yield make_outcome(job)


def write_wiki(root: Path, number: int) -> Config:
    """Write pages of which no snippet is as it was in another round."""
    (root / "docs").mkdir(exist_ok=True)
    for page in range(PAGES):
        rows = (f"### Pattern {n}\n```python\nx = {n} + {number}\n```\n" for n in range(SECTIONS))
        text = f"---\nid: page-{page}\n---\n{''.join(rows)}"
        (root / "docs" / f"{page}.md").write_text(text, encoding="utf-8")
    return read_config(root / "docs")


def verify(config: Config, snippets: tuple[Snippet, ...], told: int) -> None:
    """Verify a wiki, and write each snippet's id to a pipe as soon as it is said to be done."""

    def watch(step: Step) -> None:
        if step.snippet and step.kind == "ran":
            os.write(told, f"{step.snippet}\n".encode())

    verifier = Verifier(
        config=config, environment=HERE, folder=LOCAL, executor=Hasty(), watch=watch, measure=False
    )
    verifier.verify(snippets, Ledger.read(config.evidence))


def start(config: Config, snippets: tuple[Snippet, ...]) -> tuple[int, int]:
    """Start a process that verifies; give its id and the pipe's end."""
    here, there = os.pipe()
    pid = os.fork()
    if pid:
        os.close(there)
        return pid, here
    try:
        verify(config, snippets, there)
        os._exit(0)
    finally:
        os._exit(1)


def finish(pid: int, pipe: int) -> tuple[list[str], int]:
    """Wait for a process; give what it said to be done, and how it ended."""
    with open(pipe, encoding="utf-8") as stream:
        said = stream.read().splitlines()
    return said, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def fresh(config: Config, snippets: Iterable[Snippet]) -> set[str]:
    """Ids of the snippets of which there is evidence, all of which has to be readable."""
    ledger = Ledger.read(config.evidence)
    assert ledger.damaged == (), ledger.damaged
    rows = ledger.evidence.get(LOCAL, {})
    return {s.id for s in snippets if s.id in rows and rows[s.id].digest == s.digest}


def kill_once(root: Path, number: int, moment: float) -> tuple[int, int]:
    """Kill a verification; whoever comes next does what is left. Gives how much each has done."""
    config = write_wiki(root, number)
    snippets = extract_all(config, read_pages(config))
    everything = {snippet.id for snippet in snippets}
    assert fresh(config, snippets) == set()
    pid, pipe = start(config, snippets)
    time.sleep(moment)
    os.kill(pid, signal.SIGKILL)
    said, _ = finish(pid, pipe)
    kept = fresh(config, snippets)
    assert kept >= set(said), f"lost {set(said) - kept}"
    again, code = finish(*start(config, snippets))
    assert (code, set(again)) == (0, everything - kept)
    assert fresh(config, snippets) == everything
    return len(kept), len(again)


def verify_twice(root: Path, number: int) -> None:
    """Verify a wiki in two processes at once: neither loses what the other saw."""
    config = write_wiki(root, number)
    snippets = extract_all(config, read_pages(config))
    both = [start(config, snippets), start(config, snippets[::-1])]
    assert [finish(*each)[1] for each in both] == [0, 0]
    assert fresh(config, snippets) == {snippet.id for snippet in snippets}


def time_once(root: Path, number: int) -> float:
    """Seconds that a verification takes which nobody kills."""
    config = write_wiki(root, number)
    snippets = extract_all(config, read_pages(config))
    begun = time.perf_counter()
    finish(*start(config, snippets))
    return time.perf_counter() - begun


def main() -> None:
    """Kill as often as the command line says."""
    root, seed, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    verify_twice(root, rounds)
    longest = time_once(root, rounds + 1)
    for number in range(rounds):
        kept, left = kill_once(root, number, chance.uniform(0, longest))
        sys.stdout.write(f"{kept} {left}\n")


if __name__ == "__main__":
    main()
