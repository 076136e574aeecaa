"""Other names that pages give to what is in stock: `val_loader`, `x_train`, `student_input`."""

import functools
import re

SAME: dict[str, str] = {
    **dict.fromkeys(
        (
            *("loader", "data_loader", "train_loader", "trainloader", "train_dataloader"),
            *("train_dl", "val_loader", "valid_loader", "validation_loader", "valloader"),
            *("val_dataloader", "val_dl", "test_loader", "testloader", "test_dataloader"),
            *("eval_loader", "eval_dataloader", "dl", "batches"),
        ),
        "dataloader",
    ),
    **dict.fromkeys(
        (
            *("train_dataset", "trainset", "train_ds", "val_dataset", "valset", "valid_dataset"),
            *("test_dataset", "testset", "test_ds", "eval_dataset", "full_dataset", "ds"),
        ),
        "dataset",
    ),
    **dict.fromkeys(
        (
            *("Model", "MyModel", "YourModel", "SimpleModel", "ToyModel", "TinyModel", "MyNet"),
            *(
                "SimpleNet",
                "Network",
                "MyNetwork",
                "NeuralNetwork",
                "NeuralNet",
                "MLP",
                "SimpleMLP",
            ),
            *("MyModule", "CNN", "SimpleCNN", "ConvNet", "Classifier", "SimpleNN", "LinearModel"),
        ),
        "Net",
    ),
    **dict.fromkeys(
        (
            *("my_model", "your_model", "base_model", "teacher", "student", "teacher_model"),
            *("student_model", "network", "pretrained_model", "trained_model", "classifier"),
            *("encoder", "decoder", "transformer", "backbone", "mlp", "ffn", "block", "module"),
            *("head", "projector", "generator", "discriminator", "critic", "actor", "policy"),
        ),
        "model",
    ),
    **dict.fromkeys(("my_optimizer", "optim_", "optimiser"), "optimizer"),
    **dict.fromkeys(("loss_function", "loss_func", "lossfn", "crit"), "loss_fn"),
    **dict.fromkeys(("lr_scheduler", "sched"), "scheduler"),
    **dict.fromkeys(("rngs", "rng_seq", "prng_key", "seed_key", "subkey"), "key"),
    **dict.fromkeys(("tensor", "t", "arr", "array", "xs", "images", "samples", "sequence"), "x"),
    **dict.fromkeys(("seq", "tgt", "src", "source", "memory", "context", "values_in"), "x"),
    **dict.fromkeys(("ys", "y_true", "ground_truth", "gt"), "y"),
    **dict.fromkeys(("y_pred", "y_hat", "pred", "predictions", "prediction"), "y"),
}
"""Another name to the stock's own."""
_BEFORE = re.compile(
    r"(?:my|your|some|the|new|old|train|training|test|val|valid|validation|eval|dummy|sample|fake"
    r"|example|random|student|teacher|user|raw|batch|input|output|local|global)_(?=\w)"
)
_AFTER = re.compile(r"(?<=\w)_?(?:tensor|array|data|batch|train|test|val|valid|in|b|t|\d+)\Z")
_NOUNS = frozenset(
    (
        *("input", "inputs", "tokens", "ids", "embedding", "embeddings", "hidden", "features"),
        *("logits", "labels", "targets", "mask", "query", "keys", "values", "image", "images"),
        *("matrix", "vector", "loader", "dataloader", "dataset", "model", "net", "optimizer"),
        *("scheduler", "encoder", "decoder", "weights", "scores", "batch", "tensor"),
    )
)
"""Last words that say what a name means: `student_input`, but not `invoice_rows`."""
_COUNT = re.compile(r"(?:num|n)_(?!heads?\Z|embd?\Z)\w+")
_WIDTH = re.compile(r"\w+_(?:dim|dims|size|features|width|hidden)|(?:dim|hidden)_\w+")
_FILE = re.compile(
    r"(?i)(?:(?:save|model|checkpoint|ckpt|weights?)_)?path|(?:ckpt|checkpoint)_file"
)
_CHANCE = re.compile(r"\w+_(?:rate|ratio|prob|probability|dropout|weight_decay)")


@functools.cache
def find_kin(name: str) -> tuple[str, ...]:
    """Give the stock's own names for what a page calls otherwise, likeliest first."""
    found: dict[str, None] = {}
    if name in SAME:
        found[SAME[name]] = None
    shorter = _AFTER.sub("", name)
    last = name.rpartition("_")[2]
    words = [shorter, _BEFORE.sub("", name), _BEFORE.sub("", shorter)]
    for word in (*words, *([last] if last in _NOUNS else [])):
        if len(word) > 1 or word in ("x", "y", "X", "W", "Q", "K", "V", "q", "k", "v"):
            found |= {SAME.get(word, word): None, word: None}
    found.pop(name, None)
    return tuple(found)


def find_literal(name: str) -> str | None:
    """Give a value for a name that says what it is: `num_blocks`, `proj_dim`, `save_path`."""
    if _FILE.fullmatch(name):
        return '"checkpoint.pt"'
    if _CHANCE.fullmatch(name):
        return "0.1"
    if _COUNT.fullmatch(name):
        return "4"
    return "64" if _WIDTH.fullmatch(name) else None
