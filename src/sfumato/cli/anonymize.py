"""`sfumato anonymize`: tables with texts."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from sfumato import policy
from sfumato.cli.console import err, out, say, say_key, say_ledger
from sfumato.cli.options import AsJson, Encoding, KeyFile, LedgerPath, Quiet
from sfumato.errors import InputError
from sfumato.formats import table as files
from sfumato.policy import rx_anon as original
from sfumato.protect import Run
from sfumato.protect.tables import anonymize as tables
from sfumato.protect.tables import suggest
from sfumato.protect.tables.joins import join
from sfumato.protect.tables.publish import Package, package
from sfumato.protect.tables.recognition import Detected, cache_for, read_given
from sfumato.protect.tables.replacements import refuse_what_cannot_hold
from sfumato.release import access
from sfumato.release.batch import certificate_path
from sfumato.release.files import write_file
from sfumato.release.ledger import Ledger
from sfumato.report import tables as report
from sfumato.report import terminal
from sfumato.report.progress import watched


def anonymize(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="TABLE…",
            help="A CSV, TSV, Parquet, JSON lines or Excel file; several are joined.",
        ),
    ] = None,
    policy_name: Annotated[
        str | None,
        typer.Option(
            "-p", "--policy", "-c", "--config", help="The policy; rx-anon's files are read as well."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the release goes.")
    ] = None,
    more: Annotated[
        list[Path] | None, typer.Option("-i", "--input", help="A table, as TABLE.")
    ] = None,
    on: Annotated[
        str | None, typer.Option("--on", help="The column that several tables are joined on.")
    ] = None,
    terms: Annotated[
        Path | None,
        typer.Option(
            "--terms",
            help='Terms found elsewhere: lines of {"row": 0, "terms": [["KIND", "term"]]}; no detector runs.',
        ),
    ] = None,
    make_policy: Annotated[
        bool, typer.Option("--suggest", help="Look at the columns and write a first policy.")
    ] = False,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Do not keep what was found for the next run.")
    ] = False,
    use_cached: Annotated[
        bool,
        typer.Option(
            "-s", "--use_cached_docs", help="As in rx-anon; what is known is used anyway."
        ),
    ] = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more.")] = False,
    quiet: Quiet = False,
) -> None:
    """Make a table with texts k-anonymous: rows and the terms of their texts are the same for k persons."""
    inputs = [*(paths or ()), *(more or ())]
    if not inputs:
        raise InputError(
            "no table: give a file, e.g. sfumato anonymize table.csv -p policy.yaml -o out.csv"
        )
    if make_policy:
        _suggest(inputs, on, output, encoding)
        return
    if policy_name is None or output is None:
        raise InputError(
            "give a policy with -p and a file for the release with -o; --suggest writes a policy"
        )
    rules = policy.load(policy_name)
    refuse_what_cannot_hold(rules)
    for note in original.notes_on(Path(policy_name)):
        say(note, quiet)
    if output.suffix.lower() != inputs[-1].suffix.lower() and len(inputs) == 1:
        raise InputError(
            f"{output}: a release is a file of the same kind; name it *{inputs[0].suffix}"
        )
    for target in (output, certificate_path(output)):
        if target.is_dir():
            raise InputError(f"{target}: is a folder; give the name of a file for the release")
    _refuse_overwriting(inputs, output, Path(policy_name), terms)
    needed = files.memory(inputs)
    if needed:
        say(f"This will take about {needed / 1e9:.1f} GB of memory.", quiet)
    ledger_path = access.ledger_path(ledger, rules, writing=True)
    key, is_new = access.key_for(ledger_path, key_file)
    if is_new:
        say_key(access.key_beside(ledger_path), quiet)
    with ExitStack() as stack:
        stack.enter_context(_uncollected())
        vault = stack.enter_context(Ledger(key, ledger_path))
        recogniser = None
        if terms is None:
            kept = None if no_cache else stack.enter_context(cache_for(rules, key))
            recogniser = Detected(rules, kept, _watched)
        packed, said, numbers = _packed(
            inputs, on, encoding, quiet, Run(rules, key, vault), recogniser, terms, output
        )
        published = packed.certify(rules, key, recogniser)
        published.put(vault, rules)
        published.write(output)
    if as_json:
        print(json.dumps(numbers | {"file": str(output)}))
    elif not quiet:
        out.print(said, soft_wrap=True)
        out.print(terminal.check_line(published.checks))
        if verbose:
            out.print(terminal.check_table(published.checks))
            if recogniser is not None:
                say(f"{recogniser.looked_at:,} texts were looked at, the rest was known", quiet)
        say_ledger(ledger_path)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for cycles: a table is millions of small objects, and none of them is in one."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _packed(
    inputs: Sequence[Path],
    on: str | None,
    encoding: str,
    quiet: bool,
    run: Run,
    recogniser: Detected | None,
    terms: Path | None,
    output: Path,
) -> tuple[Package, RenderableType, dict[str, Any]]:
    """The release ready to be checked, and what was done; the table itself is gone when this returns."""
    table = _read(inputs, on, encoding, quiet, run.policy.limits.file_bytes)
    given = read_given(terms, len(table)) if terms else None
    source = table_bytes(inputs, table)
    made = tables.anonymize(table, run, recogniser, given)
    packed = package(made, source=source, name=output.name, given=given is not None)
    return packed, report.summary(made), report.to_dict(made)


def _read(
    inputs: Sequence[Path],
    on: str | None,
    encoding: str,
    quiet: bool,
    limit: int | None = None,
) -> files.Table:
    found = [files.read(path, encoding=encoding, limit=limit) for path in inputs]
    table, unused = join(found, on)
    if unused:
        say(
            f"{unused:,} rows have no partner in the other table; they are in no row of the release",
            quiet,
        )
    return table


def table_bytes(inputs: Sequence[Path], table: files.Table) -> bytes:
    """The table as the ledger keeps it: the file itself, or the joined table."""
    return inputs[0].read_bytes() if len(inputs) == 1 else files.write(table)


def _refuse_overwriting(
    inputs: Sequence[Path], output: Path, rules: Path, terms: Path | None
) -> None:
    for used in (*inputs, rules, *([terms] if terms else [])):
        for target in (output, certificate_path(output)):
            if used.resolve() == target.resolve():
                raise InputError(f"{target}: is an input; give another name for the release")


def _suggest(inputs: Sequence[Path], on: str | None, output: Path | None, encoding: str) -> None:
    table = _read(inputs, on, encoding, quiet=False)
    text = suggest.suggest(table)
    if output is None:
        print(text, end="")
    else:
        write_file(output, text.encode())
        say(f"{output}: a first policy; read its comments and decide", False)


def _watched(items: Sequence[str], what: str) -> Iterator[str]:
    return iter(watched(items, len(items), err)) if items else iter(())
