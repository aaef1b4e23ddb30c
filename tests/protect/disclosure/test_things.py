"""The terms of a text as a problem, with the statistics and taxonomies that come along."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sfumato.facts.ladders import Ladder
from sfumato.know.statistics import probability as statistics
from sfumato.protect.disclosure.catalogue import Catalogue, Knowledge, WeightedIndex, default
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

TEXT = "Breast cancer, radiotherapy, mastectomy; a table, Miami and Zorblatt Xyzzy."
SAID = ["Breast cancer", "radiotherapy", "mastectomy", "table", "Miami", "Zorblatt Xyzzy"]


def made_of(text: str, found: list[Occurrence], **given: object) -> Assessment:
    settings = AssessmentSettings(**given)  # type: ignore[arg-type]
    return make_case(text, found, catalogue_for(default(), settings), settings)


def case(shown: dict[str, str], **settings: object) -> Assessment:
    found = [
        Occurrence(
            TEXT.index(s), TEXT.index(s) + len(s), s, "", Shown(shown[s]) if s in shown else None
        )
        for s in SAID
    ]
    return made_of(TEXT, found, **settings)


def ladder_of(term: str) -> Ladder:
    return ladder(default().chain, term, 0, len(term))


def levels(made: Assessment) -> dict[str, str]:
    solution = sanitize(made.problem)
    return {made.word(i, 0): made.word(i, level) for i, level in enumerate(solution.levels)}


def test_what_gives_a_diagnosis_away_is_softened_and_the_rest_stands() -> None:
    found = levels(case({"Breast cancer": ""}))
    assert found["mastectomy"] not in ("mastectomy", "")
    assert found["table"] == "table"
    assert found["Zorblatt Xyzzy"] == "Zorblatt Xyzzy"


def test_strategies_differ_in_what_becomes_of_terms() -> None:
    found = {
        name: levels(case({"Breast cancer": "disease"}, strategy=strategy))
        for name, strategy in STRATEGIES.items()
    }
    assert found["S3"]["mastectomy"] == ""
    assert found["S4"]["mastectomy"] not in ("", "mastectomy")
    assert found["S3"]["Breast cancer"] == found["S1"]["Breast cancer"] == ""
    assert found["S2"]["Breast cancer"] not in ("", "Breast cancer")
    assert found["S5"]["Breast cancer"] not in ("", "Breast cancer")
    assert found["S5"]["mastectomy"] not in ("", "mastectomy")


def test_no_term_tells_more_than_there_is_to_know() -> None:
    problem = case(dict.fromkeys(SAID[:3], "thing")).problem
    targets = problem.targets()
    everything = sorted({r for t in problem.things for r in t.options})
    whole = problem.information([problem.row(t, 0) for t in targets])[:, None]
    for level in range(1, 4):
        trial = tuple(min(level, len(t.options)) for t in problem.things)
        assert (risks(problem, targets, trial, everything) <= whole + 1e-9).all()


def test_the_concepts_of_a_ladder_never_tell_more_on_the_way_up() -> None:
    rows = Catalogue(default())
    for term in ("radiotherapy", "mastectomy", "table", "Miami", "Florida", "jazz pianist"):
        options = rows.rows(ladder_of(term)).options
        bits = -np.log2(rows.counts.p(options[1:]))
        assert all(a >= b - 1e-9 for a, b in pairwise(bits.tolist()))


def test_a_term_that_the_statistics_do_not_know_is_not_assessed() -> None:
    made = case({"Zorblatt Xyzzy": ""})
    assert [made.word(i, 0) for i in made.not_assessed] == ["Zorblatt Xyzzy"]
    assert levels(made) == {s: s for s in SAID[:5]} | {"Zorblatt Xyzzy": ""}


@pytest.mark.parametrize(
    ("said", "kind"), [("1999", ""), ("14 May 2004", "DATE"), ("42", "AGE"), ("Miami", "ADDRESS")]
)
def test_of_values_and_codes_nothing_is_inferred(said: str, kind: str) -> None:
    made = made_of(said, [Occurrence(0, len(said), said, kind, Shown())])
    assert made.not_assessed == [0]


def test_counts_with_the_generalisation_leave_other_senses_out() -> None:
    plain, narrow = Catalogue(default()), Catalogue(default(), disambiguate=True)
    steps = ladder_of("cancer")
    p = [r.counts.p(r.rows(steps).options[:1])[0] for r in (plain, narrow)]
    assert 0 < p[1] < p[0]


def test_intrinsic_information_stands_in_for_counts() -> None:
    rows = Catalogue(default(), intrinsic=True)
    term = "severe zorblatt infection"
    (first, *_) = rows.rows(ladder_of(term)).options
    assert -np.log2(rows.counts.p([first])[0]) >= default().chain.ladder(term)[0].bits - 1e-9


def test_two_sources_are_blended_by_weight() -> None:
    (ours,) = default().sources
    halves = Knowledge(default().chain, (WeightedIndex(ours.statistics, ours.concepts, 1.0),) * 2)
    once, twice = Catalogue(default()), Catalogue(halves)
    a, b = ([r.rows(ladder_of(t)).options[0] for t in ("cancer", "Florida")] for r in (once, twice))
    assert twice.counts.p(b).tolist() == pytest.approx(once.counts.p(a).tolist())
    assert twice.counts.joint(b, b) == pytest.approx(once.counts.joint(a, a))
    assert twice.counts.joint_all(b) == pytest.approx(once.counts.joint_all(a))
    assert len(twice.counts.units(b[0])) == 2 * statistics.default().count("cancer")
    assert twice.counts.p([0])[0] == 1.0


def test_mentions_of_one_thing_are_one_thing_but_a_hidden_one_and_one_in_the_open_are_two() -> None:
    text = "Tumours and a tumour or tumour"
    found = [
        Occurrence(0, 7, "Tumours"),
        Occurrence(14, 20, "tumour", shown=Shown("growth")),
        Occurrence(24, 30, "tumour"),
    ]
    made = made_of(text, found)
    assert made.thing_of == (0, 1, 0)
    assert made.word(1, made.problem.start[1]) == "growth"
    assert levels(made)["Tumours"] != "Tumours"


def test_words_that_are_on_no_ladder_are_put_below_their_own() -> None:
    text = "Zorblatt Xyzzy"
    found = [
        Occurrence(0, 14, text, shown=Shown("hospital")),
        Occurrence(0, 14, "Ann", shown=Shown("foo bar baz")),
    ]
    made = made_of(text, found)
    assert made.word(0, made.problem.start[0]) == "hospital"
    assert len(made.ladders[0]) > 2
    assert made.word(1, made.problem.start[1]) == "foo bar baz"


def test_a_phrase_that_nobody_knows_loses_its_modifiers_a_name_does_not() -> None:
    assert [r.words for r in ladder_of("big zorblatt xyzzy")] == [
        "big zorblatt xyzzy",
        "zorblatt xyzzy",
        "xyzzy",
    ]
    assert [r.words for r in ladder_of("Big Zorblatt")] == ["Big Zorblatt"]


def test_the_threshold_is_a_setting() -> None:
    lenient = case({"Breast cancer": ""}, threshold=Threshold("bits", 50))
    assert levels(lenient)["mastectomy"] == "mastectomy"


def test_terms_of_other_sentences_are_left_alone() -> None:
    text = "He had breast cancer. She had a mastectomy."
    found = [
        Occurrence(7, 20, "breast cancer", shown=Shown()),
        Occurrence(32, 42, "mastectomy"),
    ]
    assert levels(made_of(text, found, unit="sentence"))["mastectomy"] == "mastectomy"
    assert levels(made_of(text, found))["mastectomy"] != "mastectomy"


def test_pairs_seen_too_rarely_are_no_evidence() -> None:
    shown = {"Breast cancer": ""}
    assert levels(case(shown, support=100_000))["mastectomy"] == "mastectomy"


def test_a_hidden_thing_stands_where_another_name_of_it_does() -> None:
    text = "She left Vienna. In Wien the waltz is danced. In Leeds it is not."
    said = [("Vienna", "LOC"), ("Wien", "LOC"), ("waltz", ""), ("Leeds", "LOC")]
    found = [
        Occurrence(at := text.index(s), at + len(s), s, kind, Shown() if kind else None)
        for s, kind in said
    ]
    contexts = made_of(text, found, unit="sentence").problem.contexts
    assert [(c.targets, c.members) for c in contexts] == [
        ((0, 1), (0, 1)),
        ((0, 1), (0, 1, 2)),  # "Wien" in this sentence tells of Vienna as well
        ((3,), (3,)),
    ]
