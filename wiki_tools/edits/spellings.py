"""How a link may name its target after a move: as it did before, as far as that is possible."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.graph.names import fold, joined, without_extension

_TOP = "/0/1/2/3/4/5/6/7/8/9"
"""Stands for the docs folder, so that paths may lead above it."""
_ENTRANCES = ("index", "readme")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a link leads to, and the folders of the page that it stands in, before and after."""

    before: str
    """A path from the docs folder on."""
    after: str
    language: str
    """Of the page that it leads to; empty where it leads to none."""
    folder_before: str
    folder_after: str

    def stem(self, path: str) -> str:
        """A page's path without `.md`; another file's as it is."""
        return without_extension(path) if self.language else path

    def plain(self, path: str) -> str:
        """A page's path without language and `.md`."""
        stem = self.stem(path)
        return stem.removesuffix(f".{self.language}") if self.language else stem


def spell_wikilink(written: str, target: Target) -> Iterator[str]:
    """Targets that a wikilink may have, the one that is most like what was written first."""
    bare = without_extension(written) if target.language else written
    ending = posixpath.splitext(target.after)[1] if bare != written else ""
    says = target.language and fold(bare).endswith(f".{target.language}")
    says = says and fold(target.stem(target.before)).endswith(f".{target.language}")
    for stem in dict.fromkeys(
        ((target.stem if says else target.plain)(target.after), target.stem(target.after))
    ):
        name = stem.rpartition("/")[2]
        whole = (stem, f"/{stem}", relative_path(stem, target.folder_after, dotted=True))
        if "/" not in bare:
            forms = (name, *whole)
        elif bare.startswith("/"):
            forms = (f"/{stem}", *whole)
        elif bare.startswith("."):
            forms = (relative_path(stem, target.folder_after, dotted=bare.startswith("./")), *whole)
        else:
            forms = (_partial(bare, stem, target), *whole)
        yield from (f"{form}{ending}" for form in forms)
        yield from forms


def _partial(bare: str, stem: str, target: Target) -> str:
    """A path of as many names as was written, from the same folder on where that can be."""
    old = {fold(target.stem(target.before)), fold(target.plain(target.before))}
    if fold(bare) in old:
        return stem
    if fold(joined(target.folder_before, bare)) in old:
        near = relative_path(stem, target.folder_after)
        return near if "/" in near and not near.startswith(".") else stem
    return "/".join(stem.split("/")[-bare.count("/") - 1 :])


def spell_markdown(written: str, target: Target) -> Iterator[str]:
    """Destinations, not yet encoded, that a Markdown link may have."""
    bare = without_extension(written)
    ending = posixpath.splitext(target.after)[1] if bare != written and target.language else ""
    reached = fold(without_extension(joined(target.folder_before, written)))
    stems = [target.plain(target.after), target.stem(target.after)]
    if reached == fold(target.stem(target.before)):
        stems.reverse()
    forms = [f"{stem}{ending}" for stem in stems]
    if target.language and reached != fold(target.stem(target.before)):
        folder, _, name = stems[0].rpartition("/")
        if fold(target.plain(target.before)).startswith(f"{reached}/"):  # an index page's folder
            forms = [f"{stem}{posixpath.splitext(target.after)[1]}" for stem in stems]
            if name.casefold() in _ENTRANCES:
                forms = [folder or ".", *forms]
    for form in dict.fromkeys(forms):
        yield _destination(written, form, target.folder_after)


def _destination(written: str, path: str, folder: str) -> str:
    ending = "/" if written.endswith("/") and not posixpath.splitext(path)[1] else ""
    if written.startswith("/"):
        return f"/{path}{ending}"
    return relative_path(path, folder, dotted=written.startswith("./")) + ending


def relative_path(path: str, folder: str, *, dotted: bool = False) -> str:
    """A path as it is written in a page of a folder; `dotted` where it begins with `./`."""
    near = posixpath.relpath(f"{_TOP}/{path}", f"{_TOP}/{folder}")
    return f"./{near}" if dotted and not near.startswith("../") else near
