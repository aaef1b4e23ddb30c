"""Arguments and options that several commands share, and how their values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import say
from sfumato.keys import Key
from sfumato.release import access

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH…", help="Files or folders; - for standard input.")
]
ReleasePath = Annotated[Path, typer.Argument(metavar="RELEASE", help="The released file.")]
PolicyName = Annotated[
    str, typer.Option("-p", "--policy", help="A policy file or a built-in profile.")
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key-file", help="The key; else $SFUMATO_KEY, else the one beside the ledger."),
]
LedgerPath = Annotated[Path | None, typer.Option("--ledger", help="The ledger's file.")]
DocumentName = Annotated[
    str | None,
    typer.Option("--name", help="The document's name, where several have the same release."),
]
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        help="Its certificate, where several have the same release; RELEASE.cert.json if not given.",
    ),
]
Reader = Annotated[
    str | None,
    typer.Option(
        "--reader", help="Who reads it, where the policy makes a difference between readers."
    ),
]
Encoding = Annotated[str, typer.Option("--encoding", help="The files' encoding.")]
InputFormat = Annotated[
    str, typer.Option("--format", help="What standard input is: text, html, json, mail, csv, …")
]
Columns = Annotated[
    str,
    typer.Option(
        "--columns",
        help="Tables and JSON lines: the columns that are text, separated by commas; the rest stays.",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace also files that Sfumato has not made.")
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0,
        max=1e8,
        help="Time for each document; a minute and 1 s per 2 kB if not given, 0: no limit.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")]

# Logs

User = Annotated[str, typer.Option("--user", help="Logs: the column with the user.")]
DocumentColumn = Annotated[
    str, typer.Option("--document", help="Logs: the column with the document.")
]
Match = Annotated[
    str,
    typer.Option(
        "--match", help="Logs: when two documents are the same: exact, normal_form or words."
    ),
]

# Attacks

Background = Annotated[
    Path | None,
    typer.Option(
        "--background",
        help="What is known about people: a table with the columns person and text, or a folder with one "
        "file for each person.",
    ),
]
Truth = Annotated[
    Path | None,
    typer.Option(
        "--truth",
        help="Whom each file is about: a table with the columns file and person. Without it, files are "
        "named after their persons.",
    ),
]


def column_names(given: str) -> tuple[str, ...]:
    """Columns from a list with commas.

    >>> column_names("note, comment")
    ('note', 'comment')
    """
    return tuple(name for part in given.split(",") if (name := part.strip()))


def key_for(ledger: Path | None, key_file: Path | None, quiet: bool = False) -> Key:
    """The key of a ledger; a person is told where a new one was made."""
    key, is_new = access.key_for(ledger, key_file)
    if is_new and ledger is not None:
        path = access.key_beside(ledger)
        say(f"A new key is in {path}; whoever has it can undo the releases. Keep it safe.", quiet)
    return key


def one_reader(reader: str | None) -> tuple[str, ...]:
    """The reader as a list of readers."""
    return () if reader is None else (reader,)
