"""The usual imports, and which frameworks a piece of code speaks."""

import ast
import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from wiki_tools.code import nodes_of

FRAMEWORKS = ("torch", "jax", "numpy", "triton")


class Usual(NamedTuple):
    """How everyone imports a name."""

    statement: str
    framework: str = ""
    """What using the name says about the code; empty where it says nothing."""


_TYPING = (
    *("Any", "Callable", "ClassVar", "Dict", "Generator", "Generic", "Iterable", "Iterator"),
    *("List", "Literal", "Mapping", "NamedTuple", "Optional", "Protocol", "Sequence", "Set"),
    *("Tuple", "Type", "TypeVar", "TypedDict", "Union", "cast", "overload"),
)
_MODULES = (
    *("argparse", "asyncio", "collections", "contextlib", "copy", "csv", "dataclasses"),
    *("datetime", "functools", "gc", "heapq", "inspect", "io", "itertools", "json", "logging"),
    *("math", "operator", "os", "pickle", "random", "re", "statistics", "string", "sys"),
    *("tempfile", "threading", "time", "timeit", "traceback", "typing", "uuid", "warnings"),
)
IMPORTS: dict[str, Usual] = {
    "torch": Usual("import torch", "torch"),
    "nn": Usual("from torch import nn", "torch"),
    "F": Usual("import torch.nn.functional as F", "torch"),
    "optim": Usual("from torch import optim", "torch"),
    "Tensor": Usual("from torch import Tensor", "torch"),
    "DataLoader": Usual("from torch.utils.data import DataLoader", "torch"),
    "Dataset": Usual("from torch.utils.data import Dataset", "torch"),
    "TensorDataset": Usual("from torch.utils.data import TensorDataset", "torch"),
    "dist": Usual("import torch.distributed as dist", "torch"),
    "Adam": Usual("from torch.optim import Adam", "torch"),
    "AdamW": Usual("from torch.optim import AdamW", "torch"),
    "SGD": Usual("from torch.optim import SGD", "torch"),
    "transforms": Usual("from torchvision import transforms", "torch"),
    "torchaudio": Usual("import torchaudio", "torch"),
    "timm": Usual("import timm", "torch"),
    "jax": Usual("import jax", "jax"),
    "jnp": Usual("import jax.numpy as jnp", "jax"),
    "lax": Usual("from jax import lax", "jax"),
    "Array": Usual("from jax import Array", "jax"),
    "optax": Usual("import optax", "jax"),
    "flax": Usual("import flax", "jax"),
    "nnx": Usual("from flax import nnx", "jax"),
    "linen": Usual("from flax import linen", "jax"),
    "eqx": Usual("import equinox as eqx", "jax"),
    "hk": Usual("import haiku as hk", "jax"),
    "chex": Usual("import chex", "jax"),
    "np": Usual("import numpy as np", "numpy"),
    "numpy": Usual("import numpy", "numpy"),
    "triton": Usual("import triton", "triton"),
    "tl": Usual("import triton.language as tl", "triton"),
    "plt": Usual("import matplotlib.pyplot as plt"),
    "matplotlib": Usual("import matplotlib"),
    "pd": Usual("import pandas as pd"),
    "sns": Usual("import seaborn as sns"),
    "sp": Usual("import scipy as sp"),
    "scipy": Usual("import scipy"),
    "einops": Usual("import einops"),
    "rearrange": Usual("from einops import rearrange"),
    "torchvision": Usual("import torchvision", "torch"),
    "repeat": Usual("from einops import repeat"),
    "einsum": Usual("from einops import einsum"),
    "torchmetrics": Usual("import torchmetrics"),
    "transformers": Usual("import transformers"),
    "AutoModel": Usual("from transformers import AutoModel"),
    "AutoTokenizer": Usual("from transformers import AutoTokenizer"),
    "AutoModelForCausalLM": Usual("from transformers import AutoModelForCausalLM"),
    "load_dataset": Usual("from datasets import load_dataset"),
    "Image": Usual("from PIL import Image"),
    "cv2": Usual("import cv2"),
    "sklearn": Usual("import sklearn"),
    "train_test_split": Usual("from sklearn.model_selection import train_test_split"),
    "nx": Usual("import networkx as nx"),
    "wandb": Usual("import wandb"),
    "tf": Usual("import tensorflow as tf"),
    "requests": Usual("import requests"),
    "display": Usual("from IPython.display import display"),
    "tqdm": Usual("from tqdm import tqdm"),
    "Path": Usual("from pathlib import Path"),
    "dataclass": Usual("from dataclasses import dataclass"),
    "field": Usual("from dataclasses import field"),
    "partial": Usual("from functools import partial"),
    "lru_cache": Usual("from functools import lru_cache"),
    "contextmanager": Usual("from contextlib import contextmanager"),
    "nullcontext": Usual("from contextlib import nullcontext"),
    "defaultdict": Usual("from collections import defaultdict"),
    "deque": Usual("from collections import deque"),
    "Counter": Usual("from collections import Counter"),
    "OrderedDict": Usual("from collections import OrderedDict"),
    "Enum": Usual("from enum import Enum"),
    "ABC": Usual("from abc import ABC"),
    "abstractmethod": Usual("from abc import abstractmethod"),
    "deepcopy": Usual("from copy import deepcopy"),
    "perf_counter": Usual("from time import perf_counter"),
    **{name: Usual(f"import {name}") for name in _MODULES},
    **{name: Usual(f"from typing import {name}") for name in _TYPING},
}
"""Name to its import, in the order in which a program's imports stand."""

PROBES = (
    *("flops", "calls", "peak_memory", "max_error"),
    *("operations", "bytes_moved", "intensity", "bound", "roof"),
)
"""Names of `wiki_tools.probes` that a `check` fence may use without importing them."""

_PACKAGES = {
    **{name: name for name in FRAMEWORKS},
    **dict.fromkeys(("flax", "optax", "equinox", "jaxlib"), "jax"),
    **dict.fromkeys(("torchvision", "torchaudio", "lightning"), "torch"),
}
_TORCH_METHODS = frozenset(
    [
        "contiguous",
        "cuda",
        "backward",
        "unsqueeze",
        "permute",
        "view",
        "requires_grad",
        "requires_grad_",
        "detach",
        "masked_fill",
        "is_contiguous",
        "is_cuda",
        "zero_grad",
        "numel",
        "data_ptr",
        "stride",
        "bfloat16",
        "half",
    ]
)
_TELLING = _TORCH_METHODS.union(
    _PACKAGES, (name for name, usual in IMPORTS.items() if usual.framework)
)
"""Code that has none of these words names no framework: most code need not be walked."""
_WORD = re.compile(r"\w+")
_WORDS = re.compile(r"[a-z]+")


@functools.lru_cache(maxsize=4096)
def find_frameworks(code: str) -> tuple[str, ...]:
    """Say which frameworks code names, by its imports and names, most used first."""
    if code.isascii() and _TELLING.isdisjoint(_WORD.findall(code)):
        return ()
    uses: dict[str, int] = {}
    methods = False
    for node in nodes_of(code):
        if isinstance(node, ast.Attribute):
            methods |= node.attr in _TORCH_METHODS
        elif type(node) in _SPEAKING:
            for framework in _speaks(node):
                uses[framework] = uses.get(framework, 0) + 1
    if not uses and methods:
        return ("torch",)
    # numpy is the guest wherever another framework is: `np.prod(x.shape)` makes no array of `x`
    return tuple(sorted(uses, key=lambda name: (name == "numpy", -uses[name])))


_SPEAKING = (ast.Name, ast.Import, ast.ImportFrom)


def _speaks(node: ast.AST) -> list[str]:
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        modules = [node.module or ""]
    elif isinstance(node, ast.Name) and node.id in IMPORTS:
        return [f for f in [IMPORTS[node.id].framework] if f]
    return [_PACKAGES[m.partition(".")[0]] for m in modules if m.partition(".")[0] in _PACKAGES]


def frameworks_imported(codes: Iterable[str]) -> tuple[str, ...]:
    """List the frameworks that code imports, anywhere in it, in the order of `FRAMEWORKS`."""
    found = {framework for code in codes for framework in _importing(code)}
    return tuple(name for name in FRAMEWORKS if name in found)


@functools.lru_cache(maxsize=4096)
def _importing(code: str) -> frozenset[str]:
    if "import" not in code:
        return frozenset()
    nodes = (n for n in nodes_of(code) if isinstance(n, ast.Import | ast.ImportFrom))
    return frozenset(framework for node in nodes for framework in _speaks(node))


def array_framework(frameworks: Iterable[str]) -> str:
    """Choose what makes the arrays: kernels of triton work on tensors of torch."""
    for name in frameworks:
        return "torch" if name == "triton" else name
    return ""


def declared_framework(stack: object) -> str:
    """Read a front matter's `tech_stack.framework`, such as `pytorch-numpy-jax`."""
    words = _WORDS.findall(str(stack).lower())
    names = [w.removeprefix("py") if w == "pytorch" else w for w in words]
    return array_framework(name for name in names if name in FRAMEWORKS)
