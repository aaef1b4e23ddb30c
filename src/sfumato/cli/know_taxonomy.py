"""`sfumato know ladder`: what a term can be replaced by, from specific to general."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from sfumato.cli.console import out
from sfumato.cli.options import AsJson
from sfumato.errors import InputError
from sfumato.know import sources
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense, Step
from sfumato.report.plain import table

UNKNOWN = (
    "no taxonomy knows this term: policies remove unknown terms, unless their kind says what they are"
    " (--kind PERSON, ORG or LOC) or a taxonomy of yours does (--taxonomy FILE)"
)
_MOST_SENSES_SHOWN = 8


def ladder(
    term: Annotated[str, typer.Argument(metavar="TERM", help="A word or phrase.")],
    sense: Annotated[
        int, typer.Option("--sense", min=1, help="Which of its meanings; 1 is the most likely.")
    ] = 1,
    kind: Annotated[
        str, typer.Option("--kind", help="The kind that a detector gave it, e.g. LOC.")
    ] = "",
    preferred: Annotated[
        str | None,
        typer.Option(
            "--taxonomy",
            metavar="FILE|NAME",
            help="A taxonomy of your own or a registered one, preferred to the others.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the generalisations of a term, with volumes and bits.

    Volume: how many things the words may stand for. Bits: how much they tell.
    """
    chain = taxonomy.default()
    if preferred is not None:
        chain = chain.before(sources.open_taxonomy(preferred))
    senses = chain.senses(term, kind)
    steps = chain.ladder(term, sense - 1, kind)
    if not steps:
        raise InputError(UNKNOWN)
    if as_json:
        typer.echo(json.dumps(_as_dict(term, sense, senses, steps, chain)))
        return
    out.print(_table(steps))
    for line in _senses_lines(senses, sense, chain):
        out.print(Text(line, style="dim"), soft_wrap=True)


def _table(steps: list[Step]) -> Table:
    rows = [(s.term, f"{s.volume:,}", f"{s.bits:.2f}") for s in steps]
    return table(("term", "volume", "bits"), rows, right=("volume", "bits"))


def _senses_lines(senses: list[Sense], chosen: int, chain: Chain) -> list[str]:
    if not senses:
        return []
    lines = [""]
    for number, sense in enumerate(senses[:_MOST_SENSES_SHOWN], 1):
        mark = "*" if number == chosen else " "
        lines.append(f"{mark} sense {number} ({sense.taxonomy}): {chain.describe(sense)}")
    if len(senses) > _MOST_SENSES_SHOWN:
        lines.append(f"  and {len(senses) - _MOST_SENSES_SHOWN} more")
    return lines


def _as_dict(
    term: str, chosen: int, senses: list[Sense], steps: list[Step], chain: Chain
) -> dict[str, object]:
    return {
        "term": term,
        "sense": chosen,
        "senses": [
            {"taxonomy": s.taxonomy, "key": s.key, "description": chain.describe(s)} for s in senses
        ],
        "steps": [{"term": s.term, "volume": s.volume, "bits": round(s.bits, 4)} for s in steps],
    }
