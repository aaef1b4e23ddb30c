"""What the commands of `measure` print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from sfumato.measure.attack import AttackReport
    from sfumato.measure.compare import TextReport
    from sfumato.measure.guessing import GuessReport
    from sfumato.measure.spi import SpiReport


def print_log(report: SpiReport) -> None:
    """A document log before and after."""
    pel = "–" if report.pel is None else f"{report.pel:.1f}"
    rows = [
        ("SPI", f"{report.spi:.4f}", "privacy index; 0 nothing changed, 1 all gone"),
        ("JSD", f"{report.jsd:.4f}", "the same without sensitivity"),
        ("PEL", pel, "percent; smaller is more private"),
        ("impressions", f"{report.impressions:.1f} %", "documents released"),
        ("users", f"{len(report.users):,}", f"{report.users_gone:,} with nothing left"),
    ]
    print_rows(("measure", "value", ""), rows)
    for note in report.notes():
        say(note)


def print_attack(report: AttackReport) -> None:
    """How well each way of comparing finds the persons."""
    rows = [
        (
            found.method,
            str(found.top_1),
            str(found.top_5),
            f"{found.median_rank:g} of {found.candidates:,}",
        )
        for found in report.linkages
    ]
    print_rows(
        ("compared by", "found at the first try", "among the first five", "median rank"), rows
    )
    if report.unknown:
        say(f"{len(report.unknown):,} releases are about nobody of the background; not counted")


def print_guesses(guessed: GuessReport) -> None:
    """How well hidden terms are guessed, by kind."""
    rows = [
        (
            kind,
            f"{s.assessed:,}",
            f"{s.first / s.assessed:.1%}",
            f"{s.chance:.1%}",
            f"{s.median_rank:g}",
            f"{s.entropy:.1f} bits",
        )
        for kind, s in (*guessed.kinds.items(), ("all", guessed.whole))
        if s.assessed
    ]
    header = ("hidden terms", "assessed", "guessed at once", "chance", "median rank", "entropy")
    if rows:
        print_rows(header, rows)
    left = guessed.whole.hidden - guessed.whole.assessed
    if left:
        say(f"{left:,} hidden things could not be assessed: nobody can list their candidates")


def print_kinds(report: TextReport) -> None:
    """What became of the terms of each kind."""
    if report.kinds:
        rows = [
            (kind, f"{k.terms:,}", f"{k.kept:,}", f"{k.generalised:,}", f"{k.hidden:,}")
            for kind, k in report.kinds.items()
        ]
        print_rows(("kind", "terms", "still there", "generalised", "hidden"), rows)


def print_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table without lines."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in header:
        table.add_column(column)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)


def say(line: str) -> None:
    """One line, never broken into two."""
    Console(highlight=False, soft_wrap=True).print(Text(line))


def say_written(html: Path | None) -> None:
    """That a page was written."""
    if html is not None:
        say(f"{html}: written")
