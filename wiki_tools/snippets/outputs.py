"""Finds what a page shows below a fence: what it prints, or how it fails."""

import re
from collections.abc import Iterable

from wiki_tools.markup import Fence
from wiki_tools.snippets.types import Program

PLAIN = ("", "text", "txt", "plaintext", "plain", "console", "none")
"""Languages of a fence that may show anything."""
NAMED = ("output", "out", "stdout", "results")
"""Languages that say that this is an output."""
_LABEL = re.compile(
    r"[\W_]*(?:(?:the |sample |expected |example )?(?:outputs?|out|results?|prints?|prints out)"
    r"|this (?:prints|outputs|gives)|출력(?: 결과)?|실행 결과|결과(?: 출력)?|输出|出力|実行結果)"
    r"(?:\[\d+\])?[\W_]*",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\A[ \t]*#+[ \t]*(?:expected )?(?:outputs?|results?|출력|결과):?[ \t]*\n", re.IGNORECASE
)
_TRACEBACK = re.compile(r"^[ \t]*Traceback \(most recent call last\):", re.MULTILINE)
_RAISED = re.compile(
    r"^(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Warning|Interrupt))(?::|$)", re.MULTILINE
)
_UNSETTLED = re.compile(
    r"\b(?:\w*rand\w*|\w*normal\w*|\w*uniform\w*|shuffle|[Dd]ropout\w*|empty\w*|multinomial"
    r"|bernoulli|choice|choices|sample|time|timeit|perf_counter|monotonic|now|today|uuid\w*|id|hash"
    r"|getpid|nn|nnx|linen|keras|Linear|Embedding|device|is_available|memory_\w+|__version__|set"
    r"|environ|platform|getcwd|listdir|key|rng|PRNGKey|glob|train|fit)\b|train_test_split"
)
"""Words of code that may print something else the next time, or elsewhere."""


def find_shown(text: str, fence: Fence, following: Fence | None) -> Fence | None:
    """Give the fence below another one that shows what it prints, where the page says so."""
    if following is None or following.role or "print" not in fence.code + following.info:
        last = fence.code.rstrip().rpartition("\n")[2]
        if following is None or following.role or not last or last[0].isspace() or "=" in last:
            return None
    between = text[fence.span.end : following.span.start].strip()
    if following.language in NAMED and not between:
        return following
    labelled = bool(_LABEL.fullmatch(between)) if between else bool(_HEADER.match(following.code))
    is_error = _TRACEBACK.search(following.code) or _RAISED.match(following.code.strip())
    plain = following.language in PLAIN or following.language in NAMED
    return following if plain and labelled and not is_error else None


def find_raised(text: str, fence: Fence, following: Fence | None) -> str:
    """Name the exception whose traceback stands right below a fence; empty where none does."""
    if following is None or following.role:
        return ""
    between = text[fence.span.end : following.span.start].strip()
    if "\n" in between or len(between) > 60:
        return ""
    found = _RAISED.findall(following.code)
    told = _TRACEBACK.search(following.code) or (found and following.code.strip().count("\n") == 0)
    return str(found[-1]) if told and found else ""


def shown_text(fence: Fence) -> str:
    """What a fence shows, without a heading of its own."""
    return _HEADER.sub("", fence.code)


def is_settled(codes: Iterable[str], programs: Iterable[Program]) -> bool:
    """Whether code prints the same wherever and whenever it runs, and nothing of it is guessed."""
    guessed = any("world" in program.guesses for program in programs)
    return not guessed and not any(_UNSETTLED.search(code) for code in codes)
