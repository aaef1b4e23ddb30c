"""Commands that are imported when they are run.

A table names each command, where it is and what it does, so that the help of the whole can be shown without
importing what a single command needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from sfumato import _interrupts

if TYPE_CHECKING:
    from typer._click import Command, Context

Table = Mapping[str, tuple[str, str]]  # name: (module:object, the first paragraph of its help)


class Deferred(TyperCommand):
    """The entry of a command in its group's help; whoever runs it gets the command itself."""

    def __init__(self, name: str, place: str, line: str) -> None:
        super().__init__(name, help=line, rich_markup_mode="rich")
        self.place = place

    def load(self) -> Command:
        """The command: a function, or a group of commands."""
        module, _, name = self.place.partition(":")
        found = getattr(import_module(f"sfumato.cli.{module}"), name)
        if isinstance(found, typer.Typer):
            command: Command = get_group(found)
        else:
            alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
            alone.command(self.name)(found)
            command = get_command(alone)
        command.name = self.name
        _interrupts.while_working()
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        return self.load().make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """A group of the commands in its table."""

    table: ClassVar[Table]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (place, line) in self.table.items():
            self.commands[name] = Deferred(name, place, line)
