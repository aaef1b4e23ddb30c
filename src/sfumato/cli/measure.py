"""The commands `measure`, `attack`, `explore` and `anonymize-log`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from sfumato import keys
from sfumato import policy as policies
from sfumato.errors import InputError
from sfumato.policy import Policy
from sfumato.release import batch
from sfumato.release.files import write_file
from sfumato.report.measures import (
    print_attack,
    print_guesses,
    print_kinds,
    print_log,
    print_rows,
    say,
    say_written,
)

if TYPE_CHECKING:
    from sfumato.measure.frontier import Frontier
    from sfumato.measure.guessing import GuessReport
    from sfumato.measure.matching import Sensitivity

SHIPPED = "shipped"

AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Encoding = Annotated[str, typer.Option("--encoding", help="The files' encoding.")]
PolicyName = Annotated[
    str, typer.Option("-p", "--policy", help="A policy file or a built-in profile.")
]
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


def register(app: typer.Typer) -> None:
    """Add the commands to `sfumato`."""
    app.command("measure")(measure)
    app.command("attack")(attack)
    app.command("explore")(explore)
    app.command("anonymize-log")(anonymize_log)


def measure(
    original: Annotated[
        Path,
        typer.Argument(
            metavar="ORIGINAL",
            help="A text, a folder of texts, or a log: a table with the columns user and document.",
        ),
    ],
    released: Annotated[
        Path | None,
        typer.Argument(metavar="[RELEASED]", help="The same after any sanitizer."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare",
            metavar="NAME=PATH,…",
            help="Several releases side by side, for instance presidio=FOLDER,ours=FOLDER.",
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with pictures.")] = None,
    as_json: AsJson = False,
    policy_name: PolicyName = "default",
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            help="Classes of the texts (columns file and label): how good is a classifier that is trained on "
            "the release?",
        ),
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option(
            "--sensitivity",
            help=f"Logs: a model of `sfumato know sensitivity`, or '{SHIPPED}' for the one that comes along.",
        ),
    ] = None,
    match: Match = "exact",
    user: User = "user",
    document: DocumentColumn = "document",
    encoding: Encoding = "utf-8",
) -> None:
    """Say what a release has kept and what it still tells, whatever made it."""
    from sfumato.measure.texts import is_table, keep_apart

    others = _named(compare) if compare is not None else {}
    keep_apart(html, original, released, labels, *others.values())
    if compare is not None:
        if released is not None:
            raise InputError("give RELEASED or --compare, not both")
        _compare(original, others, policy_name, labels, html, as_json, encoding)
        return
    if released is None:
        raise InputError("give the release too: sfumato measure ORIGINAL RELEASED")
    if is_table(original) and is_table(released):
        from sfumato.measure.spi import spi_report
        from sfumato.report.measures_page import log_page

        sigma = _sensitivity(sensitivity)
        found = spi_report(
            original, released, sensitivity=sigma, match=match, user=user, document=document
        )
        if html is not None:
            write_file(html, log_page(found).encode())
        if as_json:
            print(json.dumps(found.as_dict() | {"notes": found.notes()}))
            return
        print_log(found)
        say_written(html)
        return
    from sfumato.detect.finder import Finder
    from sfumato.measure.compare import measure_pairs
    from sfumato.measure.downstream import read_text_labels
    from sfumato.measure.texts import pair_up
    from sfumato.report.measures_page import measures_page, numbers_of

    find = Finder(policies.load(policy_name))
    pairs = pair_up(original, released, encoding=encoding)
    classes = read_text_labels(labels, [p.name for p in pairs]) if labels else None
    report = measure_pairs(pairs, find=find, labels=classes)
    if html is not None:
        write_file(html, measures_page(report).encode())
    if as_json:
        print(json.dumps(report.as_dict() | {"by_text": report.rows()}))
        return
    print_rows(("measure", "value", ""), numbers_of(report))
    print_kinds(report)
    say_written(html)


def attack(
    releases: Annotated[
        Path,
        typer.Argument(
            metavar="RELEASES",
            help="Released texts, each named after its person: a folder, or a table (person, text).",
        ),
    ],
    background: Background = None,
    truth: Truth = None,
    original: Annotated[
        Path | None,
        typer.Option("--original", help="The originals, to try to guess what was hidden as well."),
    ] = None,
    policy_name: PolicyName = "default",
    person: Annotated[str, typer.Option("--person", help="The column with the person.")] = "person",
    text: Annotated[str, typer.Option("--text", help="The column with the text.")] = "text",
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
) -> None:
    """Try to find out whom releases are about, and what was hidden in them."""
    from sfumato.measure.attack import reidentify
    from sfumato.measure.texts import is_table, read_people, read_texts, read_truth

    if background is None and original is None:
        raise InputError(
            "an attack needs what is known: --background FILE, or --original PATH to guess hidden terms"
        )
    columns = {"person": person, "text": text, "encoding": encoding}
    known = read_people(background, **columns) if background else None
    report, guessed = None, None
    if known is not None:
        if is_table(releases):
            texts, whom = read_people(releases, **columns), None
        else:
            texts = read_texts(releases, encoding=encoding)
            whom = read_truth(truth, texts)
        if not any(t.strip() for t in texts.values()):
            raise InputError(f"{releases}: every release is empty; there is nothing to attack")
        report = reidentify(texts, known, whom)
    if original is not None:
        guessed = _guessed(original, releases, list(known or ()), policy_name, encoding)
    if as_json:
        found = report.as_dict() if report else {}
        print(json.dumps(found | ({"guessed": guessed.as_dict()} if guessed else {})))
        return
    if report is not None:
        print_attack(report)
    if guessed is not None:
        print_guesses(guessed)


def explore(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="Documents: files or folders. Or one table."),
    ],
    policy_name: PolicyName = "default",
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="SETTING=VALUES",
            help="A setting of the policy and its values, protect.plausibility.t=10,100,1000; several "
            "sweeps are combined.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A folder for the page, the pictures and the numbers."),
    ] = None,
    background: Background = None,
    truth: Truth = None,
    max_risk: Annotated[
        float | None,
        typer.Option("--max-risk", min=0, max=1, help="Recommend nothing that risks more."),
    ] = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
) -> None:
    """Show what a setting costs: risk against utility for each of its values. Releases nothing."""
    from dataclasses import replace

    from sfumato.measure import frontier as frontiers
    from sfumato.measure.sweep import parse_sweep
    from sfumato.measure.texts import keep_apart, read_people, read_truth
    from sfumato.report.frontier_page import advice, frontier_page, frontier_rows
    from sfumato.report.plots import frontier_plot

    keep_apart(output, *(Path(p) for p in paths))
    base = policies.load(policy_name)
    sweeps = [parse_sweep(s) for s in sweep or []]
    if len(paths) == 1 and Path(paths[0]).suffix.lower() in frontiers.TABLE_FILES:
        found = replace(frontiers.explore_table(Path(paths[0]), base, sweeps), at_most=max_risk)
    else:
        jobs = [j for j in batch.plan(paths, None) if not j.name.endswith(".cert.json")]
        documents = [batch.read_job(job, encoding, base) for job in jobs]
        known = read_people(background, encoding=encoding) if background else None
        whom = read_truth(truth, [d.name for d in documents]) if known else None
        with Console(stderr=True).status("") as status:
            found = frontiers.explore(
                documents,
                base,
                sweeps,
                background=known,
                truth=whom,
                at_most=max_risk,
                watch=status.update,
            )
    header, rows = frontier_rows(found)
    if as_json:
        print(json.dumps(found.as_dict()))
    else:
        print_rows(header, rows)
        for point in found.points:
            if point.refused:
                say(f"{point.said}: {point.refused}")
        say(_table_advice(found, base) if found.what == "table" else advice(found))
    if output is None:
        return
    write_file(output / "frontier.html", frontier_page(found, base.name).encode())
    write_file(output / "frontier.json", (json.dumps(found.as_dict(), indent=1) + "\n").encode())
    forms = () if all(p.refused for p in found.points) else ("svg", "png")
    for form in forms:
        write_file(output / f"frontier.{form}", frontier_plot(found, form))
    written = [f"frontier.{form}" for form in ("html", "json", *forms)]
    if found.what == "table" and forms:
        written += _write_losses(found, base, output)
    if not as_json:
        say(f"{output}: {', '.join(written)}")


def _table_advice(found: Frontier, base: Policy) -> str:
    from sfumato.measure.tables_explore import advised, recommended

    best = recommended(found, base.table.k if base.table else None)
    return "no setting of the sweep can be used" if best is None else advised(best)


def _write_losses(found: Frontier, base: Policy, output: Path) -> list[str]:
    """Relational against textual loss, as pictures and as a page."""
    from sfumato.measure.tables_explore import losses_plot, page

    write_file(output / "losses.svg", losses_plot(found, "svg"))
    write_file(output / "losses.png", losses_plot(found, "png"))
    k = base.table.k if base.table else None
    write_file(output / "losses.html", page(found, base.name, k).encode())
    return ["losses.html", "losses.svg", "losses.png"]


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
    from sfumato.measure import logs

    key = None
    if not keep_users:
        key = keys.read(key_file) if key_file else keys.from_environment() or keys.new()
    found = logs.anonymize_log(log, output, k, match=match, key=key, user=user, document=document)
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    say(
        f"{output}: {found.rows_released:,} of {found.rows:,} rows, {found.documents_released:,} of "
        f"{found.documents:,} documents; {found.users_gone:,} of {found.users:,} users have none left"
    )


# What the commands share


def _compare(
    original: Path,
    released: Mapping[str, Path],
    policy_name: str,
    labels: Path | None,
    html: Path | None,
    as_json: bool,
    encoding: str,
) -> None:
    from sfumato.detect.finder import Finder
    from sfumato.measure.compare import compare_texts
    from sfumato.measure.downstream import read_text_labels
    from sfumato.measure.texts import read_texts
    from sfumato.report.measures_page import compare_page, numbers_of

    classes = None
    if labels is not None:
        classes = read_text_labels(labels, list(read_texts(original, encoding=encoding)))
    find = Finder(policies.load(policy_name))
    reports = compare_texts(original, released, find=find, labels=classes, encoding=encoding)
    if html is not None:
        write_file(html, compare_page(reports).encode())
    if as_json:
        print(json.dumps({name: report.as_dict() for name, report in reports.items()}))
        return
    listed = {name: {row[0]: row[1] for row in numbers_of(r)} for name, r in reports.items()}
    measures = dict.fromkeys(m for found in listed.values() for m in found)
    rows = [(m, *(found.get(m, "–") for found in listed.values())) for m in measures]
    print_rows(("measure", *reports), rows)
    say_written(html)


def _sensitivity(named: str | None) -> Sensitivity:
    from sfumato.measure import sensitivity

    if named is None:
        return None
    return sensitivity.default() if named == SHIPPED else sensitivity.load(Path(named))


def _named(given: str) -> dict[str, Path]:
    """`ours=DIR,theirs=DIR`."""
    found: dict[str, Path] = {}
    for part in given.split(","):
        name, equals, path = part.partition("=")
        if not equals or not name.strip() or not path or name.strip() in found:
            raise InputError("--compare takes names and folders: presidio=FOLDER,ours=FOLDER")
        found[name.strip()] = Path(path)
    return found


def _guessed(
    original: Path, releases: Path, people: list[str], policy_name: str, encoding: str
) -> GuessReport:
    from sfumato.detect.finder import Finder
    from sfumato.measure.compare import find_terms
    from sfumato.measure.guessing import guess_terms, pool_of, report_guesses
    from sfumato.measure.texts import pair_up

    pairs = pair_up(original, releases, encoding=encoding)
    terms = find_terms(pairs, Finder(policies.load(policy_name)))
    pool = pool_of((p.original, terms[p.name]) for p in pairs)
    pool["PERSON"] = [*pool.get("PERSON", []), *people]
    found = [
        g for p in pairs for g in guess_terms(p.original, p.released, terms[p.name], pool=pool)
    ]
    return report_guesses(found)
