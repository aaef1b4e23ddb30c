"""`sfumato know`: taxonomies, statistics and entity databases on the command line."""

from __future__ import annotations

import typer

from sfumato.cli import (
    know_entities as commands_entities,
)
from sfumato.cli import (
    know_sensitivity as commands_sensitivity,
)
from sfumato.cli import (
    know_statistics as commands_statistics,
)
from sfumato.cli import (
    know_taxonomy as commands_taxonomy,
)

know_app = typer.Typer(
    no_args_is_help=True, help="Look at what an adversary may know, and bring your own knowledge."
)
commands_taxonomy.register(know_app)
commands_statistics.register(know_app)
commands_entities.register(know_app)
commands_sensitivity.register(know_app)
