"""Pages with reports made by hand: what a site shows of any outcome, without running one."""

from collections.abc import Sequence
from pathlib import Path

from wiki_tools.claims import Claim
from wiki_tools.config import Config
from wiki_tools.environment import Environment
from wiki_tools.ledger import Evidence
from wiki_tools.measure import Comparison, Measurement
from wiki_tools.pages import Page, read_page
from wiki_tools.protocol import Cell, Outcome, Output, Pairing, Status
from wiki_tools.report import (
    ComparisonReport,
    EnvironmentReport,
    PageReport,
    PageStatus,
    SnippetReport,
)
from wiki_tools.snippets import Program, Snippet
from wiki_tools.stats import Interval
from wiki_tools.verdicts import Judgement, Verdict

CPU = Environment(
    device="cpu",
    device_name="AMD EPYC 9V74",
    processor="AMD EPYC 9V74",
    cores=2,
    system="Linux 6.18",
    python="3.11.9",
    torch="2.13.0",
    jax="0.10.2",
    numpy="2.4.1",
    compiler="g++ 12.2",
)
CARD = Environment(
    device="cuda",
    device_name="NVIDIA H200",
    capability="9.0",
    driver="580.65",
    processor="Intel Xeon 8481C",
    cores=16,
    system="Linux 6.18",
    python="3.11.9",
    torch="2.13.0",
)
RECORDED = "2026-11-30T03:31:03Z"


def make_vault(
    root: Path, files: dict[str, str], languages: tuple[str, ...] = ("en", "ko")
) -> Config:
    """Write a vault's pages and give its settings."""
    for path, text in files.items():
        file = root / "docs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Config(
        docs=root / "docs",
        root=root,
        evidence=root / "evidence",
        snippets=root / "snippets",
        languages=languages,
    )


def load_pages(config: Config) -> tuple[Page, ...]:
    """Read a vault's pages."""
    files = sorted(config.docs.rglob("*.md"))
    return tuple(
        read_page(config, file.relative_to(config.docs).as_posix(), file.read_bytes())
        for file in files
    )


def fence_snippets(page: Page, context: dict[str, str] | None = None) -> tuple[Snippet, ...]:
    """One snippet for every runnable fence of a page, without the work of completing it."""
    made: list[Snippet] = []
    for fence in page.markup.fences:
        if fence.language != "python" or fence.role not in ("", "baseline", "antipattern"):
            continue
        above = [h for h in page.markup.headings if h.span.start < fence.span.start]
        suffix = f"-{fence.role}" if fence.role else ""
        number = sum(1 for one in made if not one.role) + (0 if fence.role else 1)
        cell = Cell(role="pattern", code=fence.code, path=page.path, line=fence.line, timed=True)
        program = Program(cells=(cell,), context=context or {}, retargeted="'cuda'" in fence.code)
        made.append(
            Snippet(
                id=f"{page.key}#p{number:02}{suffix}",
                page=page.key,
                path=page.path,
                heading=above[-1] if above else None,
                role=fence.role,
                fence=fence,
                programs=(program,),
                digest="d",
            )
        )
    return tuple(made)


def make_evidence(
    snippet: Snippet,
    environment: Environment = CPU,
    status: Status = Status.PASSED,
    **fields: object,
) -> Evidence:
    """Evidence of one run; `fields` are the outcome's."""
    values: dict[str, object] = {"seconds": 0.012, "outputs": (Output(cell=0, text="(32, 64)\n"),)}
    outcome = Outcome(snippet=snippet.id, status=status, **(values | fields))  # type: ignore[arg-type]
    return Evidence(
        snippet=snippet.id,
        digest=snippet.digest,
        choice=0,
        recorded=RECORDED,
        commit="",
        outcome=outcome,
        context={},
        environment=environment,
    )


def make_claim(snippet: Snippet, low: float, high: float, text: str, **fields: str) -> Claim:
    """A claim on a fence."""
    kind = "slowdown" if snippet.role == "antipattern" else "speedup"
    return Claim(
        path=snippet.path,
        line=snippet.fence.line - 1,
        column=1,
        text=text,
        kind=kind,
        low=low,
        high=high,
        source="attribute",
        snippet=snippet.id,
        **fields,
    )


def make_comparison(
    snippet: Snippet,
    estimate: float,
    low: float,
    high: float,
    against: str = "ablation:torch.compile",
    claims: Sequence[tuple[Claim, Judgement]] = (),
    size: str = "",
    metric: str = "time",
) -> ComparisonReport:
    """A comparison that was measured."""
    pairing = Pairing(against=against, candidate=(), baseline=(), size=size, metric=metric)
    name = against.partition(":")[2]
    comparison = Comparison(
        snippet=snippet.id,
        pairing=pairing,
        digest="c",
        meaning=f"the same code without {name}" if name else "",
    )
    measurement = Measurement(
        against=against,
        size=size,
        metric=metric,
        ratio=Interval(estimate=estimate, low=low, high=high, confidence=0.95),
        samples=24,
        baseline=0.0019,
        candidate=0.0019 / estimate,
        first_call=2.3,
        threads=2,
    )
    verdicts = tuple(
        Verdict(
            claim=claim, judgement=judgement, reason="the interval says so", measurement=measurement
        )
        for claim, judgement in claims
    )
    return ComparisonReport(comparison=comparison, measurement=measurement, verdicts=verdicts)


def make_seen(
    snippet: Snippet,
    evidence: Evidence | None,
    comparisons: Sequence[ComparisonReport] = (),
    *,
    outdated: bool = False,
    environment: str = "cpu",
) -> SnippetReport:
    """A snippet as one environment saw it."""
    return SnippetReport(
        snippet=snippet,
        environment=environment,
        evidence=evidence,
        outdated=outdated,
        comparisons=tuple(comparisons),
    )


def make_environment(
    seen: Sequence[SnippetReport],
    environment: Environment = CPU,
    status: PageStatus = PageStatus.VERIFIED,
    reasons: tuple[str, ...] = (),
) -> EnvironmentReport:
    """A page in one environment."""
    return EnvironmentReport(
        name="cpu" if environment.device == "cpu" else "nvidia-h200",
        environment=environment,
        status=status,
        reasons=reasons,
        snippets=tuple(seen),
        last_verified=RECORDED,
    )


def make_report(
    page: Page,
    snippets: Sequence[Snippet] = (),
    environments: Sequence[EnvironmentReport] = (),
    *,
    aged: bool = False,
) -> PageReport:
    """A page with all that is known of it."""
    return PageReport(
        page=page, snippets=tuple(snippets), environments=tuple(environments), aged=aged
    )
