"""Options that do nothing beside others, or without them: refused, where they would be ignored."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wiki_tools.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """When an option does nothing; parameters by their names in the function of the command."""

    option: str
    beside: str = ""
    """The option beside which it does nothing."""
    without: str = ""
    """The one without which it does nothing."""
    said: bool | None = None
    """What the option says, where only on or only off does nothing."""
    other: bool | None = None
    """The same of the one beside it."""


_LOOKS = ("paths", "format_", "strict", "claims", "show_claims", "baseline", "update_baseline")
IDLE: dict[str, tuple[Idle, ...]] = {
    "check": (
        *(Idle(option=name, beside="explained") for name in (*_LOOKS, "grow", "fixing", "yes")),
        *(
            Idle(option=name, beside="show_claims")
            for name in ("claims", "baseline", "update_baseline", "fixing")
        ),
        Idle(option="fixing", beside="update_baseline"),  # what is known is not fixed
        Idle(option="format_", beside="fixing"),  # which prints a patch
        Idle(option="grow", without="update_baseline"),
        Idle(option="yes", without="fixing"),
    ),
    "verify": (Idle(option="aged", beside="measure", other=False),),
    "graph": (Idle(option="limit", without="show_central"),),
    "rename": (Idle(option="alias", beside="redirect", said=True),),
}
"""Command to what it is held to, in the order in which it is told.

What every command takes, such as `--docs`, may stand beside anything.
"""


def refuse_idle(context: Any) -> None:
    """Refuse options of a command line that would be ignored.

    Raises:
        UsageError: one does nothing there.
    """
    given = _given(context)
    names = dict(_spelt(context, given))
    for row in IDLE.get(context.info_name, ()):
        if not _says(given, row.option, row.said):
            continue
        name = names[row.option]
        if row.beside and _says(given, row.beside, row.other):
            other = names[row.beside]
            raise UsageError(f"{name}: does nothing beside {other}; leave one of them out")
        if row.without and row.without not in given:
            other = names[row.without]
            raise UsageError(f"{name}: does nothing without {other}; add that, or leave {name} out")


def _says(given: dict[str, Any], name: str, wanted: bool | None) -> bool:
    return name in given and wanted in (None, given[name])


def _given(context: Any) -> dict[str, Any]:
    """The values of what the command line names itself."""
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name).name == "COMMANDLINE"
    }


def _spelt(context: Any, given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each parameter as a person writes it."""
    for parameter in context.command.params:
        off = given.get(parameter.name) is False
        written = (*parameter.secondary_opts, *parameter.opts) if off else parameter.opts
        yield parameter.name, next((o for o in written if o.startswith("--")), "PATH")
