"""What a snippet sees of the machine: an environment without secrets and a folder of its own."""

# ruff: noqa: PTH118, PTH120
# pathlib costs every forked child half a millisecond of page faults.

import os
from collections.abc import Mapping

import wiki_tools
from wiki_tools.protocol import Job

PASSED_ON = (
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "CC", "CXX", "CUDA_HOME", "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "VIRTUAL_ENV",
)  # fmt: skip
"""The only variables that a worker inherits: tokens and passwords have any name."""


def worker_environment(source: Mapping[str, str], device: str) -> dict[str, str]:
    """Choose the variables that a worker starts with, one thread a library until a job asks."""
    chosen = {name: source[name] for name in PASSED_ON if name in source}
    chosen |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    chosen |= {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8", "MPLBACKEND": "agg"}
    if device == "cpu":
        chosen |= {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
    return chosen


def start_environment(device: str) -> dict[str, str]:
    """Choose the variables that a worker process starts with; it finds this package."""
    chosen = worker_environment(os.environ, device)
    home = os.path.dirname(os.path.dirname(wiki_tools.__file__))
    paths = [home, *filter(None, [chosen.get("PYTHONPATH")])]
    return chosen | {"PYTHONPATH": os.pathsep.join(paths)}


def enter_environment(job: Job, scratch: str) -> None:
    """Point this process's home, temporary files and caches at its scratch folder."""
    homes = ("HOME", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "MPLCONFIGDIR")
    os.environ.update(dict.fromkeys(homes, scratch))
    threads = str(job.threads)
    os.environ.update(
        TORCHINDUCTOR_CACHE_DIR=os.path.join(scratch, ".inductor"),
        TRITON_CACHE_DIR=os.path.join(scratch, ".triton"),
        TORCHINDUCTOR_COMPILE_THREADS="1",  # no pool of processes
        # 8 s of precompiling headers would be for one kernel, since no cache outlives a snippet.
        TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS="0",
        OMP_NUM_THREADS=threads,
        MKL_NUM_THREADS=threads,
        OPENBLAS_NUM_THREADS=threads,
        PJRT_NPROC=threads,  # the size of XLA's thread pool on a CPU
    )
    os.chdir(scratch)
