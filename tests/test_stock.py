"""The stock: every fixture is written, works and has the shape that it states."""

import ast
import re

import pytest

from wiki_tools.snippets.fixtures import parse_fixtures
from wiki_tools.stock import WORLDS, find_rank, find_size, find_source
from wiki_tools.stock.sources import FILES
from wiki_tools.stock.worlds import SCALARS

FRAMEWORKS = tuple(FILES)
OBJECTS = {
    "torch": [
        "model",
        "criterion",
        "loss_fn",
        "optimizer",
        "scheduler",
        "scaler",
        "loss",
        "dataset",
        "dataloader",
        "layer",
    ],
    "jax": ["model", "params", "key", "loss_fn", "dataloader"],
    "numpy": ["model", "params", "rng"],
}
FIELD = [  # what pages of the field leave open
    *("Q", "K", "V", "q", "k", "v", "x", "y", "X", "W", "W1", "W2", "b", "b1", "a", "A", "B"),
    *("mask", "target", "targets", "labels", "logits", "inputs", "tokens", "idx", "batch"),
]


def names_of(world: str) -> list[str]:
    return [name for array in WORLDS[world].arrays for name in array.names.split()]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_names_of_the_field_are_in_stock(framework: str) -> None:
    wanted = [*FIELD, *OBJECTS[framework]]
    assert not [n for n in wanted if not any(find_source(n, w, framework) for w in WORLDS)]


@pytest.mark.parametrize("name", ["N", "D", "B", "S", "H", "T", "C", "batch_size", "lr", "epochs"])
def test_sizes_of_the_field_are_in_stock(name: str) -> None:
    assert any(find_size(name, world) for world in WORLDS)


def test_numbers_are_numbers() -> None:
    assert all(isinstance(ast.literal_eval(text), int | float) for text in SCALARS.values())


@pytest.mark.parametrize("world", WORLDS)
def test_no_name_is_two_arrays_of_a_world(world: str) -> None:
    names = names_of(world)
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("world", WORLDS)
def test_aliases_name_sizes(world: str) -> None:
    assert set(WORLDS[world].aliases.values()) <= set(WORLDS[world].sizes)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_size_agrees_within_its_world(world: str, framework: str) -> None:
    sizes = WORLDS[world].sizes
    for name in [*names_of(world), *OBJECTS[framework]]:
        source = find_source(name, world, framework)
        fixture = parse_fixtures(source, "")[name] if source else None
        assert not fixture or fixture.sizes.items() <= sizes.items(), name


def test_a_fixture_says_its_shape_and_stands_alone() -> None:
    source = find_source("W1", "sequence", "torch")
    assert source is not None
    assert '"""Weights up to the wide layer: (D, F)."""' in source
    assert "def W1(D=512, F=2048, device=" in source


def test_a_key_is_random_in_jax_and_an_array_elsewhere() -> None:
    assert "jax.random.key(0)" in str(find_source("key", "sequence", "jax"))
    assert "torch.randn(B, H, S, E" in str(find_source("key", "sequence", "torch"))


def test_ranks_follow_the_world() -> None:
    assert [find_rank("x", world) for world in WORLDS] == [3, 2, 4]
    assert find_rank("nothing", "matrix") is None


@pytest.mark.torch
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_array_has_the_shape_that_it_states(world: str, framework: str) -> None:
    pytest.importorskip(framework)
    for array in WORLDS[world].arrays:
        name = array.names.split()[-1]
        source = find_source(name, world, framework)
        assert source is not None
        namespace: dict[str, object] = {}
        exec(source, namespace)
        value = namespace[name]()  # type: ignore[operator]
        if not hasattr(value, "shape") or name in OBJECTS[framework]:
            continue
        sizes = WORLDS[world].sizes
        stated = [sizes.get(d) or int(d) for d in array.shape.split()]
        assert list(value.shape) == stated, name
        wanted = "float32" if array.kind in ("normal", "weight", "ones", "zeros") else "(int|bool)"
        assert re.search(wanted, str(value.dtype)), name


@pytest.mark.torch
@pytest.mark.parametrize("world", WORLDS)
def test_a_model_learns_from_its_world(world: str) -> None:
    """Model, loss, optimizer and batches of one world fit each other."""
    torch = pytest.importorskip("torch")
    from tests.support import make_config, make_page
    from wiki_tools.snippets import complete
    from wiki_tools.snippets.types import Program, Variant

    code = (
        "for inputs_, targets_ in dataloader:\n    optimizer.zero_grad()\n"
        "    loss_ = loss_fn(model(inputs_), targets_)\n    loss_.backward()\n"
        "    optimizer.step()\nfirst = loss_.item()\n"
    )
    page = make_page(f"```python\n{code}```\n")
    like = Program(cells=(), context={}, variant=Variant(world=world))
    (program,) = complete(make_config(), page, page.markup.fences[0], like=like)
    namespace: dict[str, object] = {"device": "cpu"}
    torch.manual_seed(0)
    for cell in program.cells:
        exec(compile(cell.code, "cell", "exec"), namespace)
    assert isinstance(namespace["first"], float)
    assert not program.missing
