from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from sfumato.errors import InputError
from sfumato.measure import measure_texts, spi_report
from sfumato.measure.frontier import Frontier, Point
from sfumato.report import measures_page as pages
from sfumato.report.frontier_page import advice, frontier_page, frontier_rows
from sfumato.report.pages import table
from sfumato.report.plots import frontier_plot, frontier_svg

POINTS = (
    Point({"protect.plausibility.t": 10}, 0.9, 95.0, {"similarity": 0.9}),
    Point({"protect.plausibility.t": 100}, 0.4, 90.0, {"interval": (0.1, 0.2)}),
    Point({"protect.plausibility.t": 1000}, 0.35, 50.0),
    Point({"protect.plausibility.t": 2000}, 0.5, 40.0),
    Point({"protect.plausibility.t": 10**9}, refused="a <b> too large"),
)
FOUND = Frontier("documents", "chance", "information kept, percent", POINTS)


def loads_nothing(page: str) -> bool:
    tags: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    Parser().feed(page)
    return not {"script", "img", "link", "iframe"} & set(tags) and "http" not in page.replace(
        "http-equiv", ""
    )


def test_the_frontier_page_shows_every_point_and_recommends_one() -> None:
    page = frontier_page(FOUND, "mine <x>")
    assert page.count("<circle class=dot") + page.count("<circle class='dot off'") == 4
    assert page.count("<circle class=knee") == 1
    assert "Recommended: t = 100 (risk 40.0%" in page
    assert "mine &lt;x&gt;" in page
    assert "a &lt;b&gt; too large" in page
    assert loads_nothing(page)


def test_points_that_lie_on_each_other_share_a_label() -> None:
    points = (Point({"t": 1}, 0.1, 10.0), Point({"t": 2}, 0.1, 10.0), Point({"t": 3}, 0.9, 90.0))
    drawn = frontier_svg(Frontier("documents", "r", "u", points))
    assert re.findall(r">(\d(?:, \d)*(?:: [^<]*)?)</text>", drawn)[-2:] == ["1, 2: t = 1", "3"]


def test_a_sweep_of_refusals_has_no_picture_and_no_advice() -> None:
    nothing = Frontier("documents", "r", "u", POINTS[-1:])
    assert frontier_svg(nothing) == ""
    assert "every value was refused" in advice(nothing)
    with pytest.raises(InputError, match="nothing to draw"):
        frontier_plot(nothing)


def test_a_risk_that_is_too_high_is_not_recommended() -> None:
    found = Frontier("documents", "r", "u", POINTS, at_most=0.1)
    assert advice(found) == "Nothing to recommend: every value has a risk above 10.0%."


def test_rows_have_a_cell_for_every_column() -> None:
    header, rows = frontier_rows(FOUND)
    assert {len(row) for row in rows} == {len(header)}
    assert rows[1][-1] == "recommended"
    assert rows[3][-1] == "beaten"
    assert rows[4][-1] == "refused"
    assert "0.100 to 0.200" in rows[1]


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_pictures_are_drawn(form: str, start: bytes) -> None:
    assert frontier_plot(FOUND, form).startswith(start)


def test_the_same_numbers_give_the_same_picture() -> None:
    assert frontier_plot(FOUND, "svg") == frontier_plot(FOUND, "svg")


def test_a_single_point_is_drawn() -> None:
    alone = Frontier("documents", "r", "u", (Point({"t": 1}, 0.0, 100.0),))
    assert "<circle" in frontier_svg(alone)
    assert frontier_plot(alone).startswith(b"\x89PNG")


def test_the_page_of_one_text_and_of_none_found() -> None:
    page = pages.measures_page(measure_texts("It rains.", "It rains."))
    assert "found no terms" in page
    assert "Text by text" not in page
    assert loads_nothing(page)


def test_long_collections_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_TEXTS", 1)
    page = pages.measures_page(measure_texts(["It rains.", "It snows."], ["It rains.", "It [X]."]))
    assert "and 1 more" in page


def test_the_page_of_a_log_counts_users_by_their_index() -> None:
    report = spi_report([("ann", "flu"), ("bob", "flu")], [("ann", "flu")])
    page = pages.log_page(report)
    assert "ann" not in re.sub("[a-z-]*chann|Jensen-Shannon", "", page)
    assert "<td class=n>1" in page
    assert loads_nothing(page)


def test_cells_are_escaped() -> None:
    assert "&lt;x&gt;" in table(["a"], [["<x>"]])
