"""What a person sees in the terminal: before and after, a summary, the checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sfumato.document import Document, Release, Term, released_spans, unrender
from sfumato.formats.text import in_file
from sfumato.kinds import KINDS
from sfumato.release.batch import Job, Outcome
from sfumato.release.views import Views, place
from sfumato.report.plain import one_line, table
from sfumato.verify import Check

SIDE_BY_SIDE = 100  # columns of the terminal from which two texts stand side by side
MOST_LINES = 60
_COLOURS = ("red", "green", "yellow", "blue", "magenta", "cyan")
_FAMILY_COLOUR = {
    "PERSON": "red",
    "LOC": "green",
    "DATE": "yellow",
    "ORG": "cyan",
    "CODE": "magenta",
}
_MARK = {"holds": "[green]✓[/]", "attested": "[green]✓[/]", "does not hold": "[red]✗[/]"}
_MARK |= {"cannot be checked": "[yellow]?[/]", "skipped": "[yellow]-[/]"}


def before_after(release: Release, console: Console) -> None:
    """The original and the release, changes coloured by kind, then what was done and what holds."""
    original = unrender(release.text, release.record)
    before = _marked(original, [(e.start, e.end) for e in release.edits], release, struck=True)
    after = _marked(release.text, released_spans(release.edits), release, struck=False)
    console.print(_side_by_side(before, after, console.width))
    console.print(summary(release))


def summary(release: Release) -> RenderableType:
    """Counts by kind, and the checks with their marks."""
    counts: dict[tuple[str, str], int] = {}
    for edit in release.edits:
        if edit.hides:
            counts[edit.kind, edit.how] = counts.get((edit.kind, edit.how), 0) + 1
    total = sum(counts.values())
    if not total:
        first: RenderableType = Text("Nothing was found that the policy hides.", style="bold")
    else:
        rows = []
        for (kind, how), count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
            title = KINDS[kind].title if kind in KINDS else ""
            rows.append((f"{count:>4}", Text(kind, style=_colour(kind)), title, f"→ {how}"))
        shown = table(("",) * 4, rows)
        first = Group(Text(f"{total} terms hidden", style="bold"), shown)
    return Group(first, check_line(release.checks))


def check_line(checks: Sequence[Check]) -> Text:
    """All checks on one line."""
    marked = (Text.assemble(Text.from_markup(_MARK[c.verdict]), f" {c.name}") for c in checks)
    return Text("   ").join(marked)


def check_table(checks: Iterable[Check]) -> Table:
    """One line for each check."""
    marks = {verdict: Text.from_markup(mark) for verdict, mark in _MARK.items()}
    rows = [(marks[c.verdict], _line(c.name), c.verdict, _line(c.detail)) for c in checks]
    return table(("", "check", "verdict", "detail"), rows)


def _line(said: str) -> str:
    """What others say, in one line: the next one is ours."""
    return " ".join(said.splitlines())


def term_table(document: Document, terms: Sequence[Term]) -> Table:
    """The terms of a document."""
    rows = (
        (
            document.origin.place(at.start, document.file if document.drawn else document.text),
            Text(term.kind, style=_colour(term.kind)),
            " ".join(term.of(document.text).split()),
            f"{term.score:.2f}",
            term.reason,
        )
        for at, term in zip(in_file(document, terms), terms, strict=True)
    )
    return table(("place", "kind", "term", "score", "reason"), rows)


def view_table(views: Views, job: Job, folder: Path) -> Table:
    """The views of a document: where each was written, and whether they are safe together."""
    rows: list[Sequence[str]] = []
    for reader, release in views.releases.items():
        hidden = sum(edit.hides for edit in release.edits)
        verdict = next(c.verdict for c in release.checks if c.name == views.claim)
        rows.append((reader, str(place(job, folder, reader)), str(hidden), verdict))
    rows.append(("together", "", "", f"{views.together.verdict} ({views.together.detail})"))
    return table(("reader", "release", "hidden", views.claim), rows)


def outcome_lines(outcomes: Sequence[Outcome], console: Console) -> None:
    """What became of many files: the failures one by one, the rest in one line."""
    for outcome in outcomes:
        if outcome.message:
            style = "red" if outcome.status == "failed" else "yellow"
            prefix = "" if outcome.status == "failed" else f"{outcome.job.source}: "
            console.print(one_line(prefix + outcome.message, style), soft_wrap=True)
    released = [o for o in outcomes if o.status == "released"]
    current = [o for o in outcomes if o.status == "up to date"]
    failed = [o for o in outcomes if o.status == "failed"]
    terms = sum(o.kinds.total() for o in (*released, *current))
    parts = [f"{len(released)} released"]
    parts += [f"{len(current)} up to date"] if current else []
    parts += [f"[red]{len(failed)} failed[/]"] if failed else []
    console.print(f"{', '.join(parts)}; {terms} terms hidden")


def _side_by_side(before: Text, after: Text, width: int) -> RenderableType:
    left, right = before.split("\n", allow_blank=True), after.split("\n", allow_blank=True)
    cut = max(len(left), len(right)) - MOST_LINES
    note = [Text(f"… and {cut} more lines", style="dim")] if cut > 0 else []
    if width < SIDE_BY_SIDE:
        panels = [
            Panel(Text("\n").join(lines[:MOST_LINES]), title=title, title_align="left")
            for lines, title in ((left, "before"), (right, "after"))
        ]
        return Group(*panels, *note)
    both = Table(expand=True, show_lines=False, header_style="bold")
    both.add_column("before", ratio=1)
    both.add_column("after", ratio=1)
    for number in range(min(max(len(left), len(right)), MOST_LINES)):
        both.add_row(*(side[number] if number < len(side) else Text("") for side in (left, right)))
    return Group(both, *note)


def _marked(text: str, spans: Sequence[tuple[int, int]], release: Release, *, struck: bool) -> Text:
    shown = Text(text.expandtabs(1))
    for (start, end), edit in zip(spans, release.edits, strict=True):
        shown.stylize(f"{'strike ' if struck else 'bold '}{_colour(edit.kind)}", start, end)
    return shown


def _colour(kind: str) -> str:
    family = KINDS[kind].family if kind in KINDS else ""
    known = _FAMILY_COLOUR.get(kind) or _FAMILY_COLOUR.get(family)
    return known or _COLOURS[sum(kind.encode()) % len(_COLOURS)]
