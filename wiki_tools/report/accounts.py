"""Accounts for every fence of every page: it ran, or it did not, for a reason."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.code import compile_error
from wiki_tools.environment import Environment, folder_name
from wiki_tools.ledger import LOCAL, Account, Evidence, Ledger
from wiki_tools.markup import Fence, is_runnable
from wiki_tools.pages import Page
from wiki_tools.protocol import Status
from wiki_tools.snippets import Snippet

RAN = {Status.PASSED, Status.FAILED, Status.TIMED_OUT, Status.CRASHED}
NOT_PYTHON = "not Python"
UNLABELLED = {"", "text", "txt", "plain", "plaintext", "code", "console", "ipython", "pytb"}
"""Labels that say nothing of a language, or of one that Python may be."""
_PYTHON = re.compile(
    r"^(?:import \w|from [\w.]+ import |(?:async )?def \w+\(|class \w+[:(]|@\w|>>> )", re.MULTILINE
)
_PLACE = re.compile(r"line \d+: ")
_DETAIL = re.compile(r" \(.*|: .*|, which is.*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class FenceAccount:
    """A fence, and what became of it."""

    line: int
    """Where its code begins."""
    place: str
    """What follows `#` in the id of its snippet; `setup` where it is one, empty where no snippet
    has it."""
    reason: str = ""
    """Why it did not run, in the words that others of its kind have; empty where it ran."""
    message: str = ""
    """The same in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAccount:
    """All fences of a page."""

    path: str
    key: str
    fences: tuple[FenceAccount, ...]

    def short(self) -> Account:
        """What is kept of it."""
        ran = Counter(fence.place for fence in self.fences if not fence.reason)
        return Account(fences=len(self.fences), ran=dict(sorted(ran.items())))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fewer:
    """A fence that ran before and does not now, or fences that have left their page."""

    path: str
    line: int
    message: str
    gone: bool = False
    """It is no longer on the page, which whoever reads the change sees: said, and accepted."""


def account_pages(
    pages: Iterable[Page], snippets: Iterable[Snippet], evidence: Mapping[str, Evidence]
) -> tuple[PageAccount, ...]:
    """Account for each fence of pages in the language whose code counts."""
    by_path: dict[str, list[Snippet]] = {}
    for snippet in snippets:
        by_path.setdefault(snippet.path, []).append(snippet)
    return tuple(
        PageAccount(
            path=page.path,
            key=page.key,
            fences=tuple(_account(page, by_path.get(page.path, ()), evidence)),
        )
        for page in pages
    )


def _account(
    page: Page, snippets: Sequence[Snippet], evidence: Mapping[str, Evidence]
) -> Iterator[FenceAccount]:
    own = {line: s for s in reversed(snippets) for line in s.lines}
    setups: dict[int, list[Snippet]] = {}
    for snippet in snippets:
        for line in snippet.setups:
            setups.setdefault(line, []).append(snippet)
    for fence in page.markup.fences:
        owners = [own[fence.line]] if fence.line in own else setups.get(fence.line, [])
        place = "setup" if fence.line not in own else own[fence.line].id.rpartition("#")[2]
        if not owners:
            reason = unowned(fence)
            yield FenceAccount(line=fence.line, place="", reason=reason, message=reason)
            continue
        messages = [_message(evidence.get(owner.id)) for owner in owners]
        message = "" if "" in messages else messages[0]
        yield FenceAccount(line=fence.line, place=place, reason=reason_of(message), message=message)


def _message(evidence: Evidence | None) -> str:
    """Why a snippet did not run; empty where it did."""
    if evidence is None:
        return "no evidence"
    outcome = evidence.outcome
    if outcome.status in RAN:
        return ""
    said = outcome.message or outcome.status.value
    return f"incomplete: {said}" if outcome.status is Status.INCOMPLETE else said


def reason_of(message: str) -> str:
    """A message without what is its own: its line, and what stands in brackets or behind a colon.

    `line 4: an excerpt of a function ('return' outside function)` becomes `an excerpt of a
    function`.
    """
    return _DETAIL.sub("", _PLACE.sub("", message))


def unowned(fence: Fence) -> str:
    """Why a fence that no snippet has does not run."""
    if fence.role == "setup" and is_runnable(fence):
        return "set-up that nothing takes in"
    if is_runnable(fence) or fence.role == "out":
        return "output of nothing" if fence.role == "out" else "belongs to nothing"
    label = f"labelled {fence.language}" if fence.language else "without a label"
    return f"Python {label}" if looks_like_python(fence) else NOT_PYTHON


def looks_like_python(fence: Fence) -> bool:
    """Whether a fence that is not called Python is written in it all the same."""
    if fence.language not in UNLABELLED and not fence.language.startswith("py"):
        return False
    return bool(_PYTHON.search(fence.code)) and (
        ">>> " in fence.code or compile_error(fence.code) is None
    )


def totals(accounts: Iterable[PageAccount]) -> tuple[int, Counter[str]]:
    """How many fences ran, and how many did not, by reason."""
    fences = [fence for page in accounts for fence in page.fences]
    return sum(not f.reason for f in fences), Counter(f.reason for f in fences if f.reason)


def known_accounts(ledger: Ledger, folder: str, environment: Environment) -> dict[str, Account]:
    """What ran of each page the last time that it was recorded, by the page's key.

    What is committed counts: this environment's own, else that of any with its kind of device; and
    what this machine alone saw, where nothing is committed.
    """
    same = [
        name
        for name, rows in ledger.evidence.items()
        if name != LOCAL and any(r.environment.device == environment.device for r in rows.values())
    ]
    own = folder_name(environment)
    names = [own] if own in ledger.evidence else sorted(same) or [folder]
    found: dict[str, Account] = {}
    for name in names:
        found |= _of_rows(ledger.evidence.get(name, {}).values())
        found |= ledger.accounts.get(name, {})
    return found


def _of_rows(rows: Iterable[Evidence]) -> dict[str, Account]:
    """Accounts of evidence that has none (version 1): only patterns are known, each once."""
    ran: dict[str, dict[str, int]] = {}
    for row in rows:
        key, _, place = row.snippet.rpartition("#")
        ran.setdefault(key, {})
        if row.outcome.status in RAN:
            ran[key][place] = 1
    return {key: Account(fences=0, ran=places) for key, places in ran.items()}


def find_fewer(accounts: Iterable[PageAccount], known: Mapping[str, Account]) -> Iterator[Fewer]:
    """Find the pages of which fewer fences ran than before, and name the fences.

    A page may lose what it ran together with the fence: that is a change which a reader of the
    change sees. Pages of which more ran than before may have lost some as well; what counts is how
    many.
    """
    for page in accounts:
        before = known.get(page.key)
        if before is not None:
            yield from _fewer(page, before)


def _fewer(page: PageAccount, before: Account) -> Iterator[Fewer]:
    now = page.short()
    if before.fences:
        missing = sum(before.ran.values()) - sum(now.ran.values())
        left = max(0, before.fences - now.fences)
        lost = [place for place, count in before.ran.items() if count > now.ran.get(place, 0)]
    else:  # of version 1: nobody knows how many fences there were
        lost = [place for place in before.ran if place not in now.ran]
        missing, places = len(lost), {fence.place for fence in page.fences}
        left = sum(place not in places for place in lost)
    if missing <= 0:
        return
    if left:
        message = f"{left} of its fences {'is' if left == 1 else 'are'} no longer on the page"
        yield Fewer(path=page.path, line=1, message=message, gone=True)
    if missing > left:
        for place in lost:
            yield from _named(page, place)


def _named(page: PageAccount, place: str) -> Iterator[Fewer]:
    """Say why what ran at a place does not; it may have become another kind of fence."""
    here = [fence for fence in page.fences if fence.place == place and fence.reason]
    for fence in here:
        message = f"#{place} ran before, and does not now: {fence.message}"
        yield Fewer(path=page.path, line=fence.line, message=message)
    if not here:
        others = Counter(fence.reason for fence in page.fences if fence.reason)
        listed = ", ".join(f"{count} {reason}" for reason, count in others.most_common())
        message = f"#{place} ran before, and nothing on the page is it now"
        message += f"; of its fences these do not run: {listed}" if listed else ""
        yield Fewer(path=page.path, line=1, message=message)
