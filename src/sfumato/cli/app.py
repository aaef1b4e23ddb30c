"""The command line.

Exit codes: 0 done, 2 wrong use or input, 3 a guarantee does not hold, 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sfumato import formats, keys, policy
from sfumato._version import __version__
from sfumato.cli import anonymize as table_commands
from sfumato.cli import check as check_command
from sfumato.cli import measure as measure_commands
from sfumato.cli.evaluate import evaluate_app
from sfumato.cli.know import know_app
from sfumato.detect.finder import Finder
from sfumato.document import Edit, released_spans, restored, where
from sfumato.errors import (
    GuaranteeError,
    InputError,
    PolicyError,
    SfumatoError,
    UnknownReleaseError,
)
from sfumato.release import access, batch, certificate
from sfumato.release import files as write
from sfumato.release.batch import STDIN, Outcome, Settings
from sfumato.release.ledger import Ledger
from sfumato.release.views import Viewer, placed, reader_names
from sfumato.release.views import table as view_table
from sfumato.report import releases as report
from sfumato.report import terminal
from sfumato.report.progress import watched
from sfumato.verify import Check, Evidence, examine, tables
from sfumato.verify.check import fails

INTERRUPTED = 130

app = typer.Typer(
    name="sfumato",
    help="Makes text safe to share: finds what gives a person away, softens it just enough, and proves it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
policy_app = typer.Typer(no_args_is_help=True, help="Show, check and describe policies.")
key_app = typer.Typer(no_args_is_help=True, help="Make keys.")
app.add_typer(policy_app, name="policy")
app.add_typer(key_app, name="key")
app.add_typer(know_app, name="know")
app.add_typer(evaluate_app, name="evaluate")

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

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
Encoding = Annotated[str, typer.Option("--encoding", help="The files' encoding.")]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Reader = Annotated[
    str | None,
    typer.Option(
        "--reader", help="Who reads it, where the policy makes a difference between readers."
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        out.print(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


@app.command()
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
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Make documents safe to share: files in, files of the same kind out.

    Without -o nothing is written: a person sees before and after, a pipe gets the release.
    """
    settings_policy = policy.load(policy_name)
    access.check_readers(settings_policy, _named(reader))
    to_stdout = output == STDIN
    target = None if to_stdout else output
    ledger_path = access.ledger_path(ledger, settings_policy, writing=target is not None)
    private = (review_file, ledger_path, key_file or access.key_beside(ledger_path))
    planned = batch.plan(paths, target, public=[report_file], private=private)
    if redacted is not None and len(planned) > 1:
        raise InputError(f"--redacted {redacted}: is a version of one file; give one file")
    shown = target is None and not as_json
    if (
        len(planned) > 1
        and target is None
        and not as_json
        and (to_stdout or not sys.stdout.isatty())
    ):
        raise InputError("several files: give a folder for the releases with -o")
    key, is_new = access.key_for(ledger_path, key_file)
    if is_new and ledger_path is not None:
        _say(
            f"A new key is in {access.key_beside(ledger_path)}; whoever has it can undo the releases. "
            "Keep it safe."
        )
    wanted = shown or as_json or report_file is not None or review_file is not None
    settings = Settings(
        settings_policy,
        key,
        ledger_path,
        encoding,
        keep_releases=wanted,
        reader=reader,
        redacted=redacted,
    )
    outcomes = []
    for outcome in watched(batch.run(planned, settings, jobs), len(planned), err):
        outcomes.append(outcome)
        if as_json:
            _print_json(outcome)
        elif shown and outcome.release is not None:
            _show(outcome, to_stdout, quiet)
    releases = [o.release for o in outcomes if o.release is not None]
    if report_file:
        write.write_file(report_file, report.report(releases, settings_policy).encode())
    if review_file:
        write.write_file(review_file, report.review(releases, settings_policy).encode(), mode=0o600)
    _finish(outcomes, settings, quiet=quiet, written=target is not None)


@app.command()
def detect(
    paths: Paths,
    policy_name: PolicyName = "default",
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
) -> None:
    """List the terms that a policy's detectors find."""
    settings = policy.load(policy_name)
    find = Finder(settings)
    for job in batch.plan(paths, None):
        document = batch.read_job(job, encoding, settings)
        terms = find(document)
        if as_json:
            described = [
                {
                    "start": t.start,
                    "end": t.end,
                    "text": t.of(document.text),
                    "kind": t.kind,
                    "score": round(t.score, 4),
                    "detector": t.detector,
                    "reason": t.reason,
                }
                for t in terms
            ]
            print(json.dumps({"file": job.name, "terms": described}))
        else:
            out.print(Text(f"{job.source}: {len(terms)} terms", style="bold"))
            out.print(terminal.term_table(document, terms))


@app.command()
def verify(
    release: ReleasePath,
    cert: Annotated[
        Path | None,
        typer.Argument(metavar="[CERT]", help="Its certificate; RELEASE.cert.json if not given."),
    ] = None,
    policy_name: Annotated[
        str | None, typer.Option("-p", "--policy", help="The policy it was made by.")
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="The ledger, to check everything.")
    ] = None,
    key_file: KeyFile = None,
    reader: Reader = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
) -> None:
    """Check that a release holds what its certificate claims."""
    data = _bytes(release)
    cert_path = cert or batch.certificate_path(release)
    made = certificate.parse(_bytes(cert_path).decode("utf-8", "replace"), str(cert_path))
    key = access.find_key(ledger, key_file)
    entry, unknown = None, []
    if ledger is not None:
        try:
            entry = access.entry(ledger, access.need_key(ledger, key_file), data, release)
            encoding = entry.record.origin.encoding
        except UnknownReleaseError as error:
            unknown = [fails("release is in the ledger", str(error))]
    rules = access.certified_policy(policy_name, entry, made)
    if reader is not None and rules is not None and not batch.depends_on_reader(rules):
        access.check_readers(rules, _named(reader))
    find, record = Finder(rules) if rules else None, entry.record if entry else None
    if tables.is_table(made):
        table = tables.TableEvidence(data, release.name, rules, find, record, key)
        _show_checks(release, [*unknown, *tables.examine(made, table)], as_json)
        return
    evidence = Evidence(
        formats.parse(
            data,
            name=release.name,
            format=made.document.get("format", "text"),
            encoding=made.document.get("encoding", encoding),
            columns=made.document.get("columns", ()),
            where=str(release),
        ).text,
        rules,
        find,
        record,
        key,
        data,
        reader,
    )
    _show_checks(release, [*unknown, *examine(made, evidence)], as_json)


def _show_checks(release: Path, checks: Sequence[Check], as_json: bool) -> None:
    if as_json:
        rows = [{"check": c.name, "verdict": c.verdict, "detail": c.detail} for c in checks]
        print(json.dumps({"file": str(release), "checks": rows}))
    else:
        out.print(terminal.check_table(checks))
    if any(check.failed for check in checks):
        raise typer.Exit(GuaranteeError.exit_code)


@app.command()
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
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Make one release for each reader, and check what they could learn together."""
    rules = policy.load(policy_name)
    readers = reader_names(named)
    access.check_readers(rules, readers)
    ledger_path = access.ledger_path(ledger, rules, writing=True)
    assert ledger_path is not None
    private = (ledger_path, key_file or access.key_beside(ledger_path))
    planned = batch.plan(paths, f"{output}{os.sep}", private=private)
    batch.refuse_collisions(
        placed(planned, output, readers), [path for path in private if path is not None]
    )
    key, is_new = access.key_for(ledger_path, key_file)
    if is_new:
        _say(
            f"A new key is in {access.key_beside(ledger_path)}; whoever has it can undo the releases. "
            "Keep it safe."
        )
    with Ledger(key, ledger_path) as vault:
        viewer = Viewer(rules, key, vault, readers, collusion_safe=collusion_safe)
        for job in planned:
            made = viewer(batch.read_job(job, encoding, rules))
            for path, data in made.files(job, output):
                write.write_file(path, data)
            if as_json:
                print(json.dumps(made.to_dict()))
            elif not quiet:
                out.print(view_table(made, job, output))
    if not quiet and not as_json:
        _say(
            f"Ledger: {ledger_path} (holds the originals, sealed by the key; it is not for release)"
        )


@app.command()
def restore(
    release: ReleasePath,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Where the original goes; standard output if not given."
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="The document's name, where several have the same release."),
    ] = None,
) -> None:
    """Give the original back, byte for byte, from a release and the ledger."""
    data = _bytes(release)
    entry = access.entry(
        ledger or access.LEDGER, access.need_key(ledger, key_file), data, release, name
    )
    original = restored(data, entry.record)
    if output is None:
        sys.stdout.buffer.write(original)
        sys.stdout.buffer.flush()
    else:
        write.write_file(output, original, mode=0o600)


@app.command()
def explain(
    release: ReleasePath,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="LINE:COL", help="Only the edit at this place of the release."
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="The document's name, where several have the same release."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say why each edit was made, from the ledger."""
    data = _bytes(release)
    entry = access.entry(
        ledger or access.LEDGER, access.need_key(ledger, key_file), data, release, name
    )
    record = entry.record
    text = formats.read_again(data, record).text
    rows = list(zip(record.edits, record.originals, released_spans(record.edits), strict=True))
    if at is not None:
        offset = _offset(text, at)
        rows = [row for row in rows if row[2][0] <= offset < max(row[2][1], row[2][0] + 1)]
        if not rows:
            raise InputError(f"{release}:{at}: nothing was edited there")
    if as_json:
        for edit, original, (start, end) in rows:
            described = {"at": where(text, start), "start": start, "end": end, "kind": edit.kind}
            described |= {"original": original, "replacement": edit.replacement, "how": edit.how}
            described |= {"reason": _reason(edit), "alternatives": list(edit.alternatives)}
            print(json.dumps(described | {"numbers": dict(edit.numbers)}))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("place", "kind", "original", "replacement", "reason"):
        table.add_column(column)
    for edit, original, (start, _) in rows:
        cells = (edit.kind, original, edit.replacement, _reason(edit))
        table.add_row(where(text, start), *(Text(" ".join(cell.split())) for cell in cells))
    out.print(table)


@policy_app.command("show")
def policy_show(
    name: Annotated[str, typer.Argument(help="A built-in profile, or a policy file.")] = "default",
) -> None:
    """Print a policy to start from."""
    print(
        policy.profile_text(name) if name in policy.profiles() else policy.load(name).to_yaml(),
        end="",
    )


@policy_app.command("list")
def policy_list() -> None:
    """List the built-in profiles."""
    for name in policy.profiles():
        out.print(f"[bold]{name:<20}[/] {policy.load(name).description}")


@policy_app.command("check")
def policy_check(file: Annotated[str, typer.Argument(help="The policy file.")]) -> None:
    """Check a policy file; every error names its line."""
    try:
        checked = policy.load(file)
        Finder(checked)
    except PolicyError as error:
        for problem in error.problems:
            _say(problem)
        raise typer.Exit(2) from None
    out.print(f"{file}: a valid policy ({checked.digest[:16]})")


@policy_app.command("schema")
def policy_schema() -> None:
    """Print the JSON Schema of a policy, for editors."""
    print(json.dumps(policy.schema(), indent=2))


@key_app.command("new")
def key_new(
    file: Annotated[
        Path | None, typer.Argument(help="Where to write it; standard output if not given.")
    ] = None,
) -> None:
    """Make a key of 32 random bytes."""
    key = keys.new()
    if file is None:
        print(key.hex())
    else:
        keys.write(key, file)
        _say(f"{file}: a new key; keep it safe, keep it secret")


def _named(reader: str | None) -> tuple[str, ...]:
    return () if reader is None else (reader,)


def _reason(edit: Edit) -> str:
    """The whole of an edit's reason, for the releasing party."""
    return f"{edit.reason}: {edit.private}" if edit.private else edit.reason


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None


def _offset(text: str, at: str) -> int:
    line, colon, column = at.partition(":")
    if not (colon and line.isdecimal() and column.isdecimal() and int(line) and int(column)):
        raise InputError(f"--at {at}: give a place as LINE:COL, e.g. 3:14")
    lines = text.split("\n")
    if int(line) > len(lines) or int(column) > len(lines[int(line) - 1]) + 1:
        raise InputError(f"--at {at}: the release has no such place")
    return sum(len(before) + 1 for before in lines[: int(line) - 1]) + int(column) - 1


def _print_json(outcome: Outcome) -> None:
    if outcome.release is None:
        print(json.dumps({"file": outcome.job.name, "error": outcome.message}))
    else:
        print(json.dumps(outcome.release.to_dict()))


def _show(outcome: Outcome, to_stdout: bool, quiet: bool) -> None:
    """Before and after go to the terminal's error stream, so that a redirected output holds the
    release and no original."""
    assert outcome.release is not None
    if to_stdout or not sys.stdout.isatty():
        sys.stdout.buffer.write(outcome.release.data)
        sys.stdout.buffer.flush()
    if not quiet and not to_stdout and not outcome.message:  # else both are the same
        terminal.before_after(outcome.release, err)


def _finish(outcomes: Sequence[Outcome], settings: Settings, *, quiet: bool, written: bool) -> None:
    failed = [o for o in outcomes if o.status == "failed"]
    if written and not quiet:
        terminal.outcome_lines(outcomes, err)
        _say(
            f"Ledger: {settings.ledger} (holds the originals, sealed by the key; it is not for release)"
        )
    else:
        for outcome in outcomes:
            if outcome.message and (outcome.status == "failed" or not quiet):
                _say(f"sfumato: {outcome.message}")
    if failed:
        raise typer.Exit(max(o.exit_code for o in failed))


check_command.register(app)
table_commands.register(app)
measure_commands.register(app)


def main() -> None:
    """The entry point: every failure is one line and an exit code."""
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # typer turns Ctrl-C into an exit code
            raise KeyboardInterrupt
    except SfumatoError as error:
        code = _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        said = error.format_message()  # none where a bare command has shown its help
        code = _fail(f"{said} (see --help)", 2) if said.strip() else 2
    except (KeyboardInterrupt, typer.Abort):
        code = _fail(
            "interrupted; finished files are complete, the rest was not touched", INTERRUPTED
        )
    except BrokenPipeError:
        with suppress(OSError):  # nobody reads on; keep Python from complaining at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _fail(f"{error.filename or 'output'}: {error.strerror}", 2)
    except MemoryError:
        code = _fail("out of memory; split the input into smaller files", 2)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        code = _fail(f"internal error ({place}); nothing more was written, please report it", 1)
    sys.exit(code or 0)


def _fail(message: str, code: int) -> int:
    _say(f"sfumato: {message}")
    return code


def _say(line: str) -> None:
    """One line to the person, never broken into two."""
    err.print(Text(line), soft_wrap=True)
