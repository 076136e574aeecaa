"""Gathers the fences of a page into patterns with their set-up, checks and output."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wiki_tools.markup import Fence, Heading, is_runnable
from wiki_tools.pages import Page
from wiki_tools.snippets.outputs import find_raised, find_shown

OWN = ("", "no-run", "baseline", "antipattern")
"""Roles that make a snippet of their own; fences of the other roles belong to one."""
_NUMBER = re.compile(r"^\W*(?:pattern|패턴)\s*#?\s*(\d{1,9})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A fence that makes a snippet, and the fences that belong to it."""

    place: str
    """What follows `#` in its id."""
    fence: Fence
    heading: Heading | None
    setups: tuple[Fence, ...] = ()
    continued: tuple[Fence, ...] = ()
    checks: tuple[Fence, ...] = ()
    out: Fence | None = None
    shown: Fence | None = None
    """What stands below it under the word "Output": what it prints, if that is settled."""
    raised: str = ""
    """The exception whose traceback stands below it."""
    partner: Fence | None = None
    """The pattern that a `baseline` or `antipattern` is compared with."""


def is_pattern(heading: Heading) -> bool:
    """Whether a heading calls its section a pattern: `Pattern 3 — Title`, `패턴 3`."""
    return bool(_NUMBER.match(heading.text))


def snippet_ids(page: Page) -> dict[int, str]:
    """The ids of a page's snippets, by the line on which their code begins."""
    return {group.fence.line: f"{page.key}#{group.place}" for group in group_fences(page)}


def check_fences(page: Page) -> tuple[tuple[Fence, str], ...]:
    """The `check` fences of a page, each with the id of the snippet that it belongs to."""
    return tuple(
        (check, f"{page.key}#{group.place}")
        for group in group_fences(page)
        for check in (*group.checks, group.fence)
        if check.role == "check"
    )


def group_fences(page: Page) -> tuple[Group, ...]:
    """Give a page's snippets-to-be, in order.

    A `check` or `continues` fence with nothing before it to belong to makes its own.
    """
    fences = [f for f in page.markup.fences if is_runnable(f) or f.role == "out"]
    homes = {f.line: _home(f, page.markup.headings) for f in fences}
    own = sorted(_assign(fences, homes), key=lambda f: f.line)
    owned = _owned(fences, homes, own)
    places = _places(own, homes)
    below = dict(zip([f.line for f in page.markup.fences], page.markup.fences[1:], strict=False))
    text = page.markup.text
    return tuple(
        Group(
            place=places[f.line],
            fence=f,
            heading=homes[f.line],
            setups=_setups(f, fences, page.markup.headings, homes),
            continued=tuple(o for o in owned[f.line] if o.role == "continues"),
            checks=tuple(o for o in owned[f.line] if o.role == "check"),
            out=next((o for o in owned[f.line] if o.role == "out"), None),
            shown=find_shown(text, f, below.get(f.line)),
            raised=find_raised(text, f, below.get(f.line)),
            partner=_partner(f, [o for o in own if homes[o.line] is homes[f.line]]),
        )
        for f in own
    )


def _home(fence: Fence, headings: Iterable[Heading]) -> Heading | None:
    """Find the heading that a fence stands under; one with a number or slug comes first."""
    around = [h for h in headings if h.span.start <= fence.span.start < h.end]
    named = [h for h in around if h.slug or _NUMBER.match(h.text)]
    return next(iter(reversed(named or around)), None)


Homes = dict[int, Heading | None]
"""Line of a fence's code to the heading that it stands under."""


def _assign(fences: list[Fence], homes: Homes) -> list[Fence]:
    """List the fences that make snippets."""
    own = [f for f in fences if f.role in OWN]
    for fence in fences:
        if fence.role in ("check", "continues") and _owner(fence, own, homes) is None:
            own.append(fence)
    return own


def _owner(fence: Fence, own: list[Fence], homes: Homes) -> Fence | None:
    """Find what a `check`, `continues` or `out` fence belongs to."""
    here = [f for f in own if homes[f.line] is homes[fence.line] and f is not fence]
    before = [f for f in here if f.line < fence.line]
    if fence.role != "check":
        return before[-1] if before else None
    patterns = [f for f in before if not f.role] or [f for f in here if not f.role][:1]
    return next(iter(reversed(patterns or before)), None)


def _owned(fences: list[Fence], homes: Homes, own: list[Fence]) -> dict[int, list[Fence]]:
    owned: dict[int, list[Fence]] = {f.line: [] for f in own}
    for fence in fences:
        owner = _owner(fence, own, homes) if fence.role in ("check", "continues", "out") else None
        if owner is not None and fence.line not in owned:
            owned[owner.line].append(fence)
    return owned


def _setups(
    fence: Fence, fences: list[Fence], headings: Iterable[Heading], homes: Homes
) -> tuple[Fence, ...]:
    """List the `setup` fences above a fence in the sections around it, or anywhere in its own."""
    found = []
    for setup in (f for f in fences if f.role == "setup"):
        around = [h for h in headings if h.span.start <= setup.span.start < h.end]
        above = setup.line < fence.line and (not around or fence.span.start < around[-1].end)
        home = homes[fence.line]
        if above or (home is not None and homes[setup.line] is home):
            found.append(setup)
    return tuple(found)


def _partner(fence: Fence, here: list[Fence]) -> Fence | None:
    """Find the pattern that a fence is compared with, among the fences of its section."""
    before = [f for f in here if f.line < fence.line and not f.role]
    after = [f for f in here if f.line > fence.line]
    following = next((f for f in after if not f.role), None)
    if fence.role == "antipattern":
        following = next((f for f in after if f.role in ("", "antipattern")), None)
        following = None if following is None or following.role else following
    if fence.role in ("baseline", "antipattern"):
        return following or (before[-1] if before else None)
    return None


def _places(own: list[Fence], homes: Homes) -> dict[int, str]:
    """Name each snippet's place by slug, pattern number or ordinal; titles do not matter."""
    ordinals: dict[int, int] = {}
    seen: Counter[str] = Counter()
    places: dict[int, str] = {}
    for fence in own:
        heading = homes[fence.line]
        place = "s00"
        if heading and heading.slug:
            place = heading.slug
        elif heading and (number := _NUMBER.match(heading.text)):
            place = f"p{int(number[1]):02}"
        elif heading:
            place = f"s{ordinals.setdefault(heading.span.start, len(ordinals) + 1):02}"
        if fence.role in ("baseline", "antipattern"):
            place += f"-{fence.role}"
        seen[place] += 1
        count = seen[place]
        while (name := place if count == 1 else f"{place}-{count}") in places.values():
            count += 1
        places[fence.line] = name
    return places
