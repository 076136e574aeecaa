"""What a check may count: operations, calls, memory, error, and how near to the roof it runs.

A page's `check` fence uses these. Nothing here imports a framework that the page has not imported
itself.
"""

from wiki_tools.probes.clock import seconds
from wiki_tools.probes.counts import calls, flops, growth, max_error, peak_memory
from wiki_tools.probes.roofline import Roof, bound, bytes_moved, intensity, operations, roof
from wiki_tools.probes.sessions import run_session
from wiki_tools.probes.texts import agrees

__all__ = [
    "Roof",
    "agrees",
    "bound",
    "bytes_moved",
    "calls",
    "flops",
    "growth",
    "intensity",
    "max_error",
    "operations",
    "peak_memory",
    "roof",
    "run_session",
    "seconds",
]
