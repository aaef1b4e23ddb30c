"""The worked examples of the correlated-terms paper, on the statistics that come along."""

from __future__ import annotations

import pytest

from sfumato.protect.disclosure.catalogue import default
from sfumato.protect.disclosure.generalise import ladder
from sfumato.protect.disclosure.problem import risks
from sfumato.protect.disclosure.sanitizer import sanitize
from sfumato.protect.disclosure.strategies import STRATEGIES
from sfumato.protect.disclosure.things import (
    Assessment,
    AssessmentSettings,
    Occurrence,
    Shown,
    catalogue_for,
    make_case,
)
from sfumato.protect.disclosure.thresholds import Threshold


def words_of(term: str) -> list[str]:
    return [r.words for r in ladder(default().chain, term, 0, len(term))]


def case(hidden: str, shown: str, left: str, strategy: str = "S5") -> Assessment:
    text = f"{hidden} {left}"
    terms = [
        Occurrence(0, len(hidden), hidden, "", Shown(shown)),
        Occurrence(len(hidden) + 1, len(text), left),
    ]
    settings = AssessmentSettings(Threshold("share", 0.4), STRATEGIES[strategy], support=1)
    return make_case(text, terms, catalogue_for(default(), settings), settings)


@pytest.mark.parametrize(
    ("hidden", "shown", "left"),
    [
        ("breast cancer", "disease", "radiotherapy"),
        ("Miami", "city", "Florida"),
        ("AIDS", "disease", "sexual transmission"),
    ],
)
@pytest.mark.parametrize("strategy", ["S4", "S5"])
def test_a_term_that_betrays_is_generalised_below_the_threshold(
    hidden: str, shown: str, left: str, strategy: str
) -> None:
    made = case(hidden, shown, left, strategy)
    solution = sanitize(made.problem)
    (finding,) = [f for f in solution.findings if f.thing == 1]
    assert finding.limit == pytest.approx(0.4 * finding.information)
    assert finding.left < finding.limit <= finding.risk <= finding.information
    assert made.word(1, solution.levels[1]) != left


def test_a_hidden_term_that_is_generalised_is_at_greater_risk_than_a_removed_one() -> None:
    generalised, removed = (
        case("breast cancer", shown, "radiotherapy") for shown in ("disease", "")
    )
    told = [
        risks(m.problem, [0], m.problem.start, [m.problem.row(1, 0)])[0, 0]
        for m in (generalised, removed)
    ]
    assert told[0] > told[1] > 0


def test_ladders_as_in_section_3_6() -> None:
    radiotherapy = words_of("radiotherapy")
    assert radiotherapy.index("therapy") < radiotherapy.index("treatment")
    florida = words_of("Florida")
    assert florida.index("American state") < florida.index("state")


def test_modifiers_are_dropped_from_the_left() -> None:
    assert words_of("curable breast cancer")[:2] == ["curable breast cancer", "breast cancer"]
