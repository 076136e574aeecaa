"""Runs a REPL session, and says in a sentence each where it shows something else than the page."""

from typing import Any

from wiki_tools.probes.texts import agrees

LONGEST = 300
"""Characters of a text that are told."""


def run_session(
    session: str, namespace: dict[str, Any], name: str, line: int, *, loose: bool = False
) -> list[str]:
    """Run a session's statements in a namespace; gives what differs from the page.

    Args:
        session: statements behind prompts, what they print below them.
        namespace: where they run.
        name: the page's file.
        line: the page's line on which the session begins.
        loose: any number will do where the page shows one.

    Raises:
        BaseException: what a statement raised of which the page shows no traceback, unless
            something differed before it.
    """
    import doctest  # and with it pdb and unittest: sessions are rare

    differences: list[str] = []

    class Checker(doctest.OutputChecker):
        """Compares as a reader would."""

        def check_output(self, want: str, got: str, optionflags: int) -> bool:
            same = super().check_output(want, got, optionflags)
            return same or agrees(want, got, loose=loose)

    class Runner(doctest.DocTestRunner):
        """Tells what differs in our words."""

        def report_failure(
            self,
            out: Any,  # noqa: ARG002
            test: Any,  # noqa: ARG002
            example: doctest.Example,
            got: str,
        ) -> None:
            seen = _seen(got)
            wanted = _shown(example.exc_msg or example.want)
            differences.append(f"line {line + example.lineno} {seen}, the page says {wanted}")

        def report_unexpected_exception(
            self,
            out: Any,  # noqa: ARG002
            test: Any,  # noqa: ARG002
            example: doctest.Example,
            exc_info: Any,
        ) -> None:
            if not differences:
                raise exc_info[1]
            error = f"{exc_info[0].__name__}: {exc_info[1]}"
            wanted = f", the page says {_shown(example.want)}" if example.want else ""
            differences.append(f"line {line + example.lineno} raised {_shown(error)}{wanted}")

    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(session, namespace, name, name, line - 1)
    test.globs = namespace
    Runner(Checker(), verbose=False, optionflags=flags).run(test, out=str, clear_globs=False)
    return differences


def _seen(got: str) -> str:
    """What a statement did: it printed something, or nothing, or raised."""
    if "Traceback (most recent call last):" in got:
        return f"raised {_shown(got.rstrip().rpartition(chr(10))[2])}"
    return f"printed {_shown(got)}"


def _shown(text: str) -> str:
    """A text in a sentence: its only line as it is, several with their breaks spelt out."""
    text = text.strip("\n")
    shown = repr(text) if "\n" in text else text or "nothing"
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
