"""Commands as a person or a script calls them: exit codes, data apart from progress, remedies."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

CopyWiki = Callable[[str], Path]
WITHOUT_SITE = """
import sys
for name in ("mkdocs", "material", "jupytext", "nbformat", "matplotlib"):
    sys.modules[name] = None  # as if it were not installed
sys.argv[0] = "wiki"
from wiki_tools.cli import main
main()
"""


VERIFYING = """
import sys
import wiki_tools.cli.verify, wiki_tools.cli.verifying, wiki_tools.runner.choice
seldom = "rich", "tarfile", "doctest", "unittest", "concurrent.futures", "wiki_tools.claims.phrases"
assert not [name for name in seldom if name in sys.modules]
"""


HASTY = """
import sys
from wiki_tools.__main__ import main
_, module, docs = sys.argv
class Hasty:
    def find_spec(self, name, path, target=None):
        if name == module:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Hasty())
sys.argv[1:] = ["check", "--docs", docs]
main()
"""
"""Ctrl-C while a module is imported."""


def wiki(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wiki_tools", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, text=True, capture_output=True, check=False, timeout=180
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A vault of two pages in which everything is well."""
    docs = tmp_path / "vault" / "docs"
    docs.mkdir(parents=True)
    (docs / "a.md").write_text(
        "---\nid: a\ntitle: A\n---\n# A\n\nSee [[B]].\n\n"
        "### Pattern 1\n```python\ntotal = sum(range(10))\nassert total == 45\n```\n"
    )
    (docs / "b.md").write_text("---\nid: b\ntitle: B\n---\n# B\n\nBack to [[A]].\n")
    return docs


def test_verifying_starts_without_what_it_seldom_needs() -> None:
    subprocess.run([sys.executable, "-c", VERIFYING], check=True)


def test_a_clean_vault_passes_every_command(small: Path) -> None:
    assert wiki("check", "--docs", small, "--strict").returncode == 0
    assert wiki("verify", "--docs", small).returncode == 0
    assert wiki("verify", "--docs", small, "--strict").returncode == 0
    assert wiki("graph", "--docs", small).returncode == 0


def test_data_goes_to_standard_output_alone(small: Path) -> None:
    for command in ("check", "verify", "graph"):
        done = wiki(command, "--docs", small, "--format", "json")
        assert json.loads(done.stdout), command


def test_check_prints_what_the_design_says(copy_wiki: CopyWiki) -> None:
    done = wiki("check", "--docs", copy_wiki("seed"), "--claims", "--format", "json")
    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert set(document) == {"pages", "links", "diagnostics"}
    assert (document["pages"], document["links"]) == (1, 7)
    keys = {"code", "severity", "path", "line", "column", "message", "hint"}
    assert all(set(row) == keys for row in document["diagnostics"])
    codes = [row["code"] for row in document["diagnostics"]]
    assert sorted(set(codes)) == ["unbacked-claim", "wanted-page"]
    assert codes.count("wanted-page") == 7
    claims = " ".join(r["message"] for r in document["diagnostics"] if "claim" in r["code"])
    assert "2-8배" in claims
    assert "1000배" in claims


def test_check_shows_every_claim_with_what_stands_behind_it(copy_wiki: CopyWiki) -> None:
    seed = copy_wiki("seed")
    done = wiki("check", "--docs", seed, "--show-claims")
    assert "speedup of 2 to 8, written '2-8배' (comment)" in done.stdout
    assert done.stdout.count("claim without evidence") == 2
    assert done.stdout.endswith("2 claims: 2 without evidence.\n")
    assert done.returncode == 0
    done = wiki("check", "--docs", seed, "--show-claims", "--strict", "--format", "json")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert document["totals"]["without evidence"] == 2
    assert {claim["status"] for claim in document["claims"]} == {"without evidence"}
    assert wiki("check", "--docs", seed, "--show-claims", "--format", "sarif").returncode == 2


def test_warnings_fail_only_when_strict(copy_wiki: CopyWiki) -> None:
    seed = copy_wiki("seed")
    assert wiki("check", "--docs", seed).returncode == 0
    assert wiki("check", "--docs", seed, "--strict").returncode == 1


def test_a_baseline_lets_only_new_findings_fail(copy_wiki: CopyWiki, tmp_path: Path) -> None:
    seed, known = copy_wiki("seed"), tmp_path / "known.json"
    options = ("check", "--docs", seed, "--strict", "--baseline", known)
    assert wiki(*options, "--update-baseline").returncode == 0
    assert wiki(*options).returncode == 0
    (page,) = (seed / "docs").rglob("*.md")
    page.write_text(page.read_text() + "\n[[Nowhere]]\n")
    done = wiki(*options)
    assert done.returncode == 1
    assert "[[Nowhere]]" in done.stdout
    assert "[[Transformer]]" not in done.stdout


def test_a_baseline_only_shrinks(copy_wiki: CopyWiki, tmp_path: Path) -> None:
    seed, known = copy_wiki("seed"), tmp_path / "known.json"
    options = ("check", "--docs", seed, "--strict", "--baseline", known)
    wiki(*options, "--update-baseline")
    (seed / "docs" / "Transformer.md").write_text("---\ntitle: Transformer\n---\n# Transformer\n")
    done = wiki(*options)
    assert done.returncode == 1
    assert "no longer found" in done.stderr
    assert "--update-baseline" in done.stderr


@pytest.mark.parametrize("name", ["broken-links", "bad-input"])
def test_a_broken_vault_adopts_the_check_by_a_baseline(
    copy_wiki: CopyWiki, tmp_path: Path, name: str
) -> None:
    vault, known = copy_wiki(name), tmp_path / "known.json"
    options = ("check", "--docs", vault, "--strict", "--baseline", known)
    assert wiki("check", "--docs", vault).returncode == 1
    done = wiki(*options, "--update-baseline")
    known_now = json.loads(known.read_text())["findings"]
    told = f"Nothing new to find, {len(known_now)} known.\n"
    assert (done.returncode, done.stdout) == (0, told)
    assert f"{len(known_now)} findings are known from now on" in done.stderr
    page = vault / "docs" / "new.md"
    page.write_text("# New\n\n[[new]] and [[Nowhere]]\n")
    done = wiki(*options, "--format", "json")
    new = [row["code"] for row in json.loads(done.stdout)["diagnostics"]]
    assert done.returncode == 1
    assert sorted(new) == ["orphan-page", "self-link", "wanted-page"]
    page.unlink()
    assert wiki(*options).returncode == 0


def test_check_prints_sarif(copy_wiki: CopyWiki) -> None:
    done = wiki("check", "--docs", copy_wiki("broken-links"), "--format", "sarif")
    log = json.loads(done.stdout)
    assert (done.returncode, log["version"]) == (1, "2.1.0")
    assert len(log["runs"][0]["results"]) > 10


def test_an_unknown_code_is_told_the_right_one() -> None:
    done = wiki("check", "--explain", "wanted-pages")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean wanted-page?" in done.stderr


def test_the_graph_of_the_seed_is_typed(copy_wiki: CopyWiki) -> None:
    document = json.loads(wiki("graph", "--docs", copy_wiki("seed")).stdout)
    relations = [edge["relation"] for edge in document["edges"]]
    assert {name: relations.count(name) for name in relations} == {
        "parent": 2,
        "application": 2,
        "adjacent": 3,
    }
    keys = {"source", "target", "canonical", "relation", "path", "line", "column", "text"}
    assert all(set(edge) == keys | {"form", "resolution"} for edge in document["edges"])


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        (("--wanted",), {"wanted"}),
        (("--orphans",), {"orphans"}),
        (("--backlinks", "A"), {"page", "backlinks"}),
        (("--path", "A", "B"), {"from", "to", "path"}),
        (("--central", "--limit", "1"), {"central"}),
        (("--wanted", "--central"), {"wanted", "central"}),
    ],
)
def test_every_answer_about_the_graph_is_text_or_json(
    small: Path, question: tuple[str, ...], keys: set[str]
) -> None:
    done = wiki("graph", "--docs", small, *question, "--format", "json")
    assert set(json.loads(done.stdout)) == keys
    assert wiki("graph", "--docs", small, *question).stdout == (
        wiki("graph", "--docs", small, *question, "--format", "text").stdout
    )
    refused = wiki("graph", "--docs", small, *question, "--format", "dot")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--format dot" in refused.stderr


def test_a_duplicate_is_asked_about_as_what_it_stands_for(small: Path) -> None:
    (small / "c.md").write_text("---\nid: c\nduplicate_of: b\n---\n")
    asked = [wiki("graph", "--docs", small, "--backlinks", name) for name in ("B", "c")]
    assert asked[0].stdout == asked[1].stdout != ""
    assert wiki("graph", "--docs", small, "--path", "A", "c", cwd=small).stdout.startswith(
        "a.md:7: a -"
    )


def test_where_no_way_leads_the_path_is_null(small: Path) -> None:
    (small / "c.md").write_text("# C\n")
    done = wiki("graph", "--docs", small, "--path", "A", "C", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["path"]) == (1, None)
    assert "No way leads from A to C" in done.stderr


def test_verify_prints_what_the_design_says(small: Path) -> None:
    document = json.loads(wiki("verify", "--docs", small, "--format", "json").stdout)
    assert set(document) == {"environment", "results", "totals"}
    (result,) = document["results"]
    assert set(result) == {
        "page", "snippet", "line", "status", "seconds", "message", "notes", "context",
        "comparisons",
    }  # fmt: skip
    assert (result["page"], result["snippet"], result["status"]) == ("a.md", "a#p01", "passed")


def test_a_pattern_made_wrong_fails_at_the_pages_own_line(small: Path) -> None:
    page = small / "a.md"
    page.write_text(page.read_text().replace("== 45", "== 46"))
    done = wiki("verify", "--docs", small)
    assert done.returncode == 1
    assert "a.md:12: failed" in done.stdout
    marks = wiki("verify", "--docs", small, "--format", "github").stdout
    assert marks.startswith("::error file=docs/a.md,line=12,col=1,title=failed::failed: ")


def test_a_run_is_written_for_other_programs(small: Path, tmp_path: Path) -> None:
    wiki("verify", "--docs", small, "--record")
    page = small / "a.md"
    page.write_text(page.read_text().replace("== 45", "== 46"))
    files = {name: tmp_path / name for name in ("junit", "summary")}
    options = [text for name, file in files.items() for text in (f"--{name}", file)]
    assert wiki("verify", "--docs", small, *options).returncode == 1
    assert ElementTree.parse(files["junit"]).getroot().get("failures") == "1"
    assert "### wiki verify: 1 newly failing" in files["summary"].read_text()
    options += ["--against", small.parent / "evidence"]
    wiki("verify", "--docs", small, *options)  # what this machine saw lies there as well
    assert "### wiki verify: 1 newly failing" in files["summary"].read_text()


def test_a_run_is_compared_with_the_evidence_of_a_revision(small: Path, tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        command = ["git", "-C", str(small.parent), *who, *arguments]
        subprocess.run(command, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "without evidence")
    wiki("verify", "--docs", small, "--record")
    git("add", ".")
    git("commit", "-m", "with evidence")
    page = small / "a.md"
    page.write_text(page.read_text().replace("== 45", "== 46"))
    options = ("verify", "--docs", small, "--record", "--summary", tmp_path / "s", "--against")
    assert wiki(*options, "HEAD").returncode == 1
    assert "### wiki verify: 1 newly failing" in (tmp_path / "s").read_text()
    done = wiki(*options, "HEAD~1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--against HEAD~1: no such folder, and git says: " in done.stderr


def test_a_stopped_run_says_what_is_kept_and_how_to_go_on(small: Path) -> None:
    loop = small / "z.md"
    loop.write_text("---\nid: z\n---\n```python\nwhile True:\n    pass\n```\n")
    command = [sys.executable, "-m", "wiki_tools", "verify", "--docs", str(small), "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    kept, until = small.parent / "evidence" / "local" / "a.json", time.monotonic() + 60
    while not kept.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    said = f"what 1 snippet showed is kept in {small.parent / 'evidence'}; the same command goes on"
    assert (process.returncode, out) == (130, "")
    assert err == f"wiki: stopped; {said} from there\n"
    loop.unlink()
    assert "Nothing ran" in wiki("verify", "--docs", small).stdout


def test_an_unchanged_vault_runs_nothing_and_says_so(small: Path) -> None:
    assert "1 ran" in wiki("verify", "--docs", small).stdout
    assert "Nothing ran: nothing changed in 1 snippet." in wiki("verify", "--docs", small).stdout


def test_evidence_goes_where_it_is_told(small: Path, tmp_path: Path) -> None:
    wiki("verify", "--docs", small, "--evidence", tmp_path / "e")
    assert (tmp_path / "e" / "local" / "a.json").is_file()
    assert not (small.parent / "evidence").exists()
    wiki("verify", "--docs", small, "--evidence", tmp_path / "e", "--record")
    assert len(list((tmp_path / "e").glob("*/a.json"))) == 2


def test_shards_are_disjoint_and_complete(small: Path) -> None:
    (small / "b.md").write_text("---\nid: b\n---\n### Pattern 1\n```python\nx_ = 1\n```\n")
    seen = [
        {
            row["snippet"]
            for row in json.loads(
                wiki("verify", "--docs", small, "--shard", f"{i}/2", "--format", "json").stdout
            )["results"]
        }
        for i in (1, 2)
    ]
    assert not seen[0] & seen[1]
    assert seen[0] | seen[1] == {"a#p01", "b#p01"}


def test_since_names_the_pages_that_changed(small: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", "-C", small, *who, *arguments], check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    options = ("verify", "--docs", small, "--since", "HEAD", "--format", "json")
    assert json.loads(wiki(*options).stdout)["results"] == []
    (small / "a.md").write_text((small / "a.md").read_text() + "\nMore.\n")
    assert [r["snippet"] for r in json.loads(wiki(*options).stdout)["results"]] == ["a#p01"]


def test_check_and_verify_work_without_mkdocs(small: Path) -> None:
    for command in (["check"], ["verify", "--format", "json"]):
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_SITE, *command, "--docs", str(small)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr


def test_a_site_without_mkdocs_says_what_to_install(small: Path) -> None:
    (small.parent / "mkdocs.yml").write_text("site_name: x\nplugins: [wiki]\n")
    command = [sys.executable, "-c", WITHOUT_SITE, "build", "--docs", str(small)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "MkDocs is not installed; pip install" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--docs", "nowhere"], "nowhere: no such folder"),
        (["check", "gone.md", "--docs", "{docs}"], "gone.md: no page lies there"),
        (["verify", "--docs", "{docs}", "--device", "tpu"], "expected cpu or cuda"),
        (["verify", "--docs", "{docs}", "--against", "HEAD"], "add --summary FILE"),
        (["verify", "--docs", "{docs}", "--junit", "no/such/file"], "expected a file in a folder"),
        (
            ["verify", "--docs", "{docs}", "--summary", "s", "--against", "--output=x"],
            "no folder or revision begins with a dash",
        ),
        (["verify", "--docs", "{docs}", "--shard", "3/2"], "expected I/N"),
        (["verify", "--docs", "{docs}", "--since", "HEAD"], "--since HEAD"),
        (["graph", "--docs", "{docs}", "--backlinks", "C"], "no page answers to it"),
        (["build", "--docs", "{docs}"], "a site needs one"),
        (["new", "a.md", "--docs", "{docs}"], "is there already"),
        (["new", "../../x.md", "--docs", "{docs}"], "lies outside"),
        (["new", "x.txt", "--docs", "{docs}"], "ends in .md"),
        (["check", "--docs", "{docs}", "--update-baseline"], "name the file"),
        (["check", "--docs", "{docs}", "--baseline", "gone.json"], "with --update-baseline"),
        (["nonsense"], "No such command"),
    ],
)
def test_what_cannot_work_exits_2_with_a_remedy(
    small: Path, arguments: list[str], words: str
) -> None:
    done = wiki(*(a.replace("{docs}", str(small)) for a in arguments), cwd=small.parent.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize("name", ["Softmax.md", "소프트맥스.ko.md", "Deep/Er, odd (1) & '2'.md"])
def test_a_new_page_has_nothing_to_find_and_passes(small: Path, name: str) -> None:
    assert wiki("new", name, "--docs", small).returncode == 0
    (small / "b.md").write_text((small / "b.md").read_text() + f"\n[new]({quote(name)})\n")
    done = wiki("check", "--docs", small, "--strict", "--no-claims")
    assert done.returncode == 0, done.stdout
    done = wiki("verify", "--docs", small, "--no-measure")
    assert done.returncode == 0, done.stdout


def test_stamp_writes_the_commit_that_was_measured(small: Path) -> None:
    def git(*arguments: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        command = ["git", "-C", str(small.parent), *who, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    page = small / "a.md"
    text = page.read_text().replace(
        "title: A\n", "title: A\naliases: ['b\x85c', \u2028]\ngithub_commit: pending\n"
    )
    page.write_bytes(text.replace("\n", "\r\n").encode() + b"\xff")
    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    done = wiki("stamp", "--docs", small, cwd=small)
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "wiki: not stamped, never verified (run wiki verify): a.md",
        "wiki: not stamped, nothing to run: b.md",
    ]
    wiki("verify", "--docs", small)
    done = wiki("stamp", "--docs", small, cwd=small)
    commit = git("rev-parse", "--short=12", "HEAD")
    assert done.stdout == f"a.md: github_commit: {commit}\n"
    expected = text.replace("commit: pending", f"commit: {commit}").replace("\n", "\r\n")
    assert page.read_bytes() == expected.encode() + b"\xff"
    told = wiki("stamp", "--docs", small, cwd=small).stderr
    assert "not stamped, names that commit already: a.md" in told


def test_the_version_is_printed() -> None:
    assert wiki("--version").stdout.startswith("wiki_tools ")


STEERING = "\x1b\x9b\x7f\u2028\u202e\u2066"


@pytest.mark.parametrize(
    "command",
    [
        *(["check", "--format", kind] for kind in ("text", "json", "github", "sarif")),
        *(["graph", "--format", kind] for kind in ("json", "dot", "mermaid", "graphml")),
        *(["graph", kind] for kind in ("--wanted", "--orphans")),
        ["graph", "--backlinks", "b.md"],
    ],
    ids=" ".join,
)
def test_no_output_steers_a_terminal_or_breaks_a_reader(tmp_path: Path, command: list[str]) -> None:
    odd = f"{STEERING}\\ud800"
    matter = f'{{"title": "T{odd}", "aliases": ["{odd}"]}}'
    page = f"{matter}\n\n[[{odd}]] [[b]] ![[{odd}.png]] [[#{odd}]]\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / f"{STEERING}.md").write_text(page, encoding="utf-8")
    (tmp_path / "docs" / "b.md").write_text(f'---\ntitle: "{odd}"\n---\n', encoding="utf-8")
    found = wiki(*command, "--docs", tmp_path / "docs")
    assert found.returncode in (0, 1), found.stderr
    assert not set(found.stdout + found.stderr) & set(STEERING)
    if command[-1] in ("json", "sarif"):
        assert json.loads(found.stdout)


@pytest.mark.parametrize("encoding", ["latin-1", "cp949", "cp1252", "utf-8"])
@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_every_page_can_be_told_of_in_every_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, form: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "é한\U0001f600.md").write_text(
        "[[é한\U0001f600\ufffd x]]", encoding="utf-8"
    )
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    command = [sys.executable, "-m", "wiki_tools", "check", "--docs", "docs", "--format", form]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (found.returncode, found.stderr) == (0, b"")
    text = found.stdout.decode(encoding)
    if form == "json":
        paths = {row["path"] for row in json.loads(text)["diagnostics"]}
        assert paths == {"é한\U0001f600.md"}


@pytest.mark.parametrize(
    "command", ["rename a.md {}", "rename {} b", "new {}.md", "check {}", "graph --backlinks {}"]
)
def test_an_argument_that_is_no_text_is_refused_in_a_line(small: Path, command: str) -> None:
    words = [word.encode().replace(b"{}", b"a\xff") for word in command.split()]
    done = subprocess.run(
        [sys.executable, "-m", "wiki_tools", *words, "--docs", str(small)],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()


def test_what_a_page_says_steers_neither_terminal_nor_github(tmp_path: Path) -> None:
    odd = tmp_path / "docs" / "a\n::error file=x::PWNED"
    odd.mkdir(parents=True)
    (odd / "p.md").write_text(
        "## Pattern 1 \x1b[31mX\x1b]0;t\x07\n```python\n"
        "assert False, 'hi\\n::warning file=y::PWN2 \\x1b[31m \\x9b31m'\n```\n"
    )
    for command in ("check", "verify"):
        for form in ("text", "github"):
            shown = wiki(command, "--docs", tmp_path / "docs", "--format", form).stdout
            lines = [line for line in shown.splitlines() if line.startswith("::")]
            assert all("file=docs/" in line for line in lines), shown
            assert not set(shown) & {"\x1b", "\x07", "\x9b"}, shown


def test_a_revision_is_no_option_of_git(small: Path, tmp_path: Path) -> None:
    done = wiki("verify", "--docs", small, "--since", f"--output={tmp_path / 'written'}")
    assert (done.returncode, (tmp_path / "written").exists()) == (2, False)


def test_a_name_that_no_disk_takes_is_said_in_a_line(small: Path) -> None:
    done = wiki("new", "x" * 300 + ".md", "--docs", small)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_damaged_evidence_is_named_and_made_anew(small: Path) -> None:
    wiki("verify", "--docs", small)
    file = small.parent / "evidence" / "local" / "a.json"
    file.write_text("{")
    assert str(file) in wiki("check", "--docs", small).stderr
    done = wiki("verify", "--docs", small)
    assert (done.returncode, str(file) in done.stderr) == (0, True)
    assert str(file) not in wiki("check", "--docs", small).stderr


@pytest.mark.parametrize(
    ("here", "docs", "expected"),
    [
        ("", "vault/notes", "vault/notes/b.md:1:1: warning"),
        ("vault", "notes", "notes/b.md:1:1: warning"),
        ("vault/notes", ".", "b.md:1:1: warning"),
        ("vault/notes/sub", "..", "../b.md:1:1: warning"),
        ("elsewhere", "../vault/notes", "../vault/notes/b.md:1:1: warning"),
    ],
)
def test_a_finding_is_placed_from_where_one_stands(
    tmp_path: Path, here: str, docs: str, expected: str
) -> None:
    notes = tmp_path / "vault" / "notes"
    (notes / "sub").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (notes / "b.md").write_text("[[Nowhere]]\n")
    done = wiki("check", "--docs", docs, cwd=tmp_path / here)
    assert done.stdout.startswith(expected)
    done = wiki("check", "--docs", docs, "--format", "github", cwd=tmp_path / here)
    place = expected.partition(":")[0]
    within_the_vault = "notes/b.md" if place.startswith("..") else place
    assert f"file={within_the_vault}," in done.stdout


@pytest.mark.parametrize(
    "module", ["wiki_tools.collector", "typer", "wiki_tools.cli.check", "yaml"]
)
def test_ctrl_c_while_modules_are_imported_ends_the_command_without_a_traceback(
    module: str, small: Path
) -> None:
    (small.parent / "mkdocs.yml").write_text("site_name: A\n")
    command = [sys.executable, "-c", HASTY, module, str(small)]
    done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=180)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["verify", "--shard", ""], "--shard"),
        (["verify", "--shard="], "--shard"),
        (["verify", "--since", ""], "--since"),
        (["graph", "--backlinks", ""], "--backlinks"),
        (["check", ""], "an argument"),
    ],
    ids=" ".join,
)
def test_what_is_empty_is_not_taken_as_if_it_was_not_given(
    small: Path, options: list[str], what: str
) -> None:
    done = wiki(*options, "--docs", small)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"wiki: {what} is empty; give a value, or leave it out\n"


def test_a_report_that_cannot_be_written_is_named_with_its_option(small: Path) -> None:
    for option in ("--junit", "--summary"):
        done = wiki("verify", "--docs", small, option, "/dev/full")
        assert done.returncode == 2
        assert f"{option} /dev/full: cannot be written: No space left on device" in done.stderr


def test_what_is_no_revision_is_said_in_a_line(small: Path) -> None:
    subprocess.run(["git", "init", "-q", small.parent], check=True)
    done = wiki("verify", "--docs", small, "--since=/etc/passwd")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--since /etc/passwd: git knows no such revision; name a commit" in done.stderr


def test_build_says_where_the_site_is_or_that_it_cannot_be_there(small: Path) -> None:
    (small.parent / "mkdocs.yml").write_text("site_name: A\nplugins: []\n")
    (small.parent / "file").write_text("")
    done = wiki("build", "--docs", small)
    assert (done.returncode, done.stdout) == (0, f"{small.parent / 'site' / 'index.html'}\n")
    for place in ("/proc/nowhere", small.parent / "file" / "site"):
        done = wiki("build", "--docs", small, "--site", place)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f"{place}: no site can be written there: " in done.stderr


def test_check_and_verify_take_a_page_by_any_of_its_names(small: Path) -> None:
    (small / "sub").mkdir()
    (small / "sub" / "long-name.md").write_text(
        "---\nid: x\ntitle: A Title\naliases: [Alias]\n---\n[[Nowhere]]\n"
    )
    (small / "sub" / "long-name.ko.md").write_text("---\nid: x\n---\n[[Nirgends]]\n")
    for name in ("A Title", "alias", "x", "long-name", "sub/long-name", "sub"):
        found = wiki("check", "--docs", small, name, "--format", "json").stdout
        assert json.loads(found)["pages"] == 2, name
    assert '"pages": 1' in wiki("check", "--docs", small, "long-name.ko", "--format", "json").stdout
    assert wiki("verify", "--docs", small, "A").stdout.count("1 snippet: ") == 1


def test_a_name_in_the_wrong_folder_is_suggested_with_the_right_one(small: Path) -> None:
    (small / "sub").mkdir()
    (small / "sub" / "page.md").write_text("---\nid: p\n---\n# Page\n")
    done = wiki("check", "--docs", small, "other/page.md", cwd=small.parent)
    assert done.returncode == 2
    assert "no page lies there; did you mean docs/sub/page.md?" in done.stderr


def test_every_command_names_pages_from_where_one_stands(small: Path) -> None:
    here = small.parent
    commands = {
        ("verify",): "docs/a.md  verified",
        ("graph", "--backlinks", "A"): "docs/b.md:7: mention",
        ("graph", "--orphans"): "docs/c.md: C",
        ("graph", "--format", "text"): "docs/a.md:7: a -mention-> b",
        ("extract",): "snippets/",
    }
    (small / "c.md").write_text("# C\n")
    for command, start in commands.items():
        assert wiki(*command, cwd=here).stdout.startswith(start), command
        above = wiki(*command, "--docs", "vault/docs", cwd=here.parent).stdout
        assert above.startswith("" if command == ("extract",) else f"vault/{start}"), command


def test_a_baseline_grows_only_where_that_is_asked_for(small: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    options = ("check", "--docs", small, "--strict", "--baseline", known)
    (small / "b.md").write_text((small / "b.md").read_text() + "[[One]] [[Two]]\n")
    assert "2 findings are known" in wiki(*options, "--update-baseline").stderr
    (small / "b.md").write_text((small / "b.md").read_text().replace("[[Two]]", "[[Three]]"))
    done = wiki(*options, "--update-baseline")
    assert done.returncode == 1
    assert "1 finding is known from now on (0 more and 1 fewer than before)" in done.stderr
    assert "1 new finding is not known: mend what you can, and add --grow" in done.stderr
    assert "[[Three]]" in done.stdout
    assert done.stdout.endswith("1 warning; 1 more known\n" + done.stdout.splitlines()[-1] + "\n")
    done = wiki(*options, "--update-baseline", "--grow")
    assert (done.returncode, done.stdout) == (0, "Nothing new to find, 2 known.\n")
    assert "2 findings are known from now on (1 more and 0 fewer than before)" in done.stderr


def test_what_a_fix_leaves_or_brings_is_listed(small: Path) -> None:
    (small / "c.md").write_text("See [[A]], [[Nowhere]].\n\n```python antipatern\nx = 1\n```\n")
    (small / "b.md").write_text((small / "b.md").read_text() + "\n[[c]]\n")
    done = wiki("check", "--docs", small, "--fix", "--no-claims", cwd=small.parent)
    assert "+```python antipattern" in done.stdout
    assert "Left:\ndocs/c.md:1:12: warning: [[Nowhere]] names a page" in done.stderr
    assert "antipatern" not in done.stderr
    done = wiki("check", "--docs", small, "--fix", "--yes", cwd=small.parent)
    assert "[[Nowhere]]" in done.stderr


def test_a_link_to_a_heading_that_is_not_there_is_a_backlink(small: Path) -> None:
    (small / "c.md").write_text("# C\n\nAs [[A#Nowhere]] says.\n")
    done = wiki("graph", "--docs", small, "--backlinks", "A", cwd=small)
    assert done.stdout.splitlines() == [
        "b.md:7: mention: Back to A.",
        "c.md:3: mention: As A#Nowhere says. ([[A#Nowhere]] leads to no place in it)",
    ]
