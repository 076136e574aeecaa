"""Holds a measurement against its claim."""

import enum
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.measure import Measurement


class Judgement(enum.StrEnum):
    """What evidence says of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A claim judged in one environment."""

    claim: Claim
    judgement: Judgement
    reason: str
    measurement: Measurement | None = None
