"""Whether an interval says where the next run comes out: the same page, measured again."""

import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from wiki_tools.cli.places import this_machine
from wiki_tools.config import Config, read_config
from wiki_tools.environment import describe_environment
from wiki_tools.ledger import LOCAL, Ledger
from wiki_tools.measure import summarize
from wiki_tools.measure.rounds import rounds_of
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Samples
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import Snippet, extract_all
from wiki_tools.stats import Interval, ratio_interval

RUNS = int(os.environ.get("RUNS", "5"))
"""Times that everything is measured; 3 at least."""
PAGE = os.environ.get("PAGE", "10_Wiki/Topics/AI_and_ML/Transformer.md")
"""Below `docs`."""

Key = tuple[str, str, str]
"""What a ratio is of: snippet, what it is measured against, size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one run says of one ratio."""

    rounds: Interval
    """From all rounds."""
    alone: Interval
    """From the pairs of the first round only, as if no other process would differ."""


def print_table() -> None:
    """Print how often an interval holds the mean of what the other runs found.

    That mean is not the truth either: of five runs whose intervals hold the truth in 95%, 93%
    hold the mean of the other four.
    """
    config = read_config(Path("docs"))
    snippets = snippets_of(config)
    runs = [dict(measure(config, snippets)) for _ in range(RUNS)]
    table = Table("interval of", "ratios", "hold the other runs", "half-width, median")
    table.title = f"repeating: {PAGE}, measured {RUNS} times"
    table.add_row("its rounds", *told([{k: s.rounds for k, s in run.items()} for run in runs]))
    table.add_row("one round", *told([{k: s.alone for k, s in run.items()} for run in runs]))
    Console().print(table)


def measure(config: Config, snippets: Sequence[Snippet]) -> Iterator[tuple[Key, Seen]]:
    """Measure the page from nothing, as `wiki verify --all` does."""
    environment = describe_environment("cpu")
    with TemporaryDirectory() as folder:
        config = replace(config, evidence=Path(folder))
        with this_machine(config, environment, 0, "", lambda _job: None, False) as place:
            Verifier(
                config=config,
                environment=environment,
                folder=LOCAL,
                executor=place.executor,
                threads=place.cores,
            ).verify(snippets, Ledger.read(config.evidence))
        for row in Ledger.read(config.evidence).evidence[LOCAL].values():
            for samples in (measured.samples for measured in row.measured):
                if seen := seen_in(samples):
                    yield (row.snippet, samples.against, samples.size), seen


def snippets_of(config: Config) -> tuple[Snippet, ...]:
    """All snippets of the page."""
    snippets = extract_all(config, read_pages(config))
    return tuple(snippet for snippet in snippets if snippet.path == PAGE)


def seen_in(samples: Samples) -> Seen | None:
    """What samples of time say; None where they say nothing."""
    first = rounds_of(samples)[0]
    alone = ratio_interval(samples.baseline[:first], samples.candidate[:first])
    rounds = summarize(samples).ratio
    return Seen(rounds=rounds, alone=alone) if samples.rounds and rounds and alone else None


def told(runs: Sequence[Mapping[Key, Interval]]) -> list[str]:
    """Say how many intervals hold the mean of the others, and how wide they are."""
    held, widths = list[bool](), list[float]()
    for key in set.intersection(*map(set, runs)):
        for number, run in enumerate(runs):
            others = [other[key].estimate for other in (*runs[:number], *runs[number + 1 :])]
            held.append(run[key].low <= statistics.geometric_mean(others) <= run[key].high)
            widths.append(run[key].half_width)
    share = f"{statistics.mean(held):.0%}" if held else "-"
    return [f"{len(held)}", share, f"{statistics.median(widths):.1%}" if widths else "-"]
