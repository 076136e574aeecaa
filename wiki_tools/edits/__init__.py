"""Changes pages and mends what the change would break."""

from wiki_tools.edits.edit import Edit, Source, apply_edits, insertion, read_source
from wiki_tools.edits.fixes import FIXES
from wiki_tools.edits.patch import Change, as_diff
from wiki_tools.edits.places import refuse_faulty
from wiki_tools.edits.rename import Keep, Plan, plan_rename
from wiki_tools.edits.repair import Repair, plan_repair
from wiki_tools.edits.world import World, make_world, world_of
from wiki_tools.edits.write import write_changes

__all__ = [
    "FIXES",
    "Change",
    "Edit",
    "Keep",
    "Plan",
    "Repair",
    "Source",
    "World",
    "apply_edits",
    "as_diff",
    "insertion",
    "make_world",
    "plan_rename",
    "plan_repair",
    "read_source",
    "refuse_faulty",
    "world_of",
    "write_changes",
]
