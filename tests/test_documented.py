"""What the documents say is what the code does."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.testing import CliRunner

from tests.support import make_config
from tests.test_architecture import ORDER
from wiki_tools.checks.codes import CODES
from wiki_tools.checks.diagnostic import Code, Diagnostic
from wiki_tools.checks.explain import findings_text
from wiki_tools.checks.output import as_text
from wiki_tools.cli import app
from wiki_tools.markup import ATTRIBUTES, ROLES
from wiki_tools.measure import ABLATIONS
from wiki_tools.protocol import PROPERTIES, Status
from wiki_tools.render.turned_off import TURNED_OFF
from wiki_tools.report import PageStatus
from wiki_tools.verdicts import Judgement

ROOT = Path(__file__).parent.parent
GUIDES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
EXPLAINED = ("docs/10_Wiki/How-It-Works.md", "docs/10_Wiki/How-It-Works.ko.md")
MEASURING = tuple(zip(EXPLAINED, ("Measuring", "측정"), strict=True))
BACKED = {"incomplete-snippet", "drifted-snippet", "unbacked-claim"}
"""Codes that are looked for where a vault runs its snippets."""
MATERIAL = {"title", "hl_lines", "linenums"}
"""Attributes that are Material's own."""


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[list[str]]:
    """The words in code in the first cell of each table row."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [re.findall(r"`([^`]+)`", row.split(" | ")[0]) for row in rows]


def section(text: str, heading: str) -> str:
    """The text below a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    assert found is not None, heading
    return found[1]


def readme_example() -> tuple[str, str]:
    """Path and text of the page that the README writes in five minutes."""
    found = re.search(
        r"<!-- example: docs/(\S+) -->\n````markdown\n(.*?)````\n", read("README.md"), re.S
    )
    assert found is not None
    return found[1], found[2]


def wiki(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wiki_tools", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with the README's page and the page that it names as its parent."""
    path, text = readme_example()
    page = tmp_path / "docs" / path
    page.parent.mkdir(parents=True)
    page.write_text(text, encoding="utf-8")
    seed = "10_Wiki/Topics/AI_and_ML/Matrix-Operations-and-AI.md"
    shutil.copy(ROOT / "tests/wikis/seed/docs" / seed, page.parent)
    return tmp_path / "docs"


def test_the_readme_lists_every_role_in_order() -> None:
    listed = [word for words in first_cells(section(read("README.md"), "Roles")) for word in words]
    assert listed == list(ROLES)


def test_the_readme_lists_every_attribute() -> None:
    rows = first_cells(section(read("README.md"), "Attributes"))
    listed = {words[0].split("=")[0] for words in rows if words}
    assert listed == set(ATTRIBUTES) - MATERIAL


def test_the_readme_lists_every_command() -> None:
    from wiki_tools.cli import COMMANDS

    rows = first_cells(section(read("README.md"), "Commands"))
    listed = [words.split()[1] for row in rows for words in row]
    assert sorted(listed) == sorted(COMMANDS)


def test_every_command_and_option_has_help() -> None:
    import typer

    from wiki_tools.cli import app

    group: Any = typer.main.get_command(app)  # typer brings a click of its own
    commands = {name: group.get_command(None, name) for name in group.list_commands(None)}
    silent = [name for name, command in commands.items() if not command.help]
    for name, command in commands.items():
        silent += [f"{name} {p.name}" for p in command.params if not getattr(p, "help", None)]
    assert silent == []


def test_every_diagnostic_code_says_what_it_means_and_what_to_do() -> None:
    assert [code.name for code in CODES.values() if not (code.meaning and code.hint)] == []
    assert {code.severity for code in CODES.values()} == {"error", "warning", "info"}


def test_every_code_has_a_reason_and_an_example() -> None:
    assert [code.name for code in CODES.values() if not (code.why and code.example)] == []


@pytest.mark.parametrize(("page", "heading"), MEASURING)
def test_what_is_turned_off_and_against_what_is_a_table_on_the_page(
    page: str, heading: str
) -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", section(read(page), heading), re.M)
    assert [name for name, _ in rows] == [row.name for row in ABLATIONS]
    said = [meaning.replace("`", "") for _, meaning in rows]
    korean = page.endswith(".ko.md")
    assert said == ([*TURNED_OFF["ko"].values()] if korean else [row.meaning for row in ABLATIONS])


def test_what_is_turned_off_is_known_in_every_language_of_the_site() -> None:
    names = [row.name for row in ABLATIONS]
    assert {language: [*texts] for language, texts in TURNED_OFF.items()} == {"ko": names}


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_the_example_of_a_code_has_it(
    code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, text in code.example.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    if code.name == "unreadable-file":  # permissions do not stop a superuser
        monkeypatch.setattr("wiki_tools.tree.os.open", refuse)
    claims = "--claims" if code.name in BACKED else "--no-claims"
    options = ["--docs", str(tmp_path / "docs"), "--format", "json", "--no-cache", claims]
    found = json.loads(CliRunner().invoke(app, ["check", *options]).stdout)["diagnostics"]
    said = {(row["code"], row["severity"]) for row in found}
    assert (code.name, code.severity) in said
    assert {name for name, severity in said if severity == "error"} <= {code.name}


def refuse(file: object, *_: object, **__: object) -> NoReturn:
    raise PermissionError(13, "Permission denied", str(file))


def findings_page(language: str) -> tuple[str, str]:
    """The page of findings above and from its first group of codes on."""
    text = read(f"docs/Findings{language}.md")
    first = re.search("^## ", text, re.M)
    assert first is not None
    return text[: first.start()], text[first.start() :]


def test_the_page_of_findings_says_what_the_tool_says(request: pytest.FixtureRequest) -> None:
    top, text = findings_page("")
    body, mark, graph = text.rpartition("## Graph\n")
    if request.config.getoption("--update"):
        page = ROOT / "docs/Findings.md"
        page.write_text(f"{top}{findings_text()}\n{mark}{graph}", encoding="utf-8")
    assert body.strip() == findings_text().strip(), "run pytest with --update and read the change"


def test_the_korean_page_of_findings_has_the_same_codes_and_examples() -> None:
    pages = [findings_page(language)[1] for language in ("", ".ko")]
    english, korean = [re.findall(r"^### (\S+)\n\n\*(\w+)\*", page, re.M) for page in pages]
    assert korean == english
    english, korean = [re.findall(r"^`([^`\n]+)`\n\n(````.*?````)$", p, re.M | re.S) for p in pages]
    assert korean == english


def test_the_readme_and_the_help_name_the_exit_code_of_ctrl_c() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for text in (shown, section(read("README.md"), "Commands")):
        assert "130 when Ctrl-C ended it" in " ".join(text.split())


def test_the_readme_says_where_claims_without_evidence_are_looked_for(vault: Path) -> None:
    text = section(read("README.md"), "Claims in prose")
    assert "once the vault has `snippets/` or `evidence/`, or with `--claims`" in text
    for options, there in (([], False), (["--claims"], True)):
        done = CliRunner().invoke(app, ["check", "--docs", str(vault), *options])
        assert ("unbacked-claim" in done.stdout) is there


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_a_code_is_explained_in_a_terminal(code: Code) -> None:
    done = CliRunner().invoke(app, ["check", "--explain", code.name])
    words = " ".join(done.stdout.split())
    assert done.exit_code == 0
    for text in (code.name, code.severity, code.meaning, code.why, code.hint, *code.example):
        assert text in words
    assert words.isprintable()


def test_the_readmes_editor_task_reads_what_check_prints() -> None:
    found = re.search(r"```json\n(.*?)```", section(read("README.md"), "In your editor"), re.S)
    assert found
    (task,) = json.loads(found[1])["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    row = Diagnostic(code="c", severity="info", path="a b.md", line=3, column=7, message="m: n")
    line, _ = as_text(make_config(Path.cwd()), [row]).split("\n", 1)
    match = re.fullmatch(pattern["regexp"], line)
    assert match
    names = ("file", "line", "column", "severity", "message")
    assert [match[pattern[name]] for name in names] == ["docs/a b.md", "3", "7", "info", "m: n [c]"]


def test_the_committed_schema_is_the_one_that_the_command_prints() -> None:
    assert read("frontmatter.schema.json") == wiki("schema").stdout


def test_contributing_draws_the_pipeline_as_it_is() -> None:
    rows = first_cells(section(read("CONTRIBUTING.md"), "The pipeline"))
    assert [module for row in rows for module in row] == ORDER


ISOLATION = tuple(zip(EXPLAINED, ("Isolation", "격리"), strict=True))


@pytest.mark.parametrize(("page", "heading"), ISOLATION)
def test_whatever_can_hold_of_a_snippet_is_explained(page: str, heading: str) -> None:
    rows = [words[0] for words in first_cells(section(read(page), heading)) if words]
    assert sorted(rows) == sorted(PROPERTIES)


@pytest.mark.parametrize("page", EXPLAINED)
@pytest.mark.parametrize("words", [Status, Judgement, PageStatus])
def test_every_status_and_verdict_is_explained_in_order(
    page: str, words: type[Status | Judgement | PageStatus]
) -> None:
    listed = [row[0] for row in first_cells(read(page)) if row]
    known = [str(word) for word in words]
    at = listed.index(known[0])
    assert listed[at : at + len(known)] == known


def test_the_glossary_has_the_same_words_in_both_languages() -> None:
    def english(name: str) -> list[str]:
        rows = [r.split(" | ")[0][2:] for r in read(name).splitlines() if r.startswith("| ")]
        return [re.sub(r".*\((.*)\)", r"\1", row) for row in rows if row.isascii() or "(" in row]

    korean = english("docs/10_Wiki/Glossary.ko.md")
    words = [word for word in english("docs/10_Wiki/Glossary.md") if word not in ("word", "date")]
    assert len(words) > 15
    assert korean == words


@pytest.mark.parametrize("guide", GUIDES)
def test_links_of_the_guides_lead_somewhere(guide: str) -> None:
    targets = re.findall(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)", read(guide))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_commands_of_make_that_the_guides_name_exist() -> None:
    known = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = {word for guide in GUIDES for word in re.findall(r"`make ([a-z-]+)`", read(guide))}
    assert named
    assert named <= known


def test_the_readmes_page_has_nothing_to_find(vault: Path) -> None:
    done = wiki("check", readme_example()[0], "--docs", str(vault), "--format", "json")
    found = json.loads(done.stdout)["diagnostics"]
    here = [finding for finding in found if finding["path"] == readme_example()[0]]
    assert [finding["code"] for finding in here] == ["orphan-page"]  # a note: no page links to it
    assert done.returncode == 0, done.stderr


@pytest.mark.torch
def test_the_readmes_page_runs(vault: Path) -> None:
    pytest.importorskip("torch")
    options = ("--docs", str(vault), "--no-measure", "--format", "json")
    done = wiki("verify", readme_example()[0], *options)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(done.stdout)["results"]
    assert {result["status"] for result in results} == {"passed"}
    assert [result["snippet"] for result in results] == [
        "batched-products#p01-baseline",
        "batched-products#p01",
    ]
