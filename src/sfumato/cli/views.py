"""`sfumato views`: one release for each reader."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from sfumato import policy
from sfumato.cli.console import out, say, say_ledger
from sfumato.cli.options import (
    AsJson,
    Columns,
    Encoding,
    Force,
    KeyFile,
    LedgerPath,
    Paths,
    PolicyName,
    Quiet,
    Timeout,
    column_names,
    key_for,
)
from sfumato.deadline import deadline
from sfumato.errors import DeadlineError
from sfumato.files import identities
from sfumato.release import access, batch
from sfumato.release.files import look
from sfumato.release.ledger import Ledger
from sfumato.release.views import Viewer, place, reader_names, without_collisions
from sfumato.report.terminal import view_table


def views(
    paths: Paths,
    named: Annotated[str, typer.Option("--readers", help="Who reads: names, separated by commas.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder; each reader gets one in it.")
    ],
    policy_name: PolicyName = "default",
    collusion_safe: Annotated[
        bool,
        typer.Option(
            "--collusion-safe",
            help="Remove so much that the readers learn no more when they put their views together.",
        ),
    ] = False,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    columns: Columns = "",
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    timeout: Timeout = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Make one release for each reader, and check what they could learn together."""
    rules = policy.load(policy_name)
    readers = reader_names(named)
    access.check_readers(rules, readers)
    ledger_path = access.ledger_path(ledger, rules, writing=True)
    assert ledger_path is not None
    private = access.secret(ledger_path, key_file)
    planned = batch.plan(
        paths, f"{output}{os.sep}", private=private, tell=lambda line: say(line, quiet)
    )
    planned = without_collisions(planned, output, readers, private)
    batch.refuse_named(paths, planned)
    inputs = identities([*(job.source for job in planned), Path(policy_name), key_file])
    key = key_for(ledger_path, key_file)
    failures: list[batch.Outcome] = []
    most = rules.limits.release_bytes
    with Ledger(key, ledger_path) as vault:
        viewer = Viewer(rules, key, vault, readers, collusion_safe=collusion_safe)
        for job in planned:
            try:
                data = batch.job_bytes(job, rules)
                time = deadline(job.name, len(readers) * len(data), timeout)
                with time:
                    document = batch.read_job(job, data, encoding, column_names(columns))
                assert job.root is not None
                for reader in readers:
                    target = place(job, output, reader)
                    look(target, job.root, vault, most=most, force=force)
                with time:
                    made = viewer(document)
                made.write(job, output, vault, rules, force=force, never=inputs)
            except Exception as error:
                if isinstance(error, DeadlineError):  # somewhere: nobody knows in what state
                    viewer = Viewer(rules, key, vault, readers, collusion_safe=collusion_safe)
                failures.append(batch.failed(job, error))
                say(f"sfumato: {failures[-1].message}")
                continue
            if as_json:
                print(json.dumps(made.to_dict()))
            elif not quiet:
                out.print(view_table(made, job, output))
    say_ledger(ledger_path, quiet or as_json)
    if failures:
        raise typer.Exit(max(failure.exit_code for failure in failures))
