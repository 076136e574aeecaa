"""The values of a report."""

import enum
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.environment import Environment
from wiki_tools.ledger import Evidence
from wiki_tools.measure import Comparison, Measurement
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet
from wiki_tools.verdicts import Verdict


class PageStatus(enum.StrEnum):
    """What evidence supports, in one environment; the first that applies wins."""

    FAILING = "failing"
    OUTDATED = "outdated"
    PARTIAL = "partial"
    VERIFIED = "verified"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport:
    """A comparison as one environment measured it."""

    comparison: Comparison
    measurement: Measurement | None
    """None where it was never measured, or what it timed has changed."""
    verdicts: tuple[Verdict, ...]
    """One for each claim that speaks of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetReport:
    """A snippet as one environment saw it."""

    snippet: Snippet
    environment: str
    """Folder name of the environment."""
    evidence: Evidence | None
    outdated: bool
    comparisons: tuple[ComparisonReport, ...]
    unreached: tuple[Verdict, ...] = ()
    """For each claim of its fence that no comparison speaks of: untested, and why."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All that is said of its claims."""
        return (*(v for row in self.comparisons for v in row.verdicts), *self.unreached)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentReport:
    """A page in one environment."""

    name: str
    """Folder name."""
    environment: Environment
    status: PageStatus
    reasons: tuple[str, ...]
    snippets: tuple[SnippetReport, ...]
    last_verified: str
    """The newest record of the page, UTC; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReport:
    """A page with all that is known of it."""

    page: Page
    snippets: tuple[Snippet, ...]
    environments: tuple[EnvironmentReport, ...]
    """The strongest device first."""
    aged: bool
    claims: tuple[Claim, ...] = ()
    """All that this page says, in its own language and lines."""
