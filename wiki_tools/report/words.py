"""What a report says, in words for people."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from wiki_tools.claims import Claim
from wiki_tools.errors import counted, printable, shortened
from wiki_tools.measure import BUSY
from wiki_tools.protocol import Outcome
from wiki_tools.report.accounts import PageAccount, totals
from wiki_tools.report.types import ComparisonReport, SnippetReport
from wiki_tools.stats import Interval
from wiki_tools.verdicts import why_unclear

_TOLD = 2_000
"""Characters of a message: as many as a worker passes on of an exception's."""


def title_of(row: SnippetReport) -> str:
    """The heading that a snippet stands under, with its role."""
    title = shortened(row.snippet.heading.text if row.snippet.heading else row.snippet.id)
    return f"{title} ({row.snippet.role})" if row.snippet.role else title


def status_of(row: SnippetReport) -> str:
    """How a snippet's run ended; `unverified` where there is no evidence."""
    return row.evidence.outcome.status.value if row.evidence else "unverified"


def message_of(outcome: Outcome) -> str:
    """What a run said of itself, which may quote an attribute or a name of any length."""
    return shortened(outcome.message, _TOLD)


def spoken(word: str) -> str:
    """A status as people write it."""
    return word.replace("_", " ")


def number(value: float) -> str:
    """A ratio with three digits: 0.987, 3.71, 24.1, 1270."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def interval(ratio: Interval) -> str:
    """A ratio with its interval: `3.71x (3.6 to 3.8)`."""
    return f"{number(ratio.estimate)}x ({number(ratio.low)} to {number(ratio.high)})"


def comparison_words(row: ComparisonReport) -> str:
    """What a comparison showed: `2.1x (2 to 2.2) over the section's baseline`, or why nothing."""
    seen = row.measurement
    memory = row.comparison.pairing.metric == "memory"
    other = compared_with(row)
    if seen is None:
        return f"{'memory ' if memory else ''}not measured against {other}"
    if seen.ratio is None:
        reason = seen.invalid or why_unclear(seen)
        return f"no ratio {'of memory to' if memory else 'over'} {other}: {reason}"
    words = f"{interval(seen.ratio)} {'the memory of' if memory else 'over'} {other}"
    return f"{words}, {busy_words(seen.busy)}" if seen.busy > BUSY else words


def busy_words(cores: float) -> str:
    """Mark a ratio that decides nothing: other programs kept the machine busy meanwhile."""
    return f"busy: other programs used {cores:.1f} cores"


def compared_with(row: ComparisonReport) -> str:
    """What a comparison's ratio is over, with the size at which both were measured."""
    size = row.comparison.pairing.size
    return f"{row.comparison.meaning} at {size}" if size else row.comparison.meaning


def claim_words(claim: Claim) -> str:
    """What a claim says: `speedup of 2 to 8`, `growth with exponent 1.8 to 2.2`."""
    most = f"to {number(claim.high)}" if math.isfinite(claim.high) else "or more"
    span = f"{number(claim.low)} {most}"
    return f"growth with exponent {span}" if claim.kind == "growth" else f"{claim.kind} of {span}"


def snippet_totals(rows: Sequence[SnippetReport]) -> str:
    """How many snippets ended how, and what became of how many claims."""
    ended = Counter(spoken(status_of(row)) for row in rows)
    verdicts = [verdict for row in rows for verdict in row.verdicts]
    judged = Counter(v.judgement.value for v in verdicts)
    text = f"{counted(len(rows), 'snippet')}: {_counted(ended)}."
    claims = f"{counted(len(verdicts), 'claim')}: {_counted(judged)}."
    return f"{text} {claims}" if verdicts else text


def fence_totals(accounts: Sequence[PageAccount], quote: Callable[[str], str] = printable) -> str:
    """Every fence of every page: it ran, or it did not, for a reason.

    A reason may be a page's own words, or a snippet's: `quote` makes them safe where they stand.
    """
    ran, every = totals(accounts)
    reasons: Counter[str] = Counter()
    for reason, count in every.items():
        reasons[quote(shortened(reason))] += count
    text = f"{counted(ran + reasons.total(), 'fence')}: {ran} ran"
    return f"{text}, {reasons.total()} did not: {_counted(reasons)}." if reasons else f"{text}."


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{n} {word}" for word, n in counter.most_common()) or "none"
