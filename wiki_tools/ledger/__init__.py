"""Versioned evidence on disk, written atomically."""

from wiki_tools.ledger.files import LOCAL, VERSION, evidence_file, make_folder
from wiki_tools.ledger.past import past_of
from wiki_tools.ledger.read import Ledger
from wiki_tools.ledger.types import Account, Evidence, Measured, Past
from wiki_tools.ledger.write import Recorder, write_evidence

__all__ = [
    "LOCAL",
    "VERSION",
    "Account",
    "Evidence",
    "Ledger",
    "Measured",
    "Past",
    "Recorder",
    "evidence_file",
    "make_folder",
    "past_of",
    "write_evidence",
]
