"""Codes of findings in front matter."""

from wiki_tools.checks.diagnostic import Code

ROWS = (
    Code(
        name="unclosed-frontmatter",
        severity="error",
        meaning="A front matter opens with --- and never ends.",
        why="Nobody can tell where the text begins, so none of the keys is read, and readers "
        "see them as text.",
        example={"docs/Notes.md": "---\ntitle: Notes\n\nThe text begins here.\n"},
        hint="Add a line --- below its last key.",
    ),
    Code(
        name="broken-frontmatter",
        severity="error",
        meaning="A front matter is no YAML; its other keys are read nevertheless.",
        why="A colon, a quotation mark or a tab in the wrong place breaks a block of YAML. "
        "Other tools then read none of it.",
        example={"docs/Notes.md": "---\ntitle: Notes: the first\nid: notes\n---\n"},
        hint="Put the value in quotes.",
    ),
    Code(
        name="duplicate-key",
        severity="error",
        meaning="A front matter gives one key twice.",
        why="The first one counts here and the last one in other tools, so that the page says "
        "two things.",
        example={"docs/Notes.md": "---\ntitle: Notes\ntitle: More notes\n---\n"},
        hint="Keep one of them.",
    ),
    Code(
        name="frontmatter-value",
        severity="error",
        meaning="A key of the front matter has a value of the wrong kind.",
        why="What cannot be understood counts as absent: a date that is none never makes a "
        "page look fresh. An info where it is the status or the category of a page, and no key "
        "on it is one that only this wiki has, such as last_reinforced: its owner means it so.",
        example={"docs/Notes.md": "---\nlast_reinforced: last spring\n---\n"},
        hint="Write what the message expects.",
    ),
    Code(
        name="unspaced-item",
        severity="error",
        meaning="An item of a list in a front matter has no space behind its -.",
        why="YAML reads the lines as one text, so that the list has no items.",
        example={"docs/Notes.md": "---\naliases:\n  -Jottings\n  -Remarks\n---\n"},
        hint="Write a space between - and the item.",
    ),
    Code(
        name="unquoted-link",
        severity="warning",
        meaning="A link in a front matter has no quotes, so YAML reads a list in a list.",
        why="The link is understood here. Obsidian and other tools see no link.",
        example={
            "docs/Notes.md": "---\nraw_sources: [[Lens]]\n---\n",
            "docs/Lens.md": "# Lens\n",
        },
        hint='Put it in quotes: `"[[Page]]"`.',
    ),
    Code(
        name="swallowed-value",
        severity="warning",
        meaning="A value in a front matter begins with #, so YAML reads a comment and no value.",
        why="The key counts as empty: a tag that is written as in the text is lost.",
        example={"docs/Notes.md": "---\ntags: #optics\n---\n"},
        hint="Put it in quotes.",
    ),
    Code(
        name="json-frontmatter",
        severity="info",
        meaning="A front matter is written as JSON; a warning where it has no --- lines.",
        why="It is read here. Other tools expect YAML between two lines --- and may see text.",
        example={"docs/Notes.md": '---\n{"title": "Notes", "id": "notes"}\n---\n'},
        hint="Write key: value, one a line, between two lines ---.",
    ),
    Code(
        name="unknown-key",
        severity="warning",
        meaning="A key is within two letters of a known one.",
        why="Keys of your own are welcome. One that is nearly a known key is most likely a "
        "typing error, and what it says is not read.",
        example={"docs/Notes.md": "---\nalaises: [Jottings]\n---\n"},
        hint="Correct its spelling.",
    ),
    Code(
        name="category-mismatch",
        severity="warning",
        meaning="A page does not lie at or below its category.",
        why="The category says where a page belongs. Where the two differ, those who browse "
        "and those who filter find different pages. An info on a page without any key that only "
        "this wiki has, such as last_reinforced: its category may be no folder.",
        example={
            "docs/Optics/Lens.md": "---\ncategory: Mechanics\nlast_reinforced: 2026-11-01\n---\n"
        },
        hint="Move the page, or correct the category.",
    ),
    Code(
        name="aged-page",
        severity="info",
        meaning="A page was last reinforced long ago.",
        why="What was true of a library then may not be now. The limit is the setting "
        "`aged_days`, 365 where nothing else is set.",
        example={"docs/Notes.md": "---\nlast_reinforced: 2020-01-31\n---\n"},
        hint="Read it again and write today's date as last_reinforced.",
    ),
)
