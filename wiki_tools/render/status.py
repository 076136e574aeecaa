"""The generated pages: status of all patterns, wanted pages, a home page where there is none."""

from collections import defaultdict
from collections.abc import Iterator

from wiki_tools.environment import Environment
from wiki_tools.pages import Page
from wiki_tools.render.comparison import verdict_word
from wiki_tools.render.header import page_status
from wiki_tools.render.outcome import device_label, device_notes, environment_anchor
from wiki_tools.render.row import needs_gpu, seen_of
from wiki_tools.render.site import Site
from wiki_tools.render.text import escape, link, mark
from wiki_tools.render.translation import place_of
from wiki_tools.render.words import day, say, times
from wiki_tools.report import EnvironmentReport, PageReport, SnippetReport
from wiki_tools.snippets import Snippet

_MOST = 20
"""Pages named as wanting one page; the rest is counted."""


def status_text(site: Site, language: str) -> str:
    """Write the page that lists all patterns and environments."""
    reports = [report for report in site.reports.values() if report.snippets]
    machines = environments_of(reports)
    lines = [f"# {say(language, 'status')} {{ #status }}", "", say(language, "status-lead"), ""]
    lines += [f"## {say(language, 'patterns')} {{ #patterns }}", ""]
    if reports:
        lines += _table(site, language, reports, machines)
    else:
        lines += [say(language, "no-patterns"), ""]
    lines += [f"## {say(language, 'environments')} {{ #environments }}", ""]
    for name, environment in machines.items():
        lines += _machine(language, name, environment)
    if not machines:
        lines += [say(language, "no-environments"), ""]
    return "\n".join(lines)


def environments_of(reports: list[PageReport]) -> dict[str, Environment]:
    """All environments that recorded something, the strongest device first."""
    found: dict[str, EnvironmentReport] = {}
    for report in reports:
        for environment in report.environments:
            found.setdefault(environment.name, environment)
    ordered = sorted(found.values(), key=lambda e: (e.environment.device == "cpu", e.name))
    return {one.name: one.environment for one in ordered}


def _table(
    site: Site, language: str, reports: list[PageReport], machines: dict[str, Environment]
) -> Iterator[str]:
    here = site.localized("status", language)
    heads = [
        link(escape(device_label(environment)), here, here, environment_anchor(name))
        for name, environment in machines.items()
    ]
    if not any(environment.device != "cpu" for environment in machines.values()):
        heads.append(say(language, "gpu"))
    yield f"| {say(language, 'pattern')} | {' | '.join(heads)} |"
    yield "|---" * (len(heads) + 1) + "|"
    for report in sorted(reports, key=lambda r: r.page.path):
        page = site.page_for(report.page.key, language) or report.page
        title = link(f"**{escape(page.title)}**", here, page.path)
        by_name = {environment.name: environment for environment in report.environments}
        cells = [_page_cell(language, by_name.get(name)) for name in machines]
        cells += [""] * (len(heads) - len(machines))
        yield f"| {title} | {' | '.join(cells)} |"
        for snippet in report.snippets:
            if snippet.role in ("", "antipattern"):
                yield _snippet_line(site, language, page, report, snippet, machines, len(heads))
    yield ""


def _page_cell(language: str, environment: EnvironmentReport | None) -> str:
    status = environment.status if environment else "unverified"
    date = day(language, environment.last_verified) if environment else ""
    return mark(status, say(language, status)) + (f" {date}" if date else "")


def _snippet_line(
    site: Site,
    language: str,
    page: Page,
    report: PageReport,
    snippet: Snippet,
    machines: dict[str, Environment],
    columns: int,
) -> str:
    here = site.localized("status", language)
    name, anchor = place_of(site, page, snippet)
    if snippet.role:
        name = f"{name} ({say(language, snippet.role)})"
    seen = {environment.name: one for environment, one in seen_of(report, snippet)}
    cells = [_snippet_cell(language, snippet, seen.get(machine)) for machine in machines]
    if len(cells) < columns:
        words = mark("untested", say(language, "no-gpu")) if needs_gpu(snippet) else "–"
        cells.append(words)
    title = link(escape(name), here, page.path, anchor)
    return f'| <span class="wiki-item">{title}</span> | {" | ".join(cells)} |'


def _snippet_cell(language: str, snippet: Snippet, seen: SnippetReport | None) -> str:
    if seen is None or seen.evidence is None:
        return mark("skipped" if snippet.skip else "not-run", say(language, "not-run"))
    if seen.outdated:
        return mark("outdated", say(language, "outdated"))
    status = seen.evidence.outcome.status
    parts = [mark(status, say(language, status))]
    for note in device_notes(seen.evidence.outcome):
        parts.append(f"<small>{say(language, f'{note}-short')}</small>")
    for found in seen.comparisons:
        ratio = found.measurement.ratio if found.measurement else None
        text = times(language, ratio.estimate) if ratio else ""
        words = " ".join(verdict_word(language, verdict) for verdict in found.verdicts)
        if (text or words) and found.comparison.pairing.metric == "time":
            size = found.comparison.pairing.size
            head = f"<code>{escape(size)}</code> " if size else ""
            parts.append(f'<span class="wiki-size">{head}{f"{text} {words}".strip()}</span>')
    return "<br>".join(parts)


def _machine(language: str, name: str, environment: Environment) -> Iterator[str]:
    label = escape(device_label(environment))
    yield f"### {label} {{ #{environment_anchor(name)} }}"
    yield ""
    libraries = [f"Python {environment.python}"]
    libraries += [
        f"{library} {version}"
        for library, version in (
            ("torch", environment.torch),
            ("jax", environment.jax),
            ("numpy", environment.numpy),
        )
        if version
    ]
    cores = say(language, "cores", n=environment.cores)
    rows = [
        ("processor", f"{environment.processor}, {cores}"),
        ("system", environment.system),
        ("libraries", ", ".join(libraries)),
        ("compiler", environment.compiler or say(language, "none")),
    ]
    if environment.driver:
        rows.insert(0, ("driver", environment.driver))
    yield f"| {say(language, 'environment')} | `evidence/{name.replace('`', '')}/` |"
    yield "|---|---|"
    for key, value in rows:
        yield f"| {say(language, key)} | {escape(value)} |"
    yield ""


def wanted_text(site: Site, language: str) -> str:
    """Write the page that lists what nobody has written yet, the most wanted first."""
    here = site.localized("wanted", language)
    lines = [f"# {say(language, 'wanted')} {{ #wanted }}", "", say(language, "wanted-lead"), ""]
    if not site.wanted:
        return "\n".join([*lines[:2], say(language, "wanted-none"), ""])
    lines += [f"| {say(language, 'page')} | {say(language, 'wanted-by')} |", "|---|---|"]
    for target, found in site.wanted.items():
        sources: dict[str, str] = {}
        for one in found:
            page = site.page_for(one.source, language) or site.pages[one.path]
            sources.setdefault(one.source, link(escape(page.title), here, page.path))
        names = list(sources.values())
        more = f" +{len(names) - _MOST}" if len(names) > _MOST else ""
        name = f'<span class="wiki-wanted">{escape(target)}</span>'
        lines.append(f"| {name} | {', '.join(names[:_MOST])}{more} |")
    return "\n".join([*lines, ""])


def home_text(site: Site, language: str) -> str:
    """Write a home page for a vault without one: its pages by folder."""
    folders: dict[str, list[Page]] = defaultdict(list)
    for key, group in site.translations.items():
        if key in site.duplicates:
            continue
        page = group.get(language) or next(iter(group.values()))
        folders[page.path.rpartition("/")[0]].append(page)
    status = link(say(language, "status"), "index.md", site.localized("status", language))
    wanted = link(say(language, "wanted"), "index.md", site.localized("wanted", language))
    lines = [f"# {say(language, 'home')} {{ #home }}", "", f"{status} · {wanted}", ""]
    for folder, pages in sorted(folders.items()):
        lines += [f"## {escape(folder)}", ""] if folder else []
        for page in sorted(pages, key=lambda p: p.title.casefold()):
            status_word = page_status(site.report(page))
            words = mark(status_word, say(language, status_word))
            report = site.report(page)
            shown = f" {words}" if report and report.snippets else ""
            lines.append(f"- {link(escape(page.title), 'index.md', page.path)}{shown}")
        lines.append("")
    return "\n".join(lines)
