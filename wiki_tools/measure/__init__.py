"""Plans comparisons and turns samples into measurements."""

from wiki_tools.measure.ablations import ABLATIONS, Ablation, find_ablations
from wiki_tools.measure.plan import plan_comparisons
from wiki_tools.measure.rounds import BUSY, add_round
from wiki_tools.measure.summary import summarize
from wiki_tools.measure.types import Comparison, Measurement

__all__ = [
    "ABLATIONS",
    "BUSY",
    "Ablation",
    "Comparison",
    "Measurement",
    "add_round",
    "find_ablations",
    "plan_comparisons",
    "summarize",
]
