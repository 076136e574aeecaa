"""The row under a snippet's fence, made of what every environment saw of it."""

from collections.abc import Iterator, Sequence

from wiki_tools.claims import Claim
from wiki_tools.pages import Page
from wiki_tools.protocol import OFF_CARD, Status
from wiki_tools.render.comparison import untested_text
from wiki_tools.render.outcome import (
    device_label,
    environment_anchor,
    outcome_lines,
    paragraph,
)
from wiki_tools.render.site import Site
from wiki_tools.render.text import address, escape, indent, link, mark
from wiki_tools.render.words import say
from wiki_tools.report import EnvironmentReport, PageReport, SnippetReport
from wiki_tools.snippets import Program, Snippet
from wiki_tools.verdicts import Judgement, Verdict

Seen = Sequence[tuple[EnvironmentReport, SnippetReport]]
"""What each environment saw of one snippet, the strongest device first."""


def seen_of(report: PageReport, snippet: Snippet) -> Seen:
    """Collect what environments recorded of a snippet."""
    return [
        (environment, seen)
        for environment in report.environments
        for seen in environment.snippets
        if seen.snippet.id == snippet.id and seen.evidence is not None
    ]


def snippet_row(site: Site, page: Page, report: PageReport, snippet: Snippet, shift: int) -> str:
    """Write the row as Markdown; empty where it would say nothing."""
    seen = seen_of(report, snippet)
    if snippet.role == "baseline" and all(_fine(one) for _, one in seen):
        return ""
    language = page.language
    lines = [f'!!! wiki-row {overall(snippet, seen)} ""', ""]
    lines += indent(_lines(site, page, report, snippet, seen, shift))
    fold = list(_context(language, chosen(snippet, seen), shift))
    lines += indent(fold)
    return "\n".join(lines).rstrip() + "\n"


def overall(snippet: Snippet, seen: Seen) -> str:
    """One word for a snippet: what its strongest environment says."""
    if not seen:
        return "skipped" if snippet.skip else "not-run"
    first = seen[0][1]
    if first.outdated:
        return "outdated"
    return str(first.evidence.outcome.status) if first.evidence else "not-run"


def chosen(snippet: Snippet, seen: Seen) -> Program:
    """The program that was taken where it ran last, else the first."""
    for _, one in seen:
        if one.evidence and not one.outdated and one.evidence.choice < len(snippet.programs):
            return snippet.programs[one.evidence.choice]
    return snippet.programs[0]


def _fine(seen: SnippetReport) -> bool:
    good = (Status.PASSED, Status.SKIPPED)
    return bool(seen.evidence and seen.evidence.outcome.status in good and not seen.outdated)


def _lines(
    site: Site, page: Page, report: PageReport, snippet: Snippet, seen: Seen, shift: int
) -> Iterator[str]:
    language = page.language
    status = site.localized("status", language)
    card = any(_on_card(environment, one) for environment, one in seen)
    for environment, one in seen:
        label = escape(device_label(environment.environment))
        where = link(f"**{label}**", page.path, status, environment_anchor(environment.name))
        yield from outcome_lines(language, where, environment, one, shift, card=card)
    if not seen:
        if snippet.skip:
            text = mark("skipped", say(language, "not-run")) + " " + escape(snippet.skip)
        else:
            text = mark("not-run", say(language, "not-run")) + " " + say(language, "never-run")
        yield from paragraph("wiki-ran", text)
    pending = list(_pending(report, snippet, seen))
    if pending:
        yield from paragraph("wiki-how", " · ".join(untested_text(language, c) for c in pending))
    said = any(claim.on.startswith("cuda") for claim in (*pending, *_untested(seen)))
    if needs_gpu(snippet) and not card and not said:
        yield from paragraph("wiki-ran", mark("untested", say(language, "no-gpu")))
    yield from _files(site, page, snippet)


def _on_card(environment: EnvironmentReport, seen: SnippetReport) -> bool:
    """Whether a card has run a snippet, and not only the processor beside it."""
    noted = seen.evidence.outcome.notes if seen.evidence else ()
    return environment.environment.device != "cpu" and OFF_CARD not in noted


def _verdicts(seen: Seen) -> Iterator[Verdict]:
    for _, one in seen:
        for comparison in () if one.outdated else one.comparisons:
            yield from comparison.verdicts


def _untested(seen: Seen) -> Iterator[Claim]:
    for verdict in _verdicts(seen):
        if verdict.judgement is Judgement.UNTESTED:
            yield verdict.claim


def _pending(report: PageReport, snippet: Snippet, seen: Seen) -> Iterator[Claim]:
    """What the fence claims and no environment was asked about yet."""
    asked = [verdict.claim for verdict in _verdicts(seen)]
    for claim in report.claims:
        if claim.source == "attribute" and claim.snippet == snippet.id and claim not in asked:
            yield claim


def needs_gpu(snippet: Snippet) -> bool:
    """Whether a snippet says something of a GPU: by its code, or by its attributes."""
    attributes = snippet.fence.attributes
    wants = attributes.get("on", "") + "," + attributes.get("needs", "")
    return "cuda" in wants or any(program.retargeted for program in snippet.programs)


def _files(site: Site, page: Page, snippet: Snippet) -> Iterator[str]:
    if snippet.skip:
        return
    file = site.files.get(snippet.id)
    parts = []
    if file:
        name = file.rpartition("/")[2]
        words = say(page.language, "download")
        href = address(page.path, file)
        parts.append(f'[{escape(name)}]({href}){{ download="{name}" title="{words}" }}')
    notebook = site.notebooks.get(page.path)
    if notebook:
        words = say(page.language, "notebook")
        parts.append(link(words, page.path, notebook))
    if parts:
        yield from paragraph("wiki-files", " · ".join(parts))


def _context(language: str, program: Program, shift: int) -> Iterator[str]:
    rows = [
        (name, origin(language, source))
        for name, source in sorted(program.context.items())
        if source != "import"
    ]
    rows += [
        (missing.name, escape(say(language, "nothing", line=missing.line + shift)))
        for missing in program.missing
    ]
    if not rows:
        return
    names = ", ".join(name for name, _ in rows)
    yield f'??? wiki-fold "{say(language, "context")}: {escape(names)}"'
    yield ""
    yield f"    | {say(language, 'name')} | {say(language, 'provider')} |"
    yield "    |---|---|"
    yield from (f"    | <code>{escape(name)}</code> | {text} |" for name, text in rows)
    yield ""


def origin(language: str, source: str) -> str:
    """Say where a name came from, as Markdown."""
    if source in ("setup", "import"):
        return escape(say(language, f"from-{source}"))
    if source.startswith("#"):
        return f"{escape(say(language, 'from-fence'))} (<code>{escape(source)}</code>)"
    kind, colon, what = source.partition(":")
    if colon and kind == "stock":
        return escape(say(language, "from-stock", what=what.strip()))
    return f"<code>{escape(source)}</code>"
