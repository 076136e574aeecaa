"""Tells what a machine lacks from what is wrong with a page: then a snippet is skipped."""

import errno
import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path

from wiki_tools.worker.surroundings import PASSED_ON

CARD = "needs a CUDA device"
PROCESSES = "needs several processes, as torchrun starts them"
UNAVAILABLE = (
    ("No working C++ compiler found", "torch.compile needs a C++ compiler and none was found"),
    ("Cannot find a working triton installation", "torch.compile on a GPU needs triton"),
    ("Torch not compiled with CUDA enabled", CARD),
    ("Found no NVIDIA driver", CARD),
    ("No CUDA GPUs are available", CARD),
    ("0 active drivers", CARD),
    ("Cannot access accelerator device when none is available", CARD),
    ("object on a CUDA device but torch.cuda.is_available() is False", CARD),
    ("only supported with GPUs, no GPUs found", CARD),
    ("Distributed package doesn't have NCCL", CARD),
    ("Unknown backend: 'gpu'", CARD),
    ("Unknown backend: 'cuda'", CARD),
    ("Unknown backend gpu", CARD),
    ("Unknown backend cuda", CARD),
    ("Unknown backend: 'tpu'", "needs a TPU"),
    ("Unknown backend tpu", "needs a TPU"),
    ("using env:// rendezvous", PROCESSES),
    ("Default process group has not been initialized", PROCESSES),
    ("Number of devices", "needs more devices than there are"),
    ("devices are available", "needs more devices than there are"),
    (
        "attempted relative import with no known parent",
        "an excerpt of a package: it imports from a module beside it",
    ),
)
"""What an exception says where the machine lacks something, not the page; why it is skipped."""

NETWORK = "needs the network, and there was none (--all tries again)"
FILE = "needs the file {}, which is not here"
PROGRAM = "needs the program {}, which is not installed"
LONGEST = 200
"""Characters of a file's name that are told."""
_UNREACHED = frozenset(
    (
        *("URLError", "gaierror", "ConnectionError", "ConnectTimeout", "ConnectError"),
        *("ProxyError", "NewConnectionError", "MaxRetryError", "NameResolutionError"),
        *("ClientConnectorError", "LocalEntryNotFoundError", "OfflineModeIsEnabled"),
    )
)
_NO_ROUTE = frozenset(
    getattr(errno, name)
    for name in ("ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "ECONNREFUSED", "EAFNOSUPPORT")
    if hasattr(errno, name)
)
_OPTIONAL = re.compile(
    r"Missing optional dependency '([\w.-]+)'|requires the ([\w.-]+) (?:library|package)"
    r"|`pip install ([\w.-]+)`|pip install ([\w.-]+)"
)


def unavailable(error: BaseException, *, from_page: bool) -> str:
    """Say what is not here that an exception speaks of; empty where it speaks of the page.

    Args:
        error: what was raised.
        from_page: the page's own line raised it, or called what is written in C and did.
    """
    for look in _LOOKS:
        if reason := look(error, from_page):
            return reason
    return ""


def _module(error: BaseException, from_page: bool) -> str:
    if type(error) is ModuleNotFoundError and (name := _missing_module(error)):
        return f"needs {name}, which is not installed"
    if not isinstance(error, ImportError):
        return ""
    if not from_page and str(error.name or "") in sys.stdlib_module_names:
        return f"needs another version of Python: {text_of(error).partition(' (')[0]}"
    if found := _OPTIONAL.search(text_of(error)):
        return f"needs {next(filter(None, found.groups()))}, which is not installed"
    return ""


def _missing_module(error: ModuleNotFoundError) -> str:
    """Name the package that is not installed; empty where it is, and only a part of it is not."""
    name = str(error.name or "").partition(".")[0]
    if not name or name in sys.stdlib_module_names:
        return ""
    try:
        return "" if importlib.util.find_spec(name) else name
    except (ImportError, ValueError, AttributeError):
        return name


def _said(error: BaseException, from_page: bool) -> str:
    text = text_of(error)
    if from_page and not isinstance(error, ImportError):
        return ""
    return next((reason for sign, reason in UNAVAILABLE if sign in text), "")


def _file(error: BaseException, _from_page: bool) -> str:
    if not isinstance(error, FileNotFoundError) or error.errno != errno.ENOENT:
        return ""
    name = error.filename
    name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
    if type(name) is not str:
        return ""
    return (PROGRAM if _raised_in(error, "subprocess") else FILE).format(name[:LONGEST])


def _network(error: BaseException, from_page: bool) -> str:
    number = error.errno if isinstance(error, OSError) else None
    named = any(kind.__name__ in _UNREACHED for kind in type(error).__mro__)
    if named and (not from_page or number is not None):
        return NETWORK
    refused = number in (errno.EPERM, errno.EACCES) and _raised_in(error, "socket")
    return NETWORK if number in _NO_ROUTE or refused else ""


def _variable(error: BaseException, _from_page: bool) -> str:
    """`os.environ["KEY"]` of a variable that is not set."""
    if type(error) is not KeyError or not _raised_in(error, "os") or not error.args:
        return ""
    name = str(error.args[0])[:100]
    if name in PASSED_ON:
        return f"needs the environment variable {name}, which is not set (--all tries again)"
    return f"needs the environment variable {name}, which snippets do not see: set it in a setup"


def _stand_in(error: BaseException, _from_page: bool) -> str:
    """What is there in name only: `model = ...`, and a notebook's shell that no notebook gave."""
    if not isinstance(error, AttributeError | TypeError):
        return ""
    text = text_of(error)
    if "'ellipsis'" in text:
        return "a placeholder: `...` stands for what the page leaves out"
    shell = any(f"'{name}'" in text for name in ("display_formatter", "run_line_magic", "kernel"))
    return "needs a notebook" if "'NoneType'" in text and shell else ""


def lacked(reason: str) -> tuple[str, str]:
    """Read why a snippet was skipped: `file` or `program`, and its name; both empty for others.

    A file is named by its whole path: no other can come to be in a snippet's own empty folder.
    """
    for kind, pattern in (("file", FILE), ("program", PROGRAM)):
        start, end = pattern.split("{}")
        name = reason.removeprefix(start).removesuffix(end)
        if reason == pattern.format(name) and len(name) < LONGEST:
            return (kind, name) if kind == "program" or Path(name).is_absolute() else ("", "")
    return "", ""


_LOOKS: tuple[Callable[[BaseException, bool], str], ...] = (
    _module,
    _said,
    _file,
    _network,
    _variable,
    _stand_in,
)
"""What may be missing, in the order in which it is looked for."""


def _raised_in(error: BaseException, name: str) -> bool:
    """Whether a file of Python's own library raised an exception."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    file = last.tb_frame.f_code.co_filename if last is not None else ""
    return file.replace("\\", "/").endswith(f"/{name}.py") or file == f"<frozen {name}>"


def text_of(error: BaseException) -> str:
    """The exception's own text; its `__str__` is the snippet's and may do anything."""
    try:
        return str(str(error))
    except BaseException as second:  # the snippet's code, and only its text is wanted
        return f"<its text raised {type(second).__name__}>"
