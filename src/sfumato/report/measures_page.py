"""The measures of a release as one HTML page, and of several releases side by side. Holds no text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from sfumato.kinds import KINDS
from sfumato.measure.compare import TextReport
from sfumato.measure.spi import SpiReport
from sfumato.measure.utility import KindKept
from sfumato.report.pages import page, stack, table, tiles

MOST_TEXTS = 200  # rows of the table of single texts
BINS = 10

_KEY = (
    "<p class=key><i class=kept></i>still there<i class=softened></i>generalised"
    "<i class=gone></i>hidden</p>"
)


def numbers_of(report: TextReport) -> list[tuple[str, str, str]]:
    """What a person decides by: name, number, what it says."""
    guessed, linked, accuracy = report.guessed, report.found_again, report.accuracy
    rows = [
        ("information kept", f"{report.information_kept:.1f} %", "of the noun phrases' bits"),
        ("certainty penalty (NCP)", _or_dash(report.ncp, ".3f"), "0 as it was, 1 all gone"),
        ("similarity", f"{report.similarity:.3f}", "1 the same meaning"),
        ("words kept", f"{report.edits.share_kept:.1%}", f"{report.edits.edits:,} edits"),
    ]
    if report.reading_ease and report.grade:
        rows += [
            ("reading ease", _change(report.reading_ease), "Flesch; 100 very easy"),
            ("school years", _change(report.grade), "Flesch-Kincaid"),
        ]
    if accuracy is not None:
        said = f"{accuracy.released:.1%} of {accuracy.original:.1%}; always the same: {accuracy.majority:.1%}"
        rows.append(("accuracy kept", f"{accuracy.kept:.1%}", said))
    rows.append(("terms left", f"{report.terms_left:.1%}", "of the terms that were found"))
    if guessed.assessed and guessed.chance is not None:
        able = f"{guessed.assessed:,} of {guessed.hidden:,} hidden things could be assessed"
        first = f"{guessed.first / guessed.assessed:.1%}"
        rows += [
            ("guessed at the first try", first, able),
            ("chance of a guess", f"{guessed.chance:.1%}", "averaged"),
            ("entropy of a guess", f"{guessed.entropy:.1f} bits", "what is left to find out"),
        ]
    if linked is not None:
        said = f"among {linked.candidates:,} originals, 95 % interval"
        rows.append(("found again", str(linked.top_1), said))
    return rows


def measures_page(report: TextReport) -> str:
    """One release: what was hidden, kept, at what risk."""
    count = len(report.texts)
    intro = f"<p>{count:,} {'text' if count == 1 else 'texts'}, before and after.</p>"
    main = [
        (f"{report.information_kept:.0f} %", "information kept"),
        (f"{report.similarity:.2f}", "similarity, of 1"),
        (f"{report.terms_left:.0%}", "of the terms found still there"),
        (_or_dash(report.guessed.chance, ".1%"), "chance to guess a hidden term"),
    ]
    if report.found_again is not None:
        main.append((f"{report.found_again.top_1.rate:.0%}", "found again among the originals"))
    return page(
        "Sfumato measures", [intro, tiles(main), _kinds(report.kinds), _all(report), _texts(report)]
    )


def side_by_side(reports: Mapping[str, TextReport]) -> list[tuple[str, ...]]:
    """The numbers of several releases, a row for each measure."""
    listed = {name: {row[0]: row[1] for row in numbers_of(r)} for name, r in reports.items()}
    measures = dict.fromkeys(m for found in listed.values() for m in found)
    return [(m, *(found.get(m, "–") for found in listed.values())) for m in measures]


def compare_page(reports: Mapping[str, TextReport]) -> str:
    """Several sanitizers on the same originals."""
    texts = len(next(iter(reports.values())).texts)
    sections = [
        f"<p>{len(reports)} releases of the same {texts:,} texts.</p>",
        table(("", *reports), side_by_side(reports)),
    ]
    sections += [f"<h2>{escape(name)}</h2>{_kinds(r.kinds)}" for name, r in reports.items()]
    return page("Sfumato measures: comparison", sections)


def log_page(report: SpiReport) -> str:
    """A document log before and after: the privacy index and its relatives."""
    main = [
        (f"{report.spi:.3f}", "privacy index (SPI), of 1"),
        (f"{report.jsd:.3f}", "Jensen-Shannon divergence (JSD)"),
        (_or_dash(report.pel, ".1f"), "profile exposure (PEL), percent"),
        (f"{report.impressions:.1f} %", "of the documents released"),
    ]
    notes = "".join(f"<p class=note>{escape(note)}</p>" for note in report.notes())
    counts = [0] * BINS
    for value in report.user_spi.tolist():
        counts[min(int(value * BINS), BINS - 1)] += 1
    rows = "".join(
        f"<tr><td>{n / BINS:.1f} to {(n + 1) / BINS:.1f}<td class=n>{count:,}"
        f"<td><i class=bar style='width:{round(100 * count / max(counts))}%'></i>"
        for n, count in enumerate(counts)
    )
    users = f"<h2>Users by their index</h2><table><tr><th>SPI<th class=n>users<th class=wide>{rows}</table>"
    return page(
        "Sfumato measures: document log",
        [f"<p>{len(report.users):,} users.</p>", tiles(main), notes, users],
    )


def _kinds(kinds: Mapping[str, KindKept]) -> str:
    if not kinds:
        return "<p class=note>The detectors found no terms in the originals.</p>"
    rows = "".join(
        f"<tr><td>{escape(kind)}<td>{escape(KINDS[kind].title if kind in KINDS else '')}"
        f"<td class=n>{k.terms:,}<td class=n>{k.kept:,}<td class=n>{k.generalised:,}<td class=n>{k.hidden:,}"
        f"<td>{_bar(k)}"
        for kind, k in sorted(kinds.items(), key=lambda item: (-item[1].terms, item[0]))
    )
    head = "<th>kind<th><th class=n>terms<th class=n>still there<th class=n>generalised<th class=n>hidden<th>"
    return f"{_KEY}<table><tr>{head}{rows}</table>"


def _bar(kept: KindKept) -> str:
    parts = (("kept", kept.kept), ("softened", kept.generalised), ("gone", kept.hidden))
    return stack([(name, count / kept.terms) for name, count in parts])


def _all(report: TextReport) -> str:
    return f"<h2>All measures</h2>{table(('measure', 'value', ''), numbers_of(report), numbers_from=3)}"


def _texts(report: TextReport) -> str:
    if len(report.texts) < 2:
        return ""
    header = ("text", "information kept", "similarity", "words kept", "terms left", "chance")
    shown = report.rows()[:MOST_TEXTS]
    rows: list[Sequence[str]] = [
        (
            row["name"],
            f"{row['information_kept']:.1f} %",
            f"{row['similarity']:.3f}",
            f"{row['share_kept']:.1%}",
            f"{row['terms_kept']:,} of {row['terms']:,}",
            _or_dash(row["chance"], ".1%"),
        )
        for row in shown
    ]
    more = len(report.texts) - len(shown)
    note = f"<p class=note>and {more:,} more; --json has all of them</p>" if more else ""
    return f"<h2>Text by text</h2>{table(header, rows)}{note}"


def _change(values: tuple[float, float]) -> str:
    return f"{values[0]:.1f} → {values[1]:.1f}"


def _or_dash(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
