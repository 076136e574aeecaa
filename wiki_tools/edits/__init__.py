"""Changes pages and mends what the change would break."""

from wiki_tools.edits.edit import Edit, Source, apply_edits, insertion, read_source
from wiki_tools.edits.patch import Change, as_diff
from wiki_tools.edits.places import refuse_faulty
from wiki_tools.edits.rename import Keep, Plan, plan_rename
from wiki_tools.edits.world import World, make_world, world_of
from wiki_tools.edits.write import write_changes

__all__ = [
    "Change",
    "Edit",
    "Keep",
    "Plan",
    "Source",
    "World",
    "apply_edits",
    "as_diff",
    "insertion",
    "make_world",
    "plan_rename",
    "read_source",
    "refuse_faulty",
    "world_of",
    "write_changes",
]
