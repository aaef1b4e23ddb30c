"""`sfumato ledger`: what the ledger keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import say
from sfumato.cli.options import KeyFile, LedgerPath
from sfumato.release import access
from sfumato.release.ledger import Ledger

app = typer.Typer(no_args_is_help=True, help="What the ledger keeps.")


@app.command("forget")
def forget(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The document's name: of its file, or its path within its folder."
        ),
    ],
    release: Annotated[
        Path | None,
        typer.Option(
            "--release",
            help="Its release, where it was written, if several documents have the name; all that were "
            "released there under that name are forgotten.",
        ),
    ] = None,
    surrogates: Annotated[
        bool,
        typer.Option(
            "--surrogates/--keep-surrogates",
            help="Whether surrogates that no other document has go, too. They follow from the key: released "
            "again under it, the document gets the same ones unless they are taken by then.",
        ),
    ] = True,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
) -> None:
    """Delete all that the ledger has about a document, for good: it cannot be restored any more."""
    ledger = ledger or access.LEDGER
    with Ledger(access.need_key(ledger, key_file), ledger, create=False) as opened:
        done = opened.forget(name, release=release, surrogates=surrogates)
    say(f"{name}: {_number(done.releases, 'release')} forgotten for good")
    if done.surrogates is None:
        say("Its surrogates stay: older entries do not say whose they are.")
    elif done.surrogates:
        which = f"{_number(done.surrogates, 'surrogate')} that only it had"
        say(f"{which}: {'gone' if surrogates else 'kept'}")


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' if count != 1 else ''}"
