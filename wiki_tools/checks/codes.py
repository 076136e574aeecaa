"""Every code that a finding can have, with its severity, meaning and remedy."""

from wiki_tools.checks.types import Code, Diagnostic

_ROWS = (
    # the file
    ("unreadable-file", "error", "A file cannot be read.", "Mend its permissions."),
    ("not-utf-8", "error", "A file is not UTF-8.", "Save it as UTF-8."),
    ("nul-byte", "error", "A file holds a NUL byte.", "Save it as UTF-8 text."),
    (
        "byte-order-mark",
        "info",
        "A file begins with a byte-order mark.",
        "Save it as UTF-8 without one.",
    ),
    (
        "mixed-line-endings",
        "info",
        "A file's lines end in more than one way.",
        "Let the editor write one kind of line ending.",
    ),
    (
        "conflict-marker",
        "error",
        "A line is what git leaves where it could not merge: <<<<<<<, ======= or >>>>>>>.",
        "Keep what is right of both versions and remove the markers.",
    ),
    ("nameless-page", "warning", "A file has no name before its .md.", "Give it a name."),
    (
        "case-clash",
        "warning",
        "Two files differ only in upper and lower case, or in how their letters are composed.",
        "Rename one: Windows and macOS keep only one of them.",
    ),
    # front matter
    (
        "unclosed-frontmatter",
        "error",
        "A front matter opens with --- and never ends.",
        "Add a line --- below its last key.",
    ),
    (
        "broken-frontmatter",
        "error",
        "A front matter is no YAML; its other keys are read nevertheless.",
        "Put the value in quotes.",
    ),
    ("duplicate-key", "error", "A front matter gives one key twice.", "Keep one of them."),
    (
        "frontmatter-value",
        "error",
        "A key of the front matter has a value of the wrong kind.",
        "Write what the message expects.",
    ),
    (
        "unspaced-item",
        "error",
        "An item of a list in a front matter has no space behind its -.",
        "Write a space between - and the item.",
    ),
    (
        "unquoted-link",
        "warning",
        "A link in a front matter has no quotes, so YAML reads a list in a list.",
        'Put it in quotes: "[[Page]]".',
    ),
    (
        "swallowed-value",
        "warning",
        "A value in a front matter begins with #, so YAML reads a comment and no value.",
        "Put it in quotes.",
    ),
    (
        "json-frontmatter",
        "info",
        "A front matter is written as JSON; a warning where it has no --- lines.",
        "Write key: value, one a line, between two lines ---.",
    ),
    (
        "unknown-key",
        "warning",
        "A key is within two letters of a known one.",
        "Correct its spelling.",
    ),
    (
        "category-mismatch",
        "warning",
        "A page does not lie at or below its category.",
        "Move the page, or correct the category.",
    ),
    (
        "aged-page",
        "info",
        "A page was last reinforced long ago.",
        "Read it again and write today's date as last_reinforced.",
    ),
    # fences
    ("unclosed-fence", "error", "A fence is never closed.", "Close it below its last line."),
    ("unknown-role", "error", "A word after a fence's language is no role.", "Correct it."),
    ("unknown-attribute", "error", "A key after a fence's language is not known.", "Correct it."),
    ("several-roles", "error", "A fence has more than one role.", "Keep one."),
    (
        "bad-attribute",
        "error",
        "An attribute's value is not understood, or given twice.",
        "Write what the message expects.",
    ),
    (
        "fence-not-code",
        "info",
        "A Python fence holds what is no pattern: a traceback, a diff, an excerpt, a formula.",
        "Give it its own language, or the role no-run.",
    ),
    (
        "incomplete-snippet",
        "warning",
        "A pattern uses a name that nothing provides.",
        "Define it in a setup fence or in snippets/fixtures/.",
    ),
    (
        "drifted-snippet",
        "error",
        "A file under snippets/ no longer matches its page.",
        "Run wiki extract and commit what it writes.",
    ),
    (
        "unbacked-claim",
        "warning",
        "A page states a ratio that no measurement stands behind.",
        "Add speedup=, slowdown= or memory= to the fence that it speaks of, and run wiki verify.",
    ),
    # links
    (
        "wanted-page",
        "warning",
        "A link names a page that is not there.",
        "Write the page, or correct the link.",
    ),
    (
        "ambiguous-link",
        "error",
        "A link names more than one page, none nearer than the others.",
        "Write the path of the page that is meant.",
    ),
    (
        "missing-heading",
        "error",
        "A link names a heading that its page does not have.",
        "Name one of the page's headings.",
    ),
    (
        "missing-block",
        "error",
        "A link names a block that its page does not have.",
        "Put ^ and the block's id at the end of the paragraph that is meant.",
    ),
    ("missing-file", "error", "A link names a file that is not there.", "Correct the path."),
    ("self-link", "info", "A page links to itself.", "Name a heading, or remove the link."),
    (
        "link-to-duplicate",
        "info",
        "A link names a page that only redirects.",
        "Name the page that it stands for.",
    ),
    (
        "orphan-page",
        "info",
        "No page leads to this one.",
        "Link to it from a page that its readers come by.",
    ),
    # identity
    ("duplicate-id", "error", "Two pages have one id.", "Give each page its own id."),
    (
        "duplicate-title",
        "warning",
        "Two pages have one title.",
        "Tell them apart, or make one a duplicate_of the other.",
    ),
    (
        "duplicate-alias",
        "warning",
        "An alias is also another page's alias, title or id.",
        "Remove it from one of the pages.",
    ),
    (
        "similar-pages",
        "info",
        "Most of a page's text stands on another page as well.",
        "Merge them, make one a duplicate_of the other, or link to what they share.",
    ),
    (
        "missing-canonical",
        "error",
        "canonical_id or duplicate_of names no page.",
        "Name the id of a page.",
    ),
    (
        "canonical-chain",
        "error",
        "canonical_id or duplicate_of leads to a page that itself stands for another.",
        "Name the last page of the chain.",
    ),
    (
        "canonical-cycle",
        "error",
        "Pages stand for each other in a circle.",
        "Make one of them canonical_id: self and duplicate_of: none.",
    ),
    (
        "parent-cycle",
        "error",
        "Pages are each other's parents in a circle.",
        "Remove the parent that is not above its page.",
    ),
    # translations
    (
        "translation-id",
        "error",
        "A translation has another id than its page.",
        "Give both one id, or leave the translation's out.",
    ),
    (
        "translation-differs",
        "error",
        "A translation has other code, roles, attributes or assertions than its page.",
        "Copy the fence from the page; comments may differ.",
    ),
)

CODES: dict[str, Code] = {
    name: Code(name=name, severity=severity, meaning=meaning, hint=hint)
    for name, severity, meaning, hint in _ROWS
}
"""Code to its documentation."""


def finding(
    code: str, path: str, message: str, line: int = 1, column: int = 1, hint: str = ""
) -> Diagnostic:
    """Make a finding with the severity, and unless another is given the hint, of its code."""
    row = CODES[code]
    return Diagnostic(
        code=code,
        severity=row.severity,
        path=path,
        line=line,
        column=column,
        message=message,
        hint=hint or row.hint,
    )
