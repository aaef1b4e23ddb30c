"""What the commands of `measure` print: tables, and lines that are not broken into two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from sfumato.report.plain import table

if TYPE_CHECKING:
    from sfumato.measure.attack import AttackReport
    from sfumato.measure.compare import TextReport
    from sfumato.measure.guessing import GuessReport
    from sfumato.measure.spi import SpiReport


Parts = list[Table | str]


def log_parts(report: SpiReport) -> Parts:
    """A document log before and after."""
    pel = "–" if report.pel is None else f"{report.pel:.1f}"
    rows = [
        ("SPI", f"{report.spi:.4f}", "privacy index; 0 nothing changed, 1 all gone"),
        ("JSD", f"{report.jsd:.4f}", "the same without sensitivity"),
        ("PEL", pel, "percent; smaller is more private"),
        ("impressions", f"{report.impressions:.1f} %", "documents released"),
        ("users", f"{len(report.users):,}", f"{report.users_gone:,} with nothing left"),
    ]
    return [table(("measure", "value", ""), rows), *report.notes()]


def attack_parts(report: AttackReport) -> Parts:
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
    header = ("compared by", "found at the first try", "among the first five", "median rank")
    unknown = f"{len(report.unknown):,} releases are about nobody of the background; not counted"
    return [table(header, rows), *([unknown] if report.unknown else [])]


def guess_parts(guessed: GuessReport) -> Parts:
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
    parts: Parts = [table(header, rows)] if rows else []
    left = guessed.whole.hidden - guessed.whole.assessed
    if left:
        parts.append(
            f"{left:,} hidden things could not be assessed: nobody can list their candidates"
        )
    return parts


def kind_parts(report: TextReport) -> Parts:
    """What became of the terms of each kind."""
    rows = [
        (kind, f"{k.terms:,}", f"{k.kept:,}", f"{k.generalised:,}", f"{k.hidden:,}")
        for kind, k in report.kinds.items()
    ]
    header = ("kind", "terms", "still there", "generalised", "hidden")
    return [table(header, rows)] if rows else []
