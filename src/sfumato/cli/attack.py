"""`sfumato attack`: whom are releases about, and what was hidden?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sfumato import policy
from sfumato.cli.console import show
from sfumato.cli.options import AsJson, Background, Encoding, PolicyName, Truth
from sfumato.detect.finder import Finder
from sfumato.errors import InputError
from sfumato.measure.attack import reidentify
from sfumato.measure.compare import find_terms
from sfumato.measure.guessing import GuessReport, guess_terms, pool_of, report_guesses
from sfumato.measure.texts import is_table, pair_up, read_people, read_texts, read_truth
from sfumato.report import measures


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
        show(*measures.attack_parts(report))
    if guessed is not None:
        show(*measures.guess_parts(guessed))


def _guessed(
    original: Path, releases: Path, people: list[str], policy_name: str, encoding: str
) -> GuessReport:
    pairs = pair_up(original, releases, encoding=encoding)
    terms = find_terms(pairs, Finder(policy.load(policy_name)))
    pool = pool_of((p.original, terms[p.name]) for p in pairs)
    pool["PERSON"] = [*pool.get("PERSON", []), *people]
    found = [
        g for p in pairs for g in guess_terms(p.original, p.released, terms[p.name], pool=pool)
    ]
    return report_guesses(found)
