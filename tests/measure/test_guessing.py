from __future__ import annotations

import math

import pytest

from sfumato.document import Term
from sfumato.measure import guess_terms
from sfumato.measure.guessing import pool_of, summarise

TEXT = "He went to the Louvre and lives in Paris."
PLACE = Term(35, 40, "LOC", 1.0, "test")
CITIES = {"LOC": ["Oslo", "Madrid", "Paris", "Miami", "Tokyo"]}


def test_what_is_left_gives_a_hidden_term_away() -> None:
    (found,) = guess_terms(TEXT, "He went to the Louvre and lives in [LOC].", [PLACE], pool=CITIES)
    assert (found.rank, found.candidates) == (1, 5)
    assert found.chance > 1 / 5


def test_without_anything_left_all_candidates_are_equal() -> None:
    (found,) = guess_terms("Paris", "[LOC]", [Term(0, 5, "LOC", 1.0, "test")], pool=CITIES)
    assert found.chance == pytest.approx(1 / 5)
    assert found.entropy == pytest.approx(math.log2(5))
    assert found.rank == 5


def test_a_generalisation_leaves_what_is_below_it() -> None:
    (found,) = guess_terms("hashish", "soft drug", [Term(0, 7, "TERM", 1.0, "test")])
    assert found.candidates == 4
    assert found.chance == pytest.approx(1 / 4)
    assert found.entropy == pytest.approx(2)


def test_candidates_too_many_to_list_count_as_no_evidence() -> None:
    text = "She is a surgeon at the hospital."
    (found,) = guess_terms(text, "She is a person at the hospital.", [Term(9, 16, "TERM", 1, "t")])
    assert found.candidates > 1000
    assert 0 < found.chance < 0.01
    assert 0 < found.entropy <= math.log2(found.candidates) + 1e-9


def test_what_stands_in_the_open_is_not_guessed() -> None:
    assert guess_terms(TEXT, TEXT, [PLACE], pool=CITIES) == []


def test_a_thing_is_guessed_once() -> None:
    text = "Paris, Paris and PARIS"
    terms = [Term(0, 5, "LOC", 1, "t"), Term(7, 12, "LOC", 1, "t"), Term(17, 22, "LOC", 1, "t")]
    assert len(guess_terms(text, "[A], [A] and [A]", terms, pool=CITIES)) == 1


@pytest.mark.parametrize(
    ("kind", "pool"), [("CODE", {"CODE": ["a", "b"]}), ("MRN", {}), ("MISC", {"MISC": ["X17"]})]
)
def test_what_nobody_can_list_is_not_assessed(kind: str, pool: dict[str, list[str]]) -> None:
    (found,) = guess_terms("X17", "[X]", [Term(0, 3, kind, 1.0, "test")], pool=pool)
    assert not found.assessed
    summary = summarise([found])
    assert (summary.hidden, summary.assessed, summary.chance) == (1, 0, None)


def test_a_pool_holds_each_term_once_by_kind() -> None:
    terms = [Term(0, 5, "LOC", 1, "t"), Term(6, 11, "LOC", 1, "t"), Term(12, 15, "PERSON", 1, "t")]
    assert pool_of([("Paris PARIS Ann", terms)]) == {"LOC": ["Paris"], "PERSON": ["Ann"]}


def test_chances_and_entropy_keep_their_bounds() -> None:
    found = guess_terms(TEXT, "He went to [X] and lives in [X].", [PLACE], pool=CITIES)
    for guess in found:
        assert 0 < guess.chance <= 1
        assert 0 <= guess.entropy <= math.log2(guess.candidates) + 1e-9
        assert 1 <= guess.rank <= guess.candidates
