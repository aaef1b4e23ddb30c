"""`sfumato know`: taxonomies, statistics, entity databases and models of sensitivity."""

from __future__ import annotations

import typer

from sfumato.cli.lazy import LazyGroup, Table

COMMANDS: Table = {
    "ladder": (
        "know_taxonomy:ladder",
        "Show the generalisations of a term, with volumes and bits.",
    ),
    "build": (
        "know_statistics:build",
        "Count the terms of a corpus, alone and together, into an index of statistics.",
    ),
    "stats": (
        "know_statistics:stats",
        "Print how probable terms are, their information content, and what they tell about each other.",
    ),
    "entities": ("know_entities:app", "Make and look at entity databases."),
    "sensitivity": (
        "know_sensitivity:sensitivity",
        "Train a classifier of sensitive documents on labels of your own, and say how good it is.",
    ),
}


class Commands(LazyGroup):
    """Every command of `sfumato know`."""

    table = COMMANDS


app = typer.Typer(cls=Commands, no_args_is_help=True)


@app.callback()
def know() -> None:
    """Look at what an adversary may know, and bring your own knowledge."""
