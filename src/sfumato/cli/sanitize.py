"""`sfumato sanitize`: files in, files of the same kind out."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sfumato import policy
from sfumato.cli.console import err, put, say, say_ledger
from sfumato.cli.options import (
    AsJson,
    Columns,
    Encoding,
    Force,
    InputFormat,
    KeyFile,
    LedgerPath,
    Paths,
    PolicyName,
    Quiet,
    Reader,
    Timeout,
    column_names,
    key_for,
    one_reader,
)
from sfumato.errors import InputError
from sfumato.files import PRIVATE, Target, identities
from sfumato.release import access, batch
from sfumato.release.batch import STDIN, Outcome, Settings
from sfumato.report import terminal
from sfumato.report.pages import page_at
from sfumato.report.progress import watched


def sanitize(
    paths: Paths,
    policy_name: PolicyName = "default",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="Where releases go: a file, a folder, or - for standard output."
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="Write an HTML report without originals.")
    ] = None,
    review_file: Annotated[
        Path | None,
        typer.Option("--review", help="Write an HTML page with originals, for your eyes only."),
    ] = None,
    columns: Columns = "",
    format: InputFormat = "text",
    reader: Reader = None,
    redacted: Annotated[
        Path | None,
        typer.Option(
            "--redacted",
            help="A version of the one file in which somebody else has hidden something: it stays hidden, "
            "and the policy goes on from there.",
        ),
    ] = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", min=1, help="Processes; all cores if not given.")
    ] = None,
    timeout: Timeout = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Make documents safe to share: files in, files of the same kind out.

    Without -o nothing is written: a person sees before and after, a pipe gets the release.
    """
    rules = policy.load(policy_name)
    access.check_readers(rules, one_reader(reader))
    to_stdout = output == STDIN
    target = None if to_stdout else output
    ledger_path = access.ledger_path(ledger, rules, writing=target is not None)
    private = (review_file, *access.secret(ledger_path, key_file))
    used = [path for path in (redacted, Path(policy_name)) if path is not None]
    planned = batch.plan(
        paths,
        target,
        public=[report_file],
        private=private,
        used=used,
        tell=lambda line: say(line, quiet),
    )
    inputs = identities([*(job.source for job in planned), *used, key_file])
    report, review = (
        page_at(path, force=force, never=inputs) for path in (report_file, review_file)
    )
    if redacted is not None and len(planned) > 1:
        raise InputError(f"--redacted {redacted}: is a version of one file; give one file")
    shown = target is None and not as_json
    if len(planned) > 1 and shown and (to_stdout or not sys.stdout.isatty()):
        raise InputError("several files: give a folder for the releases with -o")
    key = key_for(ledger_path, key_file)
    wanted = shown or as_json or report_file is not None or review_file is not None
    settings = Settings(
        rules,
        key,
        ledger_path,
        encoding,
        keep_releases=wanted,
        reader=reader,
        redacted=redacted,
        columns=column_names(columns),
        format=format,
        force=force,
        inputs=inputs,
        timeout=timeout,
    )
    outcomes = []
    for outcome in watched(batch.run(planned, settings, jobs), len(planned), err):
        outcomes.append(outcome)
        if as_json:
            _print_json(outcome)
        elif shown and outcome.release is not None:
            _show(outcome, to_stdout, quiet)
    _write_pages(outcomes, rules, report, review)
    _finish(outcomes, settings, quiet=quiet, written=target is not None)


def _print_json(outcome: Outcome) -> None:
    if outcome.release is None:
        print(json.dumps({"file": outcome.job.name, "error": outcome.message}))
    else:
        print(json.dumps(outcome.release.to_dict()))


def _show(outcome: Outcome, to_stdout: bool, quiet: bool) -> None:
    """Before and after go to the terminal's error stream, so that a redirected output holds the
    release and no original."""
    assert outcome.release is not None
    if to_stdout and sys.stdout.isatty() and b"\0" in outcome.release.data:
        raise InputError(
            f"{outcome.job.name}: the release is no text, and no terminal can show it; "
            "give a file with -o, or redirect the output"
        )
    if to_stdout or not sys.stdout.isatty():
        put(outcome.release.data)
    same = outcome.message and not outcome.release.edits
    if not quiet and not to_stdout and not same:
        terminal.before_after(outcome.release, err)


def _write_pages(
    outcomes: Sequence[Outcome],
    rules: policy.Policy,
    public: Target | None,
    private: Target | None,
) -> None:
    if public is None and private is None:
        return
    from sfumato.report import releases as pages

    releases = [o.release for o in outcomes if o.release is not None]
    if public:
        public.write(pages.report(releases, rules).encode())
    if private:
        private.write(pages.review(releases, rules).encode(), mode=PRIVATE)


def _finish(outcomes: Sequence[Outcome], settings: Settings, *, quiet: bool, written: bool) -> None:
    failed = [o for o in outcomes if o.status == "failed"]
    if written and not quiet:
        terminal.outcome_lines(outcomes, err)
        say_ledger(settings.ledger)
    else:
        for outcome in outcomes:
            if outcome.message and (outcome.status == "failed" or not quiet):
                say(f"sfumato: {outcome.message}")
    if failed:
        raise typer.Exit(max(o.exit_code for o in failed))
