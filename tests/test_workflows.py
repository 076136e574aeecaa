"""The workflows hold no more rights than they need, and run nothing that is not pinned."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from wiki_tools.cli import COMMANDS, app

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
FILES = sorted((GITHUB / "workflows").glob("*.yml"))
NAMES = [file.name for file in FILES]

USES = re.compile(r"^\s*(?:-\s+)?uses:\s*(.*)$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

MAY_WRITE = {
    ("gpu.yml", "propose"): {"contents", "pull-requests"},
    ("publish.yml", "deploy"): {"pages", "id-token"},
}
"""Jobs that hold a right to write, and which; all others read."""

RUNS_REPOSITORY_CODE = re.compile(
    r"(?<![\w-])(make|wiki|python3?|pip|pytest|npm|node|bash|sh|source|\.ci/\S+|\./\S+)(?![\w-])"
)

FORKS = {"pull_request", "pull_request_target", "issue_comment", "workflow_run"}
"""Events that somebody without rights to the repository can cause."""


def load(text: str) -> dict[str, Any]:
    data = yaml.safe_load(text)
    assert isinstance(data, dict)
    return {("on" if key is True else str(key)): value for key, value in data.items()}


def events(workflow: dict[str, Any]) -> set[str]:
    on = workflow["on"]
    return {on} if isinstance(on, str) else set(on)


def unpinned(text: str) -> list[str]:
    return [found for found in USES.findall(text) if not PINNED.fullmatch(found.strip())]


def writers(workflow: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """Jobs with rights beyond reading, those that the whole workflow grants included."""
    granted = {"(all jobs)": workflow, **workflow["jobs"]}
    for name, holder in granted.items():
        rights = holder.get("permissions", {})
        if isinstance(rights, str):
            rights = {rights: "write"} if "write" in rights else {}
        beyond = {scope for scope, level in rights.items() if level not in ("read", "none")}
        if beyond:
            yield name, beyond


def runs_code(job: dict[str, Any]) -> list[str]:
    """What a job's steps run that lies in the repository or comes from a registry."""
    local = [s["uses"] for s in job["steps"] if s.get("uses", "").startswith(".")]
    scripts = "\n".join(s.get("run", "") for s in job["steps"])
    return local + [m[0] for m in RUNS_REPOSITORY_CODE.finditer(scripts)]


def open_to_forks(workflow: dict[str, Any]) -> list[str]:
    """Jobs on a machine of ours that somebody else could reach."""
    return [
        name
        for name, job in workflow["jobs"].items()
        if "self-hosted" in str(job["runs-on"])
        and (
            events(workflow) & FORKS
            or "environment" not in job
            or "github.repository ==" not in str(job.get("if", ""))
            or "refs/heads/main" not in str(job.get("if", ""))
        )
    ]


@pytest.fixture(params=FILES, ids=NAMES)
def file(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def workflow(file: Path) -> dict[str, Any]:
    return load(file.read_text(encoding="utf-8"))


def test_there_are_checks_gpu_verification_and_publishing() -> None:
    assert {"ci.yml", "gpu.yml", "publish.yml"} <= set(NAMES)


def test_every_action_is_pinned_by_commit_with_its_version(file: Path) -> None:
    assert unpinned(file.read_text(encoding="utf-8")) == []


def test_an_action_has_one_pin_in_all_workflows() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in FILES)
    pins = {tuple(found.split("@", 1)) for found in USES.findall(text)}
    assert len(pins) == len({name for name, _ in pins})


def test_rights_are_declared_and_only_listed_jobs_write(
    file: Path, workflow: dict[str, Any]
) -> None:
    assert workflow["permissions"] in ({}, {"contents": "read"})
    found = {(file.name, job): rights for job, rights in writers(workflow)}
    assert found == {key: value for key, value in MAY_WRITE.items() if key[0] == file.name}


def test_a_job_that_may_write_runs_no_code_of_the_repository(workflow: dict[str, Any]) -> None:
    for name, _ in writers(workflow):
        assert runs_code(workflow["jobs"][name]) == []


def test_no_checkout_leaves_its_token_behind(workflow: dict[str, Any]) -> None:
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_every_job_ends(workflow: dict[str, Any]) -> None:
    assert all(0 < job["timeout-minutes"] <= 120 for job in workflow["jobs"].values())


def test_two_runs_do_not_race(workflow: dict[str, Any]) -> None:
    assert workflow["concurrency"]["group"]


def test_no_workflow_runs_a_fork_with_our_rights(workflow: dict[str, Any]) -> None:
    assert not events(workflow) & (FORKS - {"pull_request"})


def test_our_own_machines_run_main_only_and_after_approval(workflow: dict[str, Any]) -> None:
    assert open_to_forks(workflow) == []


def test_the_gpu_workflow_runs_on_our_own_machine() -> None:
    gpu = load((GITHUB / "workflows/gpu.yml").read_text(encoding="utf-8"))
    assert events(gpu) == {"push", "schedule", "workflow_dispatch"}
    assert gpu["jobs"]["verify"]["runs-on"] == ["self-hosted", "gpu"]


def make(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run make with nothing installed but what lies in `path` and the system's own."""
    return subprocess.run(
        ["make", *arguments],
        cwd=ROOT,
        env={"PATH": f"{path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def put_card(folder: Path) -> None:
    """An `nvidia-smi` that knows one card."""
    program = folder / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA H200 (UUID: GPU-8f5c)'\n")
    program.chmod(0o755)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_without_a_card_nothing_is_installed_for_one(tmp_path: Path) -> None:
    done = make("gpu", f"VENV={tmp_path}/venv", path=tmp_path)
    assert done.returncode != 0
    assert "nvidia-smi finds no card, so nothing was installed" in done.stderr
    assert "make wiki" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_card_is_tested_before_anything_is_recorded_on_it(tmp_path: Path) -> None:
    put_card(tmp_path)
    lines = make("-n", "gpu", f"VENV={tmp_path}/venv", "OPTIONS=--all", path=tmp_path).stdout
    steps = ("nvidia-smi -L", "-m venv", "pip install", "pytest tests/gpu", "wiki verify")
    assert [step for step in steps if step in lines] == list(steps)
    assert sorted(steps, key=lines.index) == list(steps)
    assert "wiki verify --device cuda --record --all;" in lines
    assert "--no-index" not in lines
    assert "site" not in re.findall(r"--editable (\S+)", lines)[0]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_machine_without_a_network_installs_from_a_folder_of_wheels(tmp_path: Path) -> None:
    put_card(tmp_path)
    lines = make("-n", "gpu", f"VENV={tmp_path}/venv", "WHEELS=wheels", path=tmp_path).stdout
    assert f"--no-index --find-links '{ROOT / 'wheels'}'" in lines


def test_every_make_target_that_is_called_exists(workflow: dict[str, Any]) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) | {".venv/.installed"}
    scripts = "\n".join(s.get("run", "") for j in workflow["jobs"].values() for s in j["steps"])
    assert set(re.findall(r"^\s*make (\S+)", scripts, re.MULTILINE)) <= known


def test_the_gpu_workflow_does_what_a_person_with_a_card_does() -> None:
    gpu = load((GITHUB / "workflows/gpu.yml").read_text(encoding="utf-8"))
    scripts = [step["run"] for step in gpu["jobs"]["verify"]["steps"] if "run" in step]
    (options,) = [found for script in scripts for _, found in wiki_options(script)]
    assert options == ["--format", "--summary", "--all"]
    assert sum("make gpu" in script for script in scripts) == len(scripts) == 1


def wiki_options(script: str) -> Iterator[tuple[str, list[str]]]:
    """Each `wiki` command of a script with its options, those in an array of bash's among them."""
    text = script.replace("\\\n", " ")
    arrays = re.findall(r"options\+?=\(([^)]*)\)", text)
    for command, rest in re.findall(r"(?<![\w.-])wiki\"? ([a-z]+)([^\n|;&]*)", text):
        words = " ".join([rest, *(arrays if "options[@]" in rest else ())])
        yield command, _options(words)
    if re.search(r"(?<![\w-])make gpu ", text):  # which hands them on
        yield "verify", _options(" ".join(arrays))


def _options(words: str) -> list[str]:
    return re.findall(r"(?<![\w-])--[a-z][a-z-]*", words)


def unknown(script: str) -> list[str]:
    """What a script asks of `wiki` that it does not have."""
    group: Any = typer.main.get_command(app)
    found = []
    for name, options in wiki_options(script):
        if name not in COMMANDS:
            found.append(name)
            continue
        known = {o for p in group.get_command(None, name).params for o in p.opts}
        known |= {o for p in group.get_command(None, name).params for o in p.secondary_opts}
        found += [f"{name} {option}" for option in options if option not in known]
    return found


def test_every_command_of_ours_and_its_options_exist(workflow: dict[str, Any]) -> None:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert [found for step in steps for found in unknown(step.get("run", ""))] == []


def test_a_command_or_option_that_is_not_there_is_found() -> None:
    script = (
        'options=(--record --nonsense)\n"$X/bin/wiki" verify "${options[@]}" --fromat github\n'
        ".venv/bin/wiki check --strict \\\n  --colour\nwiki biuld"
    )
    assert unknown(script) == ["verify --fromat", "verify --nonsense", "check --colour", "biuld"]


def test_a_run_of_every_pattern_is_annotated_kept_and_summed_up() -> None:
    ci = load((GITHUB / "workflows/ci.yml").read_text(encoding="utf-8"))
    steps = ci["jobs"]["verify"]["steps"]
    (options,) = [
        options
        for step in steps
        for command, options in wiki_options(step.get("run", ""))
        if command == "verify"
    ]
    assert {"--all", "--no-fewer", "--format", "--junit", "--summary", "--against"} <= set(options)
    kept = [step["with"]["path"] for step in steps if "upload-artifact" in step.get("uses", "")]
    assert "${{ runner.temp }}/verify.xml" in kept


@pytest.mark.parametrize(
    "line",
    [
        "- uses: actions/checkout@v7",
        "- uses: actions/checkout@main # v7.0.1",
        f"  uses: actions/checkout@{'0' * 40}",
        f"  uses: actions/checkout@{'0' * 40} # latest",
        f"  uses: actions/checkout@{'0' * 39} # v7.0.1",
        "- uses: docker://alpine:3",
    ],
)
def test_a_loose_pin_is_found(line: str) -> None:
    assert len(unpinned(line)) == 1


def test_a_right_too_many_is_found() -> None:
    workflow = load(
        "on: push\npermissions: write-all\n"
        "jobs: {a: {permissions: {contents: write, issues: read}}, b: {permissions: read-all}}"
    )
    assert dict(writers(workflow)) == {"(all jobs)": {"write-all"}, "a": {"contents"}}


@pytest.mark.parametrize("script", ["make wiki", "cd x && python a.py", ".ci/run", "./build.sh"])
def test_repository_code_in_a_script_is_found(script: str) -> None:
    assert runs_code({"steps": [{"run": script}]})


@pytest.mark.parametrize(
    ("on", "rest"),
    [
        (
            "pull_request",
            "environment: gpu, if: \"github.repository == 'a/b' && 'refs/heads/main'\"",
        ),
        ("push", "if: \"github.repository == 'a/b' && github.ref == 'refs/heads/main'\""),
        ("push", "environment: gpu, if: \"github.ref == 'refs/heads/main'\""),
        ("push", "environment: gpu, if: \"github.repository == 'a/b'\""),
    ],
    ids=["pull request", "no approval", "any repository", "any branch"],
)
def test_a_way_onto_our_machine_is_found(on: str, rest: str) -> None:
    workflow = load(f'"on": {on}\njobs: {{a: {{runs-on: [self-hosted], {rest}}}}}')
    assert open_to_forks(workflow) == ["a"]


def tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_zizmor_finds_nothing() -> None:
    command = [tool("zizmor"), "--offline", "--quiet", "--no-progress", "--persona", "auditor"]
    done = subprocess.run(
        [*command, str(GITHUB)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(
        [tool("actionlint"), *map(str, FILES)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
