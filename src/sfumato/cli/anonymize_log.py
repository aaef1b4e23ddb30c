"""`sfumato anonymize-log`: document logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sfumato import keys
from sfumato.cli.console import show
from sfumato.cli.options import AsJson, DocumentColumn, Match, User
from sfumato.measure import logs


def anonymize_log(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="A table with the columns user and document (.csv, .tsv, .jsonl, .parquet).",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The table to write.")],
    k: Annotated[
        int, typer.Option("-k", "--k", min=1, help="Keep a document only if so many users have it.")
    ],
    match: Match = "exact",
    keep_users: Annotated[
        bool,
        typer.Option("--keep-users", help="Leave users as they are; else they become pseudonyms."),
    ] = False,
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--key-file",
            help="The key for pseudonyms that stay the same from run to run; else a new one, not kept.",
        ),
    ] = None,
    user: User = "user",
    document: DocumentColumn = "document",
    as_json: AsJson = False,
) -> None:
    """Keep the documents of a log that at least k users have. Other columns are never copied."""
    key = None
    if not keep_users:
        key = keys.read(key_file) if key_file else keys.from_environment() or keys.new()
    found = logs.anonymize_log(log, output, k, match=match, key=key, user=user, document=document)
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    show(
        f"{output}: {found.rows_released:,} of {found.rows:,} rows, {found.documents_released:,} of "
        f"{found.documents:,} documents; {found.users_gone:,} of {found.users:,} users have none left"
    )
