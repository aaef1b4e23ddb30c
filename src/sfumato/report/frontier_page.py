"""A sweep as an HTML page: the picture, the recommended setting, the numbers of all."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sfumato.measure.frontier import Frontier, Point
from sfumato.report.pages import page, table
from sfumato.report.plots import frontier_svg

_KEY = (
    "<p class=note>Numbers are the rows of the table. Filled: no other value is better in both respects. "
    "Ringed: recommended.</p>"
)


def frontier_page(frontier: Frontier, policy_name: str) -> str:
    """The page of a sweep. Holds no text of the documents."""
    intro = f"<p>Policy <b>{escape(policy_name)}</b>. {escape(advice(frontier))}</p>"
    header, rows = frontier_rows(frontier)
    chosen = -1 if frontier.knee is None else frontier.knee
    body = table(header, rows, numbers_from=2, chosen=chosen)
    return page("Sfumato frontier", [intro, frontier_svg(frontier), _KEY, body, refusals(frontier)])


def refusals(frontier: Frontier) -> str:
    """Why values of the sweep could not be used, one note for each."""
    return "".join(
        f"<p class=note>{escape(p.label)}: refused. {escape(p.refused)}</p>"
        for p in frontier.points
        if p.refused
    )


def advice(frontier: Frontier) -> str:
    """The recommendation in a sentence."""
    knee = frontier.knee
    if knee is not None:
        point = frontier.points[knee]
        return f"Recommended: {point.label} (risk {point.risk:.1%}, {frontier.utility}: {point.utility:.1f})."
    if all(p.refused for p in frontier.points):
        return "Nothing to recommend: every value was refused."
    return f"Nothing to recommend: every value has a risk above {frontier.at_most:.1%}."


def frontier_rows(frontier: Frontier) -> tuple[list[str], list[list[str]]]:
    """The table of all points: its header and its rows."""
    names = list(dict.fromkeys(name for p in frontier.points for name in p.more))
    best, knee = frontier.best, frontier.knee
    rows = []
    for n, point in enumerate(frontier.points):
        # Of tables another rule recommends: the least loss at the k that is asked for.
        wanted = n == knee and frontier.what != "table"
        mark = "recommended" if wanted else "best" if n in best else "beaten"
        rows.append(
            [str(n + 1), point.label, *_numbers(point, names), "refused" if point.refused else mark]
        )
    return ["", "setting", "risk", "utility", *(name.replace("_", " ") for name in names), ""], rows


def _numbers(point: Point, names: Sequence[str]) -> list[str]:
    if point.refused:
        return ["–"] * (2 + len(names))
    return [f"{point.risk:.1%}", f"{point.utility:.1f}", *(_cell(point.more.get(n)) for n in names)]


def _cell(value: object) -> str:
    if isinstance(value, tuple | list):
        return " to ".join(_cell(v) for v in value)
    return f"{value:.3f}" if isinstance(value, float) else "–" if value is None else str(value)
