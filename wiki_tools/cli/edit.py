"""`wiki new`: a page from the template, or the translation of one."""

import datetime
import os
import re
from pathlib import Path
from typing import Annotated

import typer

from wiki_tools.cli.common import Docs
from wiki_tools.config import Config, read_config
from wiki_tools.edits import Change, insertion, read_source, refuse_faulty, write_changes
from wiki_tools.edits.template import page_template
from wiki_tools.edits.translation import translate
from wiki_tools.errors import UsageError, printable
from wiki_tools.pages import Page, key_of, language_of, read_page


def new(
    page: Annotated[
        Path, typer.Argument(help="The new page, relative to the docs folder; X.ko.md is Korean.")
    ],
    title: Annotated[
        str, typer.Option("--title", help="Its title. [default: the file's name]")
    ] = "",
    docs: Docs = None,
) -> None:
    """Write a new page from the template: front matter, sections, a first measured pattern.

    Beside a page that is there in another language it becomes its translation: the same front
    matter and fences, and the prose marked as not translated yet.

    Example: `wiki new 10_Wiki/Topics/AI_and_ML/Softmax.md --title "Softmax"`
    """
    config = read_config(docs)
    file = _place(config, page)
    path = file.relative_to(config.docs).as_posix()
    if os.path.lexists(file):
        raise UsageError(f"{printable(str(file))}: is there already; choose another name")
    refuse_faulty(path, [name for name in path.split("/")[:-1] if _has_folder(config, name, path)])
    original = _original(config, path)
    text = _translated(config, original, path, title) if original else _fresh(config, path, title)
    change = Change(path="", to=f"{config.docs.name}/{path}", edits=(insertion(text),))
    write_changes(config.root, [change])
    typer.echo(file)


def _place(config: Config, page: Path) -> Path:
    """The file that a name stands for, which must lie in the docs folder."""
    near = (Path.cwd() / page).resolve()
    file = near if near.is_relative_to(config.docs) else (config.docs / page).resolve()
    if file.suffix.lower() != ".md":
        name = printable(page.name)
        raise UsageError(f"{printable(str(page))}: a page's name ends in .md, as in {name}.md")
    if not file.is_relative_to(config.docs):
        raise UsageError(f"{printable(str(page))}: lies outside of {config.docs}")
    return file


def _has_folder(config: Config, name: str, path: str) -> bool:
    """Whether a folder of a path is there already, whatever it is called."""
    return (config.docs / path.partition(f"{name}/")[0] / name).is_dir()


def _original(config: Config, path: str) -> Page | None:
    """The page that one would translate: in the default language, or in the first other."""
    folder = (config.docs / path).parent
    stem = key_of(path, config).rpartition("/")[2]
    language = language_of(path, config)
    found: dict[str, Path] = {}
    for suffix in ("", *(f".{name}" for name in config.languages)):
        file = folder / f"{stem}{suffix}.md"
        if file.is_file():
            place = file.relative_to(config.docs).as_posix()
            found.setdefault(language_of(place, config), file)
    if language in found:
        raise UsageError(f"{found[language]}: is this page in {language!r} already; edit it")
    for file in (found[name] for name in config.languages if name in found):
        return read_page(config, file.relative_to(config.docs).as_posix(), file.read_bytes())
    return None


def _translated(config: Config, original: Page, path: str, title: str) -> str:
    source = read_source(original.path, (config.docs / original.path).read_bytes())
    try:
        return translate(config, original, source, language_of(path, config), title)
    except ValueError as error:
        raise UsageError(f"{original.path}: {error}; mend it first") from None


def _fresh(config: Config, path: str, title: str) -> str:
    stem = key_of(path, config).rpartition("/")[2]
    return page_template(
        title=title or stem.replace("-", " ").replace("_", " "),
        id_=f"wiki-{datetime.date.today():%Y-%m%d}-{_slug(stem)}",
        category=path.rpartition("/")[0],
        language=language_of(path, config),
    )


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.casefold()).strip("-")
