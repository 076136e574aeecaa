"""Codes of findings in what pages are called, stand for and translate."""

from wiki_tools.checks.diagnostic import Code

ROWS = (
    Code(
        name="duplicate-id",
        severity="error",
        meaning="Two pages have one id.",
        why="Evidence, redirects and links by id belong to one page; here the first by its "
        "path keeps them. Translations share an id and are no duplicates.",
        example={"docs/Lens.md": "---\nid: lens\n---\n", "docs/Mirror.md": "---\nid: lens\n---\n"},
        hint="Give each page its own id.",
    ),
    Code(
        name="duplicate-title",
        severity="warning",
        meaning="Two pages have one title.",
        why="A link by that title may mean either, and in a list of results readers cannot "
        "tell them apart. Case, spaces, hyphens and underscores make no difference. "
        "An info where both titles are their files' names, in two folders.",
        example={"docs/a.md": "# Focal Length\n", "docs/b.md": "# focal-length\n"},
        hint="Tell them apart, or make one a duplicate_of the other.",
    ),
    Code(
        name="duplicate-alias",
        severity="warning",
        meaning="An alias is also another page's alias, title, id or file name.",
        why="A file's name wins over a title, a title over an alias: links by this alias lead "
        "to the other page, or to neither.",
        example={"docs/Lens.md": "---\naliases: [Mirror]\n---\n", "docs/Mirror.md": "# Mirror\n"},
        hint="Remove it from one of the pages.",
    ),
    Code(
        name="similar-pages",
        severity="info",
        meaning="Most of a page's text stands on another page as well.",
        why="One of them will be mended and the other forgotten. Sentences and lines are "
        "compared; those that many pages share, as a template's, do not count. Translations "
        "and declared duplicates may share their text.",
        example={
            name: f"# {title}\n\n"
            "A convex lens bends parallel rays so that they meet in its focus.\n"
            "The distance from the lens to its focus is the focal length.\n"
            "Two thin lenses in contact act as one whose power is the sum of theirs.\n"
            "A stronger curvature or a denser glass makes the focal length shorter.\n"
            "An object beyond the focus has a real image on the other side.\n"
            for name, title in (("docs/Lens.md", "Lens"), ("docs/Lens copy.md", "Lens again"))
        },
        hint="Merge them, make one a duplicate_of the other, or link to what they share.",
    ),
    Code(
        name="missing-canonical",
        severity="error",
        meaning="canonical_id or duplicate_of names no page.",
        why="A redirect to nowhere: readers of the duplicate, and links to it, find nothing.",
        example={"docs/Lenses.md": "---\nid: lenses\nduplicate_of: lens\n---\n"},
        hint="Name the id of a page.",
    ),
    Code(
        name="canonical-chain",
        severity="error",
        meaning="canonical_id or duplicate_of leads to a page that itself stands for another.",
        why="Readers would be redirected twice. One step has to lead to the page that counts.",
        example={
            "docs/a.md": "---\nid: lens\n---\n",
            "docs/b.md": "---\nid: lenses\nduplicate_of: lens\n---\n",
            "docs/c.md": "---\nid: glasses\nduplicate_of: lenses\n---\n",
        },
        hint="Name the last page of the chain.",
    ),
    Code(
        name="canonical-cycle",
        severity="error",
        meaning="Pages stand for each other in a circle.",
        why="None of them is the one that counts, so each is shown as if it stood for itself.",
        example={
            "docs/a.md": "---\nid: lens\nduplicate_of: lenses\n---\n",
            "docs/b.md": "---\nid: lenses\nduplicate_of: lens\n---\n",
        },
        hint="Make one of them canonical_id: self and duplicate_of: none.",
    ),
    Code(
        name="translation-id",
        severity="error",
        meaning="A translation has another id than its page.",
        why="A page and its translations are one node of the graph, with the same evidence.",
        example={
            "docs/Lens.md": "---\nid: lens\n---\n",
            "docs/Lens.ko.md": "---\nid: lens-ko\n---\n",
        },
        hint="Give both one id, or leave the translation's out.",
    ),
    Code(
        name="translation-differs",
        severity="error",
        meaning="A translation has other code, roles, attributes or assertions than its page.",
        why="What was run and measured is the page's code. Readers of the translation have to "
        "see the same.",
        example={
            "docs/Sums.md": "```python\ntotal = sum(range(10))\n```\n",
            "docs/Sums.ko.md": "```python\ntotal = sum(range(11))\n```\n",
        },
        hint="Copy the fence from the page; comments may differ.",
    ),
)
