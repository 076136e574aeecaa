import dataclasses
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from wiki_tools import environment
from wiki_tools.environment import Environment, describe_environment, folder_name, processor_family
from wiki_tools.errors import UsageError

HERE = Environment(
    device="cpu",
    device_name="Intel(R) Xeon(R) Processor",
    processor="Intel(R) Xeon(R) Processor",
    cores=2,
    system="Linux 6.18",
    python="3.11.7",
    torch="2.13.0+cpu",
    jax="0.10.2",
)


def with_card(monkeypatch: pytest.MonkeyPatch, folder: Path, line: str) -> None:
    """Put an `nvidia-smi` that prints `line` before every other program."""
    monkeypatch.setattr(environment, "_version", lambda name: "2.13.0" if name == "torch" else "")
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\necho '{line}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_describing_a_cpu_names_it_as_the_device() -> None:
    found = describe_environment("cpu")
    assert found.device_name == found.processor != ""
    assert found.cores >= 1
    assert found.python == sys.version.split()[0]


def test_describing_imports_no_framework() -> None:
    import subprocess

    code = (
        "import sys; from wiki_tools.environment import describe_environment as d; d('cpu');"
        "print(sorted({'torch', 'jax', 'numpy'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_card_is_described_by_nvidia_smi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_card(monkeypatch, tmp_path, "NVIDIA H200, 9.0, 570.86.15")
    found = describe_environment("cuda")
    assert (found.device_name, found.capability, found.driver) == (
        "NVIDIA H200",
        "9.0",
        "570.86.15",
    )
    assert folder_name(found).startswith("nvidia-h200-")


@pytest.mark.parametrize(
    ("shown", "name"), [("3,1", "--id=3"), ("GPU-8f5c", "--id=GPU-8f5c"), ("MIG-1", "")]
)
def test_the_card_is_the_first_that_programs_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: str, name: str
) -> None:
    with_card(monkeypatch, tmp_path, "NVIDIA H200 '\"$3\"', 9.0, 570.86.15")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
    assert describe_environment("cuda").device_name == f"NVIDIA H200 {name}".strip()


def test_cuda_without_a_card_is_an_error_that_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="--device cpu"):
        describe_environment("cuda")


@pytest.mark.parametrize("shown", ["", "-1", "nonsense"])
def test_cards_that_are_hidden_are_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: str
) -> None:
    with_card(monkeypatch, tmp_path, "NVIDIA H200, 9.0, 570.86.15")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
    with pytest.raises(UsageError, match="CUDA_VISIBLE_DEVICES hides every card; unset it"):
        describe_environment("cuda")


@pytest.mark.parametrize(
    ("torch", "why"),
    [("2.13.0+cpu", r"torch 2.13.0\+cpu is built for CPUs"), ("", "torch is not installed")],
)
def test_a_card_that_nothing_here_computes_on_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, torch: str, why: str
) -> None:
    with_card(monkeypatch, tmp_path, "NVIDIA H200, 9.0, 570.86.15")
    monkeypatch.setattr(environment, "_version", lambda name: torch if name == "torch" else "")
    monkeypatch.setattr(environment, "jax_uses_card", lambda: False)
    with pytest.raises(UsageError, match=f"{why}; install .* `make gpu`"):
        describe_environment("cuda")


def test_nonsense_from_nvidia_smi_is_no_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with_card(monkeypatch, tmp_path, "No devices were found")
    assert environment.find_card() is None


def test_an_unknown_device_is_an_error() -> None:
    with pytest.raises(UsageError, match="cpu or cuda"):
        describe_environment("tpu")


def test_without_a_compiler_none_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert environment.compiler_name() == ""


def test_the_folder_names_device_system_and_minor_versions() -> None:
    assert folder_name(HERE) == "cpu-intel-xeon-linux-py3.11-torch2.13-jax0.10"


def test_patch_releases_share_a_folder() -> None:
    patched = dataclasses.replace(
        HERE, system="Linux 6.19", python="3.11.9", torch="2.13.1", cores=64
    )
    assert folder_name(patched) == folder_name(HERE)


def test_a_missing_framework_is_left_out_of_the_folder() -> None:
    assert folder_name(dataclasses.replace(HERE, jax="")) == (
        "cpu-intel-xeon-linux-py3.11-torch2.13"
    )


def test_any_device_name_is_safe_in_a_path() -> None:
    odd = dataclasses.replace(HERE, device="cuda", device_name="../Überkarte (2)/é")
    assert re.fullmatch(r"[a-z0-9.-]+", folder_name(odd))
    assert not folder_name(odd).startswith(".")


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", "intel-xeon"),
        ("Intel(R) Xeon(R) CPU E5-2673 v4 @ 2.30GHz", "intel-xeon"),
        ("AMD EPYC 7763 64-Core Processor", "amd-epyc"),
        ("Apple M2 Pro", "apple-m2-pro"),
        ("13th Gen Intel(R) Core(TM) i9-13900K", "intel-core-i9"),
        ("aarch64", "aarch64"),
        ("", "unknown"),
    ],
)
def test_models_of_a_family_are_one(name: str, family: str) -> None:
    assert processor_family(name) == family


@pytest.mark.parametrize(
    ("system", "text", "found"),
    [
        (
            "Linux",
            "model name\t: AMD EPYC\nflags\t\t: fpu sse2 sme smep avx avx512_bf16\nbugs\t: x\n",
            ("avx", "avx512_bf16"),
        ),
        (
            "Linux",
            "Features\t: fp asimd sve2 smei8i32 bf16\n",
            ("asimd", "bf16", "smei8i32", "sve2"),
        ),
        ("Linux", "", ()),
        (
            "Darwin",
            "hw.optional.floatingpoint: 1\nhw.optional.arm.FEAT_BF16: 1\n"
            "hw.optional.arm.FEAT_SME2: 0\nhw.optional.avx2_0: 1\n",
            ("avx2", "bf16"),
        ),
    ],
)
def test_a_processor_has_what_its_system_lists(
    monkeypatch: pytest.MonkeyPatch, system: str, text: str, found: tuple[str, ...]
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr(environment, "_processor_text", lambda: text)
    monkeypatch.setattr(environment, "_output", lambda _command: text)
    assert environment.processor_instructions() == found


def test_versions_are_those_that_python_itself_finds() -> None:
    names = {found.name for found in metadata.distributions() if found.name}
    assert len(names) > 10
    for name in names:
        assert environment._version(name) == metadata.version(name), name
    assert environment._version("Jinja_2-nobody.has") == ""
