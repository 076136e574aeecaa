"""Reads the `wiki` plugin's settings in mkdocs.yml once; works where MkDocs is not installed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from wiki_tools.errors import ConfigError, UsageError, nearest
from wiki_tools.stats import FEWEST_ROUNDS

MOST_ROUNDS = 100
"""Of the setting `rounds`: each costs a process and a warm-up of every comparison."""

SECTIONS: dict[str, tuple[str, ...]] = {
    "one-line": ("매 한 줄", "한 줄", "one line", "in one line", "tl;dr", "summary"),
    "core": ("매 핵심", "핵심", "core", "key ideas"),
    "patterns": ("패턴", "patterns", "code patterns"),
    "decisions": ("매 결정 기준", "결정 기준", "decision table", "decisions", "when to use what"),
    "graph": ("graph", "그래프", "links"),
    "llm": ("llm 활용", "llm use", "using an llm", "llm usage"),
    "antipatterns": ("안티패턴", "anti-patterns", "antipatterns", "anti patterns"),
    "verification": ("검증 / 중복", "검증", "verification", "verification / duplicates"),
    "changelog": ("changelog", "변경 이력"),
}
"""Section name to the headings that open it, compared case-folded and without emoji."""

RELATIONS: dict[str, tuple[str, ...]] = {
    "parent": ("부모", "상위", "parent", "parents"),
    "application": ("응용", "application", "applications"),
    "adjacent": ("인접", "관련", "adjacent", "related"),
}
"""Relation to the labels that name it in the graph section; another label is its own relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Where a vault lies, and its settings."""

    docs: Path
    root: Path
    """The parent of `docs`: `mkdocs.yml`, `snippets/` and `evidence/` are looked for there."""
    evidence: Path
    snippets: Path
    languages: tuple[str, ...] = ("en", "ko")
    """Suffixes that make `X.ko.md` a translation of `X.md`; the first is the default language."""
    sections: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(SECTIONS))
    relations: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(RELATIONS))
    timeout: float = 60.0
    """Seconds for one snippet, where its fence says nothing."""
    memory: float = 8.0
    """GiB that one snippet may allocate."""
    budget: float = 0.4
    """Seconds of timing for one comparison, its first `rounds` together."""
    rounds: int = 4
    """Processes, one after another, in which one comparison is timed: 1, or `FEWEST_ROUNDS` and
    more, since what differs between two says nothing yet."""
    aged_days: int = 365
    """Days since `last_reinforced` after which a page is aged."""
    sandbox: str = "auto"
    """`auto` confines snippets as far as the machine allows, `require` refuses to run without a
    sandbox, `off` (on the command line only) runs without."""
    baseline: Path | None = None
    """A file of known findings of `wiki check`; only new ones fail."""


SETTINGS = (
    "sections",
    "relations",
    "timeout",
    "memory",
    "budget",
    "rounds",
    "aged_days",
    "baseline",
    "languages",
    "sandbox",
)


def read_config(docs: Path | None = None, evidence: Path | None = None) -> Config:
    """Find the vault and read its settings.

    Args:
        docs: the docs folder, or the folder that holds `mkdocs.yml`; by default the
            current folder's `docs`.
        evidence: where evidence lies; by default `evidence` beside the docs folder.

    Raises:
        UsageError: there is no such folder.
        ConfigError: `mkdocs.yml` is not YAML, or a setting is unknown or of another type.
    """
    folder = (docs or Path("docs")).expanduser()
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; name the vault's folder with --docs DIR")
    folder = folder.resolve()
    file = folder / "mkdocs.yml"
    if file.is_file():
        folder = (folder / _docs_dir(file)).resolve()
        if not folder.is_dir():
            raise ConfigError(
                f"{file}: docs_dir names {folder}, which is no folder; correct docs_dir"
            )
    root = folder.parent
    file = root / "mkdocs.yml"
    settings = _settings(file) if file.is_file() else {}
    return Config(
        docs=folder,
        root=root,
        evidence=(evidence or root / "evidence").expanduser().resolve(),
        snippets=root / "snippets",
        **settings,
    )


def read_mkdocs(config: Config) -> dict[str, Any]:
    """Read all that a vault's mkdocs.yml says, as data.

    Raises:
        ConfigError: it is not readable as YAML.
    """
    return _load(config.root / "mkdocs.yml")


def _docs_dir(file: Path) -> str:
    value = _load(file).get("docs_dir", "docs")
    if not isinstance(value, str):
        raise ConfigError(f"{file}: docs_dir is {value!r}; a folder's name was expected")
    return value


def _load(file: Path) -> dict[str, Any]:
    import yaml  # takes 20 ms, and most vaults have no such file

    class Loader(yaml.SafeLoader):
        """Reads data: the tags `!ENV` and `!!python/name:` mean nothing here."""

    Loader.add_multi_constructor("", lambda _loader, _tag, _node: None)
    try:
        value = yaml.load(file.read_text(encoding="utf-8-sig"), Loader=Loader)
    except (yaml.YAMLError, *_BROKEN) as error:
        raise ConfigError(f"{file}: not readable as YAML: {_where(error)}") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{file}: a mapping of settings was expected, not {value!r:.60}")
    return value


_BROKEN = (
    *(RecursionError, ValueError, TypeError),
    *(AttributeError, KeyError, OverflowError),  # what PyYAML lets out of `!!timestamp x`
)
"""What reading a file as YAML may raise beside YAML's own errors."""


def _where(error: BaseException) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return str(error)
    return f"line {mark.line + 1}, column {mark.column + 1}: {getattr(error, 'problem', error)}"


def _plugins(file: Path, data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    plugins = data.get("plugins") or []
    if not isinstance(plugins, list | dict):
        raise ConfigError(f"{file}: plugins is {plugins!r:.60}; a list was expected")
    for item in plugins.items() if isinstance(plugins, dict) else plugins:
        if isinstance(item, str):
            yield item, {}
        elif isinstance(item, tuple):
            yield str(item[0]), item[1] if isinstance(item[1], dict) else {}
        elif isinstance(item, dict):
            for name, options in item.items():
                yield str(name), options if isinstance(options, dict) else {}


def _settings(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, options in _plugins(file, _load(file)):
        if name == "i18n":
            found |= _languages(options)
    for name, options in _plugins(file, _load(file)):
        if name == "wiki":
            found |= {
                key: _typed(file, key, value) for key, value in options.items() if key != "enabled"
            }
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _languages(options: dict[str, Any]) -> dict[str, Any]:
    rows = [
        r
        for r in _listed(options.get("languages"))
        if isinstance(r, dict) and isinstance(r.get("locale"), str)
    ]
    rows.sort(key=lambda row: not row.get("default"))
    names = tuple(row["locale"] for row in rows if row["locale"] != "null")
    return {"languages": names} if names else {}


def _typed(file: Path, key: str, value: Any) -> Any:
    if key not in SETTINGS:
        near = nearest(key, SETTINGS)
        hint = f"did you mean {near!r}?" if near else f"known are {', '.join(SETTINGS)}"
        raise ConfigError(f"{file}: unknown setting {key!r} of the plugin wiki; {hint}")
    if key in ("sections", "relations"):
        return _vocabulary(file, key, value)
    if key == "languages":
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise ConfigError(
                f"{file}: languages is {value!r}; a list such as [en, ko] was expected"
            )
        return tuple(value)
    if key == "baseline":
        if not isinstance(value, str) or "\0" in value:
            raise ConfigError(f"{file}: baseline is {value!r}; a file's name was expected")
        return file.parent / value
    if key == "sandbox":
        if value not in ("auto", "require"):  # a page's author must not turn it off
            raise ConfigError(f"{file}: sandbox is {value!r}; auto or require was expected")
        return value
    kind = {f.name: f.type for f in fields(Config)}[key]
    if (
        isinstance(value, bool)
        or not isinstance(value, int if kind is int else int | float)
        or not 0 < value < math.inf
    ):
        what = "whole number" if kind is int else "number"
        raise ConfigError(f"{file}: {key} is {value!r}; a {what} above 0 was expected")
    if key == "rounds" and not (value == 1 or FEWEST_ROUNDS <= value <= MOST_ROUNDS):
        raise ConfigError(
            f"{file}: rounds is {value}; 1, or {FEWEST_ROUNDS} to {MOST_ROUNDS} was expected: "
            f"fewer than {FEWEST_ROUNDS} processes do not show how much they differ"
        )
    return value


def _vocabulary(file: Path, key: str, value: Any) -> dict[str, tuple[str, ...]]:
    known = SECTIONS if key == "sections" else RELATIONS
    if not isinstance(value, dict):
        raise ConfigError(
            f"{file}: {key} is {value!r:.60}; a mapping of names to lists of words was expected"
        )
    for name, listed in value.items():
        if not isinstance(listed, str | list) and listed is not None:
            raise ConfigError(f"{file}: {key}: {name} is {listed!r:.60}; a list was expected")
    words = {
        str(k): (v,) if isinstance(v, str) else tuple(str(w) for w in v or ())
        for k, v in value.items()
    }
    return {name: known.get(name, ()) + words.get(name, ()) for name in {**known, **words}}
