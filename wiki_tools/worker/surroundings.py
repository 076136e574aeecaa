"""What a snippet sees of the machine: an environment without secrets and a folder of its own."""

# ruff: noqa: PTH120
# pathlib costs every forked child half a millisecond of page faults.

import os
import sys
from collections.abc import Mapping

import wiki_tools
from wiki_tools.protocol import Job

PASSED_ON = (
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "CC", "CXX", "CUDA_HOME", "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "VIRTUAL_ENV",
)  # fmt: skip
"""The only variables that a worker inherits: tokens and passwords have any name."""

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PJRT_NPROC")
"""Each library's own variable; the last is XLA's."""
SETTINGS = {
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8",
    "MPLBACKEND": "agg",
    "KINETO_LOG_LEVEL": "99",  # the profiler's, which tells of every start
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # no pool of processes
    # 8 s of precompiling headers would be for one kernel, since no cache outlives a snippet.
    "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0",
    # Without `jit` each operation is compiled, in milliseconds, and hundreds make seconds.
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    "JAX_PERSISTENT_CACHE_ENABLE_XLA_CACHES": "none",  # the folder's name would be in each key
}
"""What every worker sees."""


COMPILED = ".compiled"
"""Folder in a scratch folder where torch.compile and JAX keep what they have compiled."""


def worker_environment(source: Mapping[str, str], device: str) -> dict[str, str]:
    """Choose the variables that a worker starts with, one thread a library until a job asks."""
    chosen = {name: source[name] for name in PASSED_ON if name in source}
    chosen |= dict.fromkeys(THREADS, "1") | SETTINGS
    if device == "cpu":
        return chosen | {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
    # One card, and the one that the environment names: nvidia-smi counts as the bus does, CUDA
    # the fastest first. JAX would take three quarters of its memory for each snippet.
    shown = (source.get("CUDA_VISIBLE_DEVICES") or "0").split(",")[0].strip()
    return chosen | {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": shown,
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    }


def start_environment(device: str) -> dict[str, str]:
    """Choose the variables that a worker process starts with; it finds this package."""
    chosen = worker_environment(os.environ, device)
    home = os.path.dirname(os.path.dirname(wiki_tools.__file__))
    paths = [home, *filter(None, [chosen.get("PYTHONPATH")])]
    return chosen | {"PYTHONPATH": os.pathsep.join(paths)}


def enter_environment(job: Job, scratch: str) -> None:
    """Point this process's home, temporary files and caches at its scratch folder."""
    changed = {"HOME": scratch, "TMPDIR": scratch}
    if "torch" in job.frameworks:
        changed["TORCHINDUCTOR_CACHE_DIR"] = f"{scratch}/{COMPILED}/inductor"
        changed["TRITON_CACHE_DIR"] = f"{scratch}/{COMPILED}/triton"
    if "jax" in job.frameworks:
        changed["JAX_COMPILATION_CACHE_DIR"] = f"{scratch}/{COMPILED}/jax"
    if job.threads != 1:
        changed |= dict.fromkeys(THREADS, str(job.threads))
    for name, value in changed.items():  # `update` asks what kind of mapping it is: 50 pages
        os.environ[name] = value
    if job.folders:
        sys.path.extend(job.folders)
        sys.dont_write_bytecode = True  # no `__pycache__` beside a page
    if "jax" in job.frameworks and (jax := sys.modules.get("jax")) is not None:
        jax.config.update("jax_compilation_cache_dir", changed["JAX_COMPILATION_CACHE_DIR"])
    if (tempfile := sys.modules.get("tempfile")) is not None:
        tempfile.tempdir = None  # type: ignore[attr-defined]  # it may have been asked for
    os.chdir(scratch)
