"""Codes of findings in fences, snippets and claims."""

from wiki_tools.checks.diagnostic import Code

ROWS = (
    Code(
        name="unclosed-fence",
        severity="error",
        meaning="A fence is never closed.",
        why="Everything down to the end of the page becomes code: its headings, links and "
        "other fences vanish.",
        example={"docs/Sums.md": "# Sums\n\n```python\ntotal = sum(range(10))\n\n## Next\n"},
        hint="Close it below its last line.",
    ),
    Code(
        name="unknown-role",
        severity="error",
        meaning="A word after a fence's language is no role.",
        why="A misspelt role would be passed over, and the fence run as something that it is not.",
        example={"docs/Sums.md": "```python basline\ntotal = 0 + 1 + 2\n```\n"},
        hint="Correct it.",
    ),
    Code(
        name="unknown-attribute",
        severity="error",
        meaning="A key after a fence's language is not known.",
        why="A misspelt attribute would be passed over, and a claim in it never measured.",
        example={"docs/Sums.md": "```python spedup=2\ntotal = sum(range(10))\n```\n"},
        hint="Correct it.",
    ),
    Code(
        name="several-roles",
        severity="error",
        meaning="A fence has more than one role.",
        why="The role says how a fence is run, and it is run in one way.",
        example={"docs/Sums.md": "```python setup check\nassert sum(range(10)) == 45\n```\n"},
        hint="Keep one.",
    ),
    Code(
        name="bad-attribute",
        severity="error",
        meaning="An attribute's value is not understood, makes no sense, or is given twice.",
        why="A claim that cannot be read cannot be held against a measurement. Makes no sense: an "
        "empty range (`speedup=8..2`), a sweep with a size below 1, a size twice or more than 32 "
        "of them, an `expect` without the claim that it owns. A fence with several claims says "
        "which of them fails (`expect=refuted:memory`; a warning where it does not): what else is "
        "refuted one day, nobody would be told.",
        example={"docs/Sums.md": "```python speedup=fast\ntotal = sum(range(10))\n```\n"},
        hint="Write what the message expects.",
    ),
    Code(
        name="fence-not-code",
        severity="info",
        meaning="A Python fence holds what is no pattern: a traceback, a shell's command, a "
        "diff, an excerpt, a formula.",
        why="It is neither run nor counted. Readers may take it for a pattern that was, "
        "unless the fence says what it is.",
        example={
            "docs/Sums.md": "```python\nTraceback (most recent call last):\n"
            '  File "sums.py", line 1, in <module>\nNameError: totl\n```\n'
        },
        hint="Give it its own language, or the role no-run.",
    ),
    Code(
        name="syntax-error",
        severity="warning",
        meaning="A Python fence is not Python, nor anything else that is known.",
        why="It cannot run, and whoever copies it gets the error. What is an excerpt, a notebook's "
        "command or a formula is told as such, and `raises=SyntaxError` says that it is meant.",
        example={"docs/Sums.md": "```python\ntotal = sum(range(10)\n```\n"},
        hint="Correct it, or give the fence the language text.",
    ),
    Code(
        name="idle-assertion",
        severity="warning",
        meaning="A comment `#> 3` stands where nothing is printed.",
        why="It reads like what was seen, and nothing is held against it: it says what a `print` "
        "of that statement, at the top level of its fence, has written.",
        example={"docs/Sums.md": "```python\ntotal = sum(range(10))  #> 45\n```\n"},
        hint="Print the value there, or write it as a plain comment.",
    ),
    Code(
        name="incomplete-snippet",
        severity="warning",
        meaning="A pattern uses a name that nothing provides.",
        why="It can neither pass nor fail: the page has not said enough to run it. Looked for "
        "where the vault has `snippets/` or `evidence/`, or with `--claims`.",
        example={"docs/Sums.md": "### Pattern 1\n\n```python\ntotal = sum(invoice_rows)\n```\n"},
        hint="Define it in a setup fence or in snippets/fixtures/.",
    ),
    Code(
        name="drifted-snippet",
        severity="error",
        meaning="A file under snippets/ no longer matches its page.",
        why="The file is what readers download and run: it has to be what the page shows. "
        "Looked for where the vault has extracted files.",
        example={
            "docs/Sums.md": "### Pattern 1\n\n```python\ntotal = sum(range(10))\n```\n",
            "snippets/Sums/p01.py": "total = 45\n",
        },
        hint="Run wiki extract and commit what it writes.",
    ),
    Code(
        name="unbacked-claim",
        severity="warning",
        meaning="A page states a ratio or a growth that no measurement stands behind.",
        why="A number that nobody measured is an opinion. Looked for, in English and Korean, "
        "where the vault has `snippets/` or `evidence/`, or with `--claims`; `--show-claims` lists "
        "every claim with what stands behind it. A ratio of speed or memory is tied to an "
        "attribute in its section that says the same. Fewer bytes, parameters or operations, "
        "memory, and how a cost grows are also tied to a `check` fence there that has passed and "
        "asserts what it counts with `wiki_tools.probes`; a growth takes `growth` or counting at "
        "two sizes, or a link on its line to where it is proved. A link on the claim's line to "
        "another section of its page (`[see](#its-heading)`) ties it to that one. What a changelog "
        "says was said then.",
        example={"docs/Sums.md": "# Sums\n\nThe built-in sum is 2-8x faster than a loop.\n"},
        hint="Add speedup=, slowdown= or memory= to the fence that it speaks of, and run "
        "wiki verify; or link to the section that measures it.",
    ),
)
