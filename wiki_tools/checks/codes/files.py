"""Codes of findings in files."""

from wiki_tools.checks.diagnostic import Code

ROWS = (
    Code(
        name="unreadable-file",
        severity="error",
        meaning="A file cannot be read, or a folder not be listed.",
        why="Its page counts as empty: links to its headings break, and whatever else is wrong "
        "with it stays unseen.",
        example={"docs/Locked.md": "# Locked\n"},
        remark="Where the file's permissions forbid to read it (`chmod 000 docs/Locked.md`):",
        hint="Mend its permissions.",
    ),
    Code(
        name="not-utf-8",
        severity="error",
        meaning="A file is not UTF-8.",
        why="Bytes that are no UTF-8 are shown as replacement characters instead of letters. "
        "Old files in Latin-1, CP949 or EUC-KR are the usual case.",
        example={"docs/Cafe.md": "# Caf\udce9\n"},
        remark="With `é` saved as the one byte `\\xe9` of Latin-1:",
        hint="Save it as UTF-8.",
    ),
    Code(
        name="nul-byte",
        severity="error",
        meaning="A file holds a NUL byte.",
        why="Markdown has no such character: other tools cut the text there, or take the file "
        "for a binary one. UTF-16 files are full of them.",
        example={"docs/Notes.md": "# Notes\n\nOne\x00two\n"},
        hint="Save it as UTF-8 text.",
    ),
    Code(
        name="byte-order-mark",
        severity="info",
        meaning="A file begins with a byte-order mark.",
        why="It is read past here. Other tools take it for a letter, and then see no front "
        "matter behind it.",
        example={"docs/Notes.md": "\ufeff# Notes\n"},
        hint="Save it as UTF-8 without one.",
    ),
    Code(
        name="mixed-line-endings",
        severity="info",
        meaning="A file's lines end in more than one way.",
        why="Every editor that makes them alike changes lines that nobody touched, and a "
        "comparison of two versions shows them all.",
        example={"docs/Notes.md": "# Notes\r\n\nOne\ntwo\r\n"},
        hint="Let the editor write one kind of line ending.",
    ),
    Code(
        name="conflict-marker",
        severity="error",
        meaning="A line is what git leaves where it could not merge: <<<<<<<, ======= or >>>>>>>.",
        why="Two versions stand below each other, and readers see both with the markers between.",
        example={
            "docs/Notes.md": "# Notes\n\n<<<<<<< HEAD\nOne lens.\n=======\nTwo lenses.\n"
            ">>>>>>> branch\n"
        },
        hint="Keep what is right of both versions and remove the markers.",
    ),
    Code(
        name="nameless-page",
        severity="warning",
        meaning="A file has no name before its .md.",
        why="No link can name it, and many tools hide a file that begins with a point.",
        example={"docs/.md": "# Notes\n"},
        hint="Give it a name.",
    ),
    Code(
        name="case-clash",
        severity="warning",
        meaning="Two files differ only in upper and lower case, or in how their letters are "
        "composed.",
        why="On Windows and macOS the two are one file: a copy of the vault there loses a page. "
        "Korean names are affected as well, since macOS stores them decomposed.",
        example={"docs/Lens.md": "# Lens\n", "docs/lens.md": "# The lens\n"},
        hint="Rename one: Windows and macOS keep only one of them.",
    ),
)
