"""`sfumato anonymize`: tables with texts."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from sfumato import policy
from sfumato.cli.console import err, out, put, say, say_ledger
from sfumato.cli.options import (
    AsJson,
    Encoding,
    Force,
    KeyFile,
    LedgerPath,
    Quiet,
    Timeout,
    key_for,
)
from sfumato.deadline import deadline_of
from sfumato.document import Claim, Document, EditColumns
from sfumato.errors import InputError
from sfumato.files import Target, identities, real, refuse_link, spelt
from sfumato.folders import Root, refuse_odd
from sfumato.formats import cells, file_bytes
from sfumato.formats import table as files
from sfumato.pipeline import certified
from sfumato.policy import Policy
from sfumato.policy import rx_anon as original
from sfumato.protect import Run
from sfumato.protect.tables import anonymize as tables
from sfumato.protect.tables import suggest
from sfumato.protect.tables.cache import Cache, asked
from sfumato.protect.tables.claims import claims_of
from sfumato.protect.tables.joins import join
from sfumato.protect.tables.recognition import PolicyRecogniser, read_given
from sfumato.protect.tables.replacements import refuse_what_cannot_hold
from sfumato.release import access, fingerprints
from sfumato.release.files import certificate_path, look, write_release
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
    timeout: Timeout = None,
    force: Force = False,
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
        _suggest(inputs, on, output, encoding, force, timeout)
        return
    if policy_name is None or output is None:
        raise InputError(
            "give a policy with -p and a file for the release with -o; --suggest writes a policy"
        )
    rules = _checked(policy_name, inputs, output, terms, quiet)
    root = Root.at(output.parent)
    never = identities([*inputs, Path(policy_name), terms, key_file])
    ledger_path = access.ledger_path(ledger, rules, writing=True)
    key = key_for(ledger_path, key_file, quiet)
    with ExitStack() as stack:
        stack.enter_context(_uncollected())
        vault = stack.enter_context(Ledger(key, ledger_path))
        most = rules.limits.release_bytes
        look(output, root, vault, most=most, force=force)
        run, recogniser = Run(rules, key, vault), None
        if terms is None:
            known = asked(rules, sorted(fingerprints.of(rules).items()))
            kept = None if no_cache else stack.enter_context(Cache(key, known))
            recogniser = PolicyRecogniser(
                rules, kept, lambda items: watched(items, len(items), err)
            )
        with deadline_of(*inputs, seconds=timeout):
            table, source = _read(inputs, on, encoding, quiet, rules)
            _refuse_other_kind(output, [Path(table.path)])  # of several, that of the joined one
            draft = _draft(table, source, run, recogniser, terms)
            document = replace(draft.document, name=spelt(output.name))
            release = certified(document, draft.edits, draft.claims, run, recogniser)
        vault.put(release, rules, output)
        write_release(output, release, vault, root=root, most=most, force=force, never=never)
    if as_json:
        print(json.dumps(draft.numbers | {"file": str(output)}))
    elif not quiet:
        out.print(draft.summary, soft_wrap=True)
        out.print(terminal.check_line(release.checks))
        if verbose:
            out.print(terminal.check_table(release.checks))
            if recogniser is not None:
                say(f"{recogniser.looked_at:,} texts were looked at, the rest was known", quiet)
        say_ledger(ledger_path)


def _checked(
    policy_name: str, inputs: Sequence[Path], output: Path, terms: Path | None, quiet: bool
) -> Policy:
    """The policy, if it can hold and nothing is in the way; says what there is to know beforehand."""
    rules = policy.load(policy_name)
    refuse_what_cannot_hold(rules)
    for note in original.notes_on(Path(policy_name)):
        say(note, quiet)
    _refuse_other_kind(output, inputs)
    for target in (output, certificate_path(output)):
        refuse_odd(target)
    _refuse_overwriting(inputs, output, Path(policy_name), terms)
    needed = files.memory(inputs)
    if needed:
        say(f"This will take about {needed / 1e9:.1f} GB of memory.", quiet)
    return rules


def _refuse_other_kind(output: Path, inputs: Sequence[Path]) -> None:
    """Programs would show a table of another ending otherwise than it was checked."""
    if output.suffix.lower() not in {path.suffix.lower() for path in inputs}:
        raise InputError(
            f"{output}: a release is a file of the same kind; name it *{inputs[0].suffix}"
        )


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


@dataclass(frozen=True)
class _Draft:
    """A release before it is checked, and what there is to say about it."""

    document: Document
    edits: EditColumns
    claims: Sequence[Claim]
    summary: RenderableType
    numbers: dict[str, Any]


def _draft(
    table: files.Table,
    source: bytes,
    run: Run,
    recogniser: PolicyRecogniser | None,
    terms: Path | None,
) -> _Draft:
    """What is to be done to a table; what was worked out on the way is gone when this returns."""
    given = read_given(terms, len(table)) if terms else None
    made = tables.anonymize(table, run, recogniser, given)
    claims = claims_of(made, given=given is not None)
    document = cells.document(table, source, Path(table.path).name)
    return _Draft(document, made.edits, claims, report.summary(made), report.to_dict(made))


def _read(
    inputs: Sequence[Path], on: str | None, encoding: str, quiet: bool, rules: Policy | None = None
) -> tuple[files.Table, bytes]:
    """The table, and the bytes of its file; of several, those of the joined one."""
    limit = rules.limits.file_bytes if rules is not None else None
    for path in inputs:
        refuse_link(path)
    read = [file_bytes(path, limit, Root.at(path.parent)) for path in inputs]
    found = [
        files.parse(data, str(path), encoding=encoding)
        for path, data in zip(inputs, read, strict=True)
    ]
    table, unused = join(found, on, limit or files.UNPACKED)
    if unused:
        say(
            f"{unused:,} rows have no partner in the other table; they are in no row of the release",
            quiet,
        )
    return table, read[0] if len(inputs) == 1 else files.write(table)


def _refuse_overwriting(
    inputs: Sequence[Path], output: Path, rules: Path, terms: Path | None
) -> None:
    for used in (*inputs, rules, *([terms] if terms else [])):
        for target in (output, certificate_path(output)):
            if real(used) == real(target):
                raise InputError(f"{target}: is an input; give another name for the release")


def _suggest(
    inputs: Sequence[Path],
    on: str | None,
    output: Path | None,
    encoding: str,
    force: bool,
    timeout: float | None,
) -> None:
    target = None
    if output is not None:
        if real(output) in {real(path) for path in inputs}:
            raise InputError(f"{output}: is an input; give another name for the policy")
        target = Target.at(output, force=force, never=identities(inputs))
    with deadline_of(*inputs, seconds=timeout):
        table, _ = _read(inputs, on, encoding, quiet=False)
        text = suggest.suggest(table)
    if target is None:
        put(text.encode())
    else:
        target.write(text.encode())
        say(f"{output}: a first policy; read its comments and decide", False)
