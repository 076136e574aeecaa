"""Codes of findings in links."""

from wiki_tools.checks.diagnostic import Code

ROWS = (
    Code(
        name="wanted-page",
        severity="warning",
        meaning="A link names a page that is not there.",
        why="Either the name is misspelt, or the page is still to be written. "
        "`wiki graph --wanted` lists what most pages ask for.",
        example={"docs/index.md": "See [[Gradient Descent]].\n"},
        hint="Write the page, or correct the link.",
    ),
    Code(
        name="ambiguous-link",
        severity="error",
        meaning="A link names more than one page, none nearer than the others.",
        why="A page in the link's own folder wins, then the nearest one. Where that decides "
        "nothing, every tool would pick another page.",
        example={
            "docs/index.md": "See [[Lens]].\n",
            "docs/optics/Lens.md": "A piece of glass.\n",
            "docs/cameras/Lens.md": "Many pieces of glass.\n",
        },
        hint="Write the path of the page that is meant.",
    ),
    Code(
        name="missing-heading",
        severity="error",
        meaning="A link names a heading that its page does not have.",
        why="Readers land at the top of the page and do not find what they were promised.",
        example={
            "docs/index.md": "See [[Lens#Focal length]].\n",
            "docs/Lens.md": "# Lens\n\n## Aperture\n",
        },
        hint="Name one of the page's headings.",
    ),
    Code(
        name="missing-block",
        severity="error",
        meaning="A link names a block that its page does not have.",
        why="The paragraph was moved or removed, or its mark `^id` was.",
        example={"docs/index.md": "See [[Lens#^law]].\n", "docs/Lens.md": "A law. ^rule\n"},
        hint="Put ^ and the block's id at the end of the paragraph that is meant.",
    ),
    Code(
        name="missing-file",
        severity="error",
        meaning="A link names a file that is not there.",
        why="An image or a download that is missing shows as a broken picture or a dead link.",
        example={"docs/index.md": "![[lens.png]]\n"},
        hint="Correct the path.",
    ),
    Code(
        name="cut-link",
        severity="error",
        meaning="The bar of a link in a table ends its cell.",
        why="A table is cut into cells before its links are read: half of the link stands in each "
        "of two cells, and a column too many pushes the last one out of the table.",
        example={
            "docs/index.md": "| glass |\n|---|\n| [[Lens|a lens]] |\n",
            "docs/Lens.md": "# Lens\n",
        },
        hint=r"Write `\|` instead of the bar.",
    ),
    Code(
        name="distant-link",
        severity="info",
        meaning="A Markdown link names a page of another folder without saying the folder.",
        why="Obsidian writes such links, and finds the page as long as no other is called so; the "
        "site does as well. GitHub looks in the link's own folder only, and finds nothing.",
        example={"docs/index.md": "See [a lens](Lens.md).\n", "docs/optics/Lens.md": "Glass.\n"},
        hint="Write the path from the link's own page.",
    ),
    Code(
        name="self-link",
        severity="info",
        meaning="A page links to itself.",
        why="It leads nowhere. Mostly another page was meant, or a heading of this one.",
        example={"docs/Lens.md": "A [[Lens]] bends light.\n"},
        hint="Name a heading, or remove the link.",
    ),
    Code(
        name="link-to-duplicate",
        severity="info",
        meaning="A link names a page that only redirects.",
        why="Readers take a detour, and the link breaks once the duplicate is removed.",
        example={
            "docs/index.md": "See [[Lenses]].\n",
            "docs/Lens.md": "---\nid: lens\n---\n",
            "docs/Lenses.md": "---\nid: lenses\nduplicate_of: lens\n---\n",
        },
        hint="Name the page that it stands for.",
    ),
    Code(
        name="orphan-page",
        severity="info",
        meaning="No page leads to this one.",
        why="Those who read from page to page never come by. A page named index or README is "
        "an entrance and needs no link.",
        example={"docs/index.md": "Welcome.\n", "docs/Lens.md": "# Lens\n"},
        hint="Link to it from a page that its readers come by.",
    ),
    Code(
        name="parent-cycle",
        severity="error",
        meaning="Pages are each other's parents in a circle.",
        why="Parents make a tree that readers climb. In a circle there is no top, and each "
        "page would be above itself.",
        example={
            "docs/Lens.md": "## Graph\n- Parent: [[Optics]]\n",
            "docs/Optics.md": "## Graph\n- Parent: [[Lens]]\n",
        },
        hint="Remove the parent that is not above its page.",
    ),
)
