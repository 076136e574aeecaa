"""What torch's operators compute and move, beside what its own table of operations knows."""

import math
from typing import Any

PASSES = {
    "_softmax": 5, "_log_softmax": 5, "_safe_softmax": 5, "softmax": 5, "log_softmax": 5,
    "_softmax_backward_data": 4, "_log_softmax_backward_data": 4,
    "native_layer_norm": 7, "native_group_norm": 7, "native_batch_norm": 7,
    "_native_batch_norm_legit": 7, "_native_batch_norm_legit_no_training": 4,
    "_batch_norm_with_update": 7, "_fused_rms_norm": 4, "native_layer_norm_backward": 10,
    "native_group_norm_backward": 10, "native_batch_norm_backward": 10, "mse_loss": 3,
    "mse_loss_backward": 3, "cumsum": 1, "cumprod": 1, "logcumsumexp": 3,
    "native_dropout": 2, "native_dropout_backward": 2, "_foreach_norm": 2, "diff": 1,
}  # fmt: skip
"""Operations an element of what is one operator in torch, counted on the written-out form.

A softmax takes a maximum, a difference, an exponential, a sum and a quotient."""
WINDOWS = frozenset({"max_pool2d_with_indices", "avg_pool2d"})
"""What takes one operation for each element of a window, whose sides are the second argument."""
NOTHING = frozenset({
    # moves
    "clone", "copy", "copy_", "_to_copy", "contiguous", "cat", "stack", "repeat", "tile", "flip",
    "roll", "rot90", "constant_pad_nd", "reflection_pad2d", "replication_pad2d", "_unsafe_view",
    "_reshape_copy", "tril", "triu", "diag_embed", "embedding", "embedding_dense_backward",
    "gather", "scatter", "scatter_", "index", "index_put", "index_put_", "_unsafe_index",
    "_index_put_impl_", "index_select", "index_copy", "index_copy_", "index_fill", "index_fill_",
    "take", "masked_select", "masked_scatter", "masked_scatter_", "slice_backward",
    "select_backward", "upsample_nearest2d", "pixel_shuffle", "pixel_unshuffle", "im2col",
    "_local_scalar_dense", "lift_fresh", "lift_fresh_copy", "resize_", "set_", "nonzero",
    "unfold_backward",
    "nll_loss_forward", "nll_loss_backward", "_pin_memory", "is_pinned", "channel_shuffle",
    "max_pool2d_with_indices_backward", "fill", "fill_", "zero_", "zeros", "ones", "full",
    "zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "scalar_tensor",
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided",
    "_efficientzerotensor",
    "arange", "linspace", "eye", "tril_indices", "triu_indices",
    # numbers drawn at random
    "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "uniform_",
    "normal_", "random_", "bernoulli", "bernoulli_", "exponential_", "multinomial", "normal",
    # comparisons
    "sort", "topk", "kthvalue", "median", "unique_dim", "unique_consecutive", "_unique2", "mode",
    "searchsorted", "bucketize", "cummax", "cummin", "_cummax_helper", "bincount", "histc", "equal",
    "one_hot", "_assert_async", "_assert_scalar", "_linalg_check_errors", "sym_size", "isin",
})  # fmt: skip
"""What computes nothing in floating point: it moves, draws or compares."""
ADDS = frozenset({"scatter_add", "scatter_add_", "index_add", "index_add_", "scatter_reduce",
                  "scatter_reduce_"})  # fmt: skip
"""What takes an operation for each element of its last tensor."""
LOOKUPS = frozenset(
    {"embedding", "gather", "index", "_unsafe_index", "index_select", "take", "masked_select"}
)
"""What reads only those elements of its first tensor that it gives."""
OVERWRITES = frozenset({"fill_", "zero_", "copy_", "uniform_", "normal_", "random_", "bernoulli_",
                        "exponential_"})  # fmt: skip
"""What writes its first tensor without reading it."""


def name_of(func: Any) -> str:
    """The base name of an operator."""
    return str(func.overloadpacket.__name__)


def run_parts(mode: Any, func: Any, args: Any, kwargs: Any) -> Any:
    """Run an operator that is made of others as those, under a mode; else `NotImplemented`.

    Without gradients `softmax` comes in one piece, with them in its parts.
    """
    with mode:
        return func.decompose(*args, **(kwargs or {}))


def is_known(torch: Any, func: Any, counted: Any) -> bool:
    """Whether the operations of an operator can be told; `counted` is torch's own table."""
    tags = {torch.Tag.pointwise, torch.Tag.reduction, torch.Tag.inplace_view}
    if func.overloadpacket in counted or func.is_view or tags.intersection(func.tags):
        return True
    name = name_of(func)
    return name.startswith(("_foreach_", "empty")) or any(
        name in table for table in (PASSES, WINDOWS, NOTHING, ADDS)
    )


def refusal(probe: str, names: Any) -> TypeError:
    """What a probe raises for operators whose operations nobody has told it."""
    told = ", ".join(sorted(names))
    return TypeError(f"{probe}: the operations of {told} are not known; count the rest without it")


def elementwise(torch: Any, func: Any, args: Any, read: list[Any], written: list[Any]) -> int:
    """Count the operations of an operator that torch's table does not know."""
    name = name_of(func)
    if name in NOTHING:
        return 0
    if name in PASSES:
        whole = read if name.startswith("_foreach_") else (read or written)[:1]
        return int(PASSES[name] * sum(t.numel() for t in whole))
    if name in WINDOWS:
        sides = args[1] if len(args) > 1 else (1,)
        window = math.prod(sides) if len(sides) > 1 else sides[0] ** 2
        return int(window * written[0].numel())
    if name in ADDS:
        return int(read[-1].numel())
    if name.startswith("_foreach_"):
        return int(sum(t.numel() for t in written or read))
    if torch.Tag.pointwise in func.tags:
        return int(sum(t.numel() for t in written[:1]))
    if torch.Tag.reduction in func.tags:
        return int(sum(t.numel() for t in read[:1]))
    return 0


def moved(func: Any, read: list[Any], written: list[Any]) -> int:
    """Count the bytes that an operator reads and writes."""
    name = name_of(func)
    out = sum(map(_size, written))
    if func._schema.overload_name.endswith("out"):
        read = read[: -len(written)]  # where the result goes stands last
    if name in LOOKUPS and read:
        return out + min(out, _size(read[0])) + sum(map(_size, read[1:]))
    return out + sum(map(_size, read[1:] if name in OVERWRITES else read))


def is_dense(tensor: Any) -> bool:
    """Whether a tensor holds every element of its shape."""
    return str(tensor.layout) == "torch.strided"


def _size(tensor: Any) -> int:
    """Bytes that a tensor really has: an expanded one has fewer than its shape says.

    Raises:
        ValueError: it is not dense. (A TypeError would be taken for an operand that does not fit.)
    """
    if not is_dense(tensor):
        raise ValueError(f"bytes_moved: counts dense tensors, and one is {tensor.layout}")
    whole = int(tensor.numel() * tensor.element_size())
    return min(whole, int(tensor.untyped_storage().nbytes())) if tensor.numel() else 0
