"""`sfumato anonymize-log`: document logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sfumato import policy
from sfumato.cli.console import out, say_ledger, show
from sfumato.cli.options import AsJson, Force, KeyFile, LedgerPath, Quiet, Timeout, key_for
from sfumato.errors import InputError
from sfumato.policy import Policy
from sfumato.protect.logs.model import settings_of
from sfumato.release import access
from sfumato.release.ledger import Ledger
from sfumato.release.logs import release_log
from sfumato.report import terminal

# Without a policy of one's own, logs are as large as memory allows.
BARE = {"detect": [], "protect": [], "limits": {"file_bytes": 1 << 40}}


def anonymize_log(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="A table with the columns user and document (.csv, .tsv, .jsonl, .parquet).",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The table to write.")],
    policy_name: Annotated[
        str | None,
        typer.Option(
            "-p", "--policy", help="A policy with `log:`; the options below go before it."
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("-k", "--k", min=1, help="Keep a document only if so many users have it."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option("--match", help="When two documents are the same: exact or normal_form."),
    ] = None,
    keep_users: Annotated[
        bool,
        typer.Option("--keep-users", help="Leave users as they are; else they become pseudonyms."),
    ] = False,
    user: Annotated[str | None, typer.Option("--user", help="The column with the user.")] = None,
    document: Annotated[
        str | None, typer.Option("--document", help="The column with the document.")
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    as_json: AsJson = False,
    timeout: Timeout = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Keep the documents of a log that at least k users have. Other columns are never copied."""
    users = "keep" if keep_users else None
    given = {"k": k, "match": match, "user": user, "document": document, "users": users}
    rules = _with(policy_name, {name: value for name, value in given.items() if value is not None})
    ledger_path = access.ledger_path(ledger, rules, writing=True)
    key = key_for(ledger_path, key_file, quiet)
    with Ledger(key, ledger_path) as vault:
        release, found = release_log(log, output, rules, key, vault, force=force, timeout=timeout)
    if as_json:
        print(json.dumps(found.as_dict() | {"file": str(output)}))
        return
    if not quiet:
        show(
            f"{output}: {found.rows_released:,} of {found.rows:,} rows, {found.documents_released:,} of "
            f"{found.documents:,} documents; {found.users_gone:,} of {found.users:,} users have none left"
        )
        out.print(terminal.check_line(release.checks))
        if policy_name is None:
            settings = rules.log.model_dump(exclude_defaults=True) if rules.log else {}
            said = json.dumps({**BARE, "log": settings})
            show(f"A receiver verifies it with -p and a file that says: {said}")
    say_ledger(ledger_path, quiet)


def _with(policy_name: str | None, given: dict[str, Any]) -> Policy:
    """The policy with what the command line says in the place of its own settings."""
    rules = None if policy_name is None else policy.load(policy_name)
    settings = {} if rules is None or rules.log is None else rules.log.model_dump()
    if "k" not in settings | given:
        raise InputError("give a policy with `log:` by -p, or the number of users by -k")
    wanted = settings_of(**settings | given)
    if rules is None:
        return policy.load({**BARE, "name": "log", "log": wanted.model_dump()})
    return rules.model_copy(update={"log": wanted})
