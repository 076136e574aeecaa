"""The page's header: what its author declares beside what evidence supports."""

import re
from collections import Counter
from collections.abc import Iterator

from wiki_tools.markup import is_runnable
from wiki_tools.pages import Page
from wiki_tools.protocol import Status
from wiki_tools.render.outcome import device_label, environment_anchor, paragraph
from wiki_tools.render.row import needs_gpu
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, indent, link, mark
from wiki_tools.render.translation import place_of
from wiki_tools.render.words import WORDS, day, say
from wiki_tools.report import (
    EnvironmentReport,
    PageReport,
    PageStatus,
    SnippetReport,
    is_disowned,
)

_HTML = (
    (re.compile(r"^([^\n]+)\n\{: \.([\w-]+) \}\n*", re.MULTILINE), r'<p class="\2">\1</p>\n'),
    (re.compile(r"\*\*([^*\n]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"<(https?://[^<>\s]+)>"), r'<a href="\1">\1</a>'),
)
"""Markdown of such a header to its HTML; what it quotes is escaped for both."""
_MOST = 6
"""Patterns that the header names for one reason; the rest is counted."""


def page_status(report: PageReport | None) -> PageStatus:
    """The status that a page shows for all its environments: the strongest one's."""
    if report is None or not report.environments:
        return PageStatus.UNVERIFIED
    return report.environments[0].status


def header_text(site: Site, page: Page) -> str:
    """Write the header as Markdown; empty for a page that neither runs nor declares anything."""
    report = site.report(page)
    lines = list(_lines(site, page, report))
    if not lines:
        return ""
    if not report or not report.snippets:
        return _plain(lines)
    status = page_status(report)
    return (
        "\n".join(
            [f'!!! wiki-header {status} ""', "", *indent("\n".join(lines).split("\n"))]
        ).rstrip()
        + "\n"
    )


def _plain(lines: list[str]) -> str:
    """Write a header without links into the wiki as HTML: generators pass it on as it is."""
    text = "\n".join(lines)
    for written, tag in _HTML:
        text = written.sub(tag, text)
    return f'<div class="admonition wiki-header plain">\n{text}\n</div>\n'


def _lines(site: Site, page: Page, report: PageReport | None) -> Iterator[str]:
    language = page.language
    if report and report.snippets:
        yield from _evidence(site, page, report)
    elif any(is_runnable(fence) for fence in page.markup.fences):
        words = mark("unverified", say(language, "unverified"))
        yield from paragraph("wiki-ran", f"{words} {say(language, 'no-evidence')}")
    notebook = site.notebooks.get(page.path)
    if page.frontmatter.lab and notebook:
        opened = link(f"**{say(language, 'open-notebook')}**", page.path, notebook)
        yield from paragraph("wiki-lab", f"{say(language, 'lab')} {opened}")
    runs = bool(report and report.snippets)
    if not runs and page.path.partition(".")[0] in ("index", "README"):
        return  # where a reader arrives, the page's own words come first
    facts, named = list(_facts(language, page, report)), dict(_named(page))
    names = named.pop("also", [])
    if not runs:
        facts += [f"{say(language, key)}: {', '.join(found)}" for key, found in named.items()]
        named = {}
    if facts:
        yield from paragraph("wiki-facts", " · ".join(facts))
    if names:
        yield from paragraph("wiki-names", f"{say(language, 'also')}: {', '.join(names)}")
    if named:
        yield f'??? wiki-fold "{" · ".join(say(language, key) for key in named)}"'
        yield ""
        yield from (f"    - {one}" for one in named.get("sources", ()))
        yield ""
        if "tags" in named:
            yield from indent(paragraph("wiki-note", ", ".join(named["tags"])))


def _named(page: Page) -> Iterator[tuple[str, list[str]]]:
    """What the front matter has lists of."""
    matter = page.frontmatter
    names = [escape(name) for name in matter.aliases if name.casefold() != page.title.casefold()]
    for key, values in (
        ("also", names),
        ("sources", list(_sources(page))),
        ("tags", [escape(tag) for tag in matter.tags]),
    ):
        if values:
            yield key, values


def _evidence(site: Site, page: Page, report: PageReport) -> Iterator[str]:
    language = page.language
    for environment in report.environments:
        yield from paragraph("wiki-ran", _environment(site, page, environment))
        reasons = list(_reasons(site, page, environment))
        if reasons:
            yield from paragraph("wiki-note", " · ".join(reasons))
    if not report.environments:
        words = mark("unverified", say(language, "unverified"))
        yield from paragraph("wiki-ran", f"{words} {say(language, 'no-evidence')}")
    on_card = any(e.environment.device != "cpu" for e in report.environments)
    if not on_card and any(needs_gpu(snippet) for snippet in report.snippets):
        yield from paragraph("wiki-ran", mark("untested", say(language, "no-gpu")))


def _reasons(site: Site, page: Page, environment: EnvironmentReport) -> Iterator[str]:
    """Name the patterns that keep a page from being verified, each with a link to it."""
    groups: dict[str, dict[str, None]] = {}
    for seen in environment.snippets:
        name, anchor = place_of(site, page, seen.snippet)
        where = link(escape(name), page.path, page.path, anchor)
        for word in _wrong(seen, environment.status):
            groups.setdefault(word, {})[where] = None
    for word, places in groups.items():
        shown = list(places)[:_MOST]
        more = f" +{len(places) - _MOST}" if len(places) > _MOST else ""
        yield f"{say(page.language, word)}: {', '.join(shown)}{more}"


def _wrong(seen: SnippetReport, status: PageStatus) -> Iterator[str]:
    ended = seen.evidence.outcome.status if seen.evidence else None
    if status is PageStatus.OUTDATED and seen.outdated:
        yield "outdated"
    if status is PageStatus.PARTIAL:
        if ended is None:
            yield "not-run"
        elif ended in (Status.INCOMPLETE, Status.SKIPPED):
            yield str(ended)
    if status is PageStatus.FAILING and not seen.outdated:
        if ended in (Status.FAILED, Status.TIMED_OUT, Status.CRASHED):
            yield str(ended)
        if any(is_disowned(v) for c in seen.comparisons for v in c.verdicts):
            yield "refuted"


def _environment(site: Site, page: Page, environment: EnvironmentReport) -> str:
    language = page.language
    label = f"**{escape(device_label(environment.environment))}**"
    status = site.localized("status", language)
    where = link(label, page.path, status, environment_anchor(environment.name))
    words = mark(environment.status, say(language, environment.status))
    parts = [say(language, "on-machine", word=words, where=where), tally(language, environment)]
    if environment.last_verified:
        parts.append(day(language, environment.last_verified))
    return " · ".join(part for part in parts if part)


def tally(language: str, environment: EnvironmentReport) -> str:
    """Count how an environment's snippets ended: `7 passed, 1 skipped`."""
    counts: Counter[str] = Counter()
    for seen in environment.snippets:
        if seen.evidence is None:
            counts["not-run"] += 1
        elif seen.outdated:
            counts["outdated"] += 1
        else:
            counts[str(seen.evidence.outcome.status)] += 1
    order = [*(str(status) for status in Status), "outdated", "not-run"]
    found = (f"{counts[key]} {say(language, key)}" for key in order if counts[key])
    if language == "ko":
        found = (f"{say(language, key)} {counts[key]}" for key in order if counts[key])
    return ", ".join(found)


def _facts(language: str, page: Page, report: PageReport | None) -> Iterator[str]:
    matter = page.frontmatter
    if matter.status:
        word = say(language, matter.status) if matter.status in WORDS else matter.status
        yield f"{say(language, 'declared')} **{escape(word)}**"
    if matter.source_trust_level:
        yield f"{say(language, 'trust')} **{escape(matter.source_trust_level)}**"
    if matter.confidence_score is not None:
        yield f"{say(language, 'confidence')} **{matter.confidence_score:g}**"
    if matter.last_reinforced:
        date = escape(day(language, matter.last_reinforced.isoformat()))
        aged = " " + mark("outdated", say(language, "aged")) if report and report.aged else ""
        yield f"{say(language, 'reinforced')} {date}{aged}"


def _sources(page: Page) -> Iterator[str]:
    for source in page.frontmatter.raw_sources:
        if source.startswith(("https://", "http://")) and not set(source) & set(" <>\"'()*"):
            yield f"<{source}>"
        else:
            yield escape(source)
