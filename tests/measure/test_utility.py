from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from sfumato.document import Document, Edit, Term, render
from sfumato.measure import information_kept_score, ncp_score, terms_kept
from sfumato.measure.utility import (
    KindKept,
    below,
    certainty_penalty,
    fates,
    information_kept,
    kinds_kept,
    knowledge,
)
from tests.strategies import edited

TEXT = "She smokes marijuana for phantom limb pain in Boston."


def test_nothing_changed_keeps_everything() -> None:
    assert information_kept_score(TEXT, TEXT) == 100
    assert ncp_score(TEXT, TEXT) == 0


def test_everything_hidden_keeps_nothing() -> None:
    bare = "She smokes [X] for [X] in [X]."
    assert information_kept_score(TEXT, bare) == 0
    assert ncp_score(TEXT, bare) == 1


def test_a_more_general_word_keeps_less() -> None:
    scores = [
        information_kept_score(TEXT, TEXT.replace("marijuana", said))
        for said in ("marijuana", "soft drug", "drug", "[TERM]")
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4
    penalties = [
        ncp_score(TEXT, TEXT.replace("marijuana", said))
        for said in ("marijuana", "soft drug", "drug", "[TERM]")
    ]
    assert penalties == sorted(penalties)


def test_an_invented_name_and_a_label_keep_nothing_of_a_name() -> None:
    for said in ("[PERSON]", "<PERSON_1>", "Ruth Brown"):
        (fate,) = fates("Ann Lee", said, [Term(0, 7, "PERSON", 1.0, "test")])
        assert (fate.how, fate.bits_kept) == ("hidden", 0.0)


def test_a_place_may_be_generalised_along_any_of_its_senses() -> None:
    (fate,) = fates("in Boston", "in Massachusetts", [Term(3, 9, "LOC", 1.0, "test")])
    assert fate.how == "generalised"
    assert fate.rung is not None
    assert fate.rung.words == "Massachusetts"
    assert 0 < fate.bits_kept < fate.bits
    assert fate.ncp is not None
    assert 0 < fate.ncp < 1


def test_a_date_reduced_to_its_year_is_generalised() -> None:
    (fate,) = fates("on 14 May 2004", "on 2004", [Term(3, 14, "DATE", 1.0, "test")])
    assert fate.how == "generalised"


def test_words_that_are_left_keep_their_own_bits() -> None:
    text, after = "Heavitree Smithfield House", "█ █ House"
    (fate,) = fates(text, after, [Term(0, len(text), "ORG", 1.0, "test")])
    assert fate.how in ("shortened", "generalised")
    assert 0 < fate.bits_kept < fate.bits


@settings(max_examples=30)
@given(edited())
def test_scores_keep_their_bounds(made: tuple[Document, list[Edit]]) -> None:
    document, edits = made
    found = fates(document.text, render(document, edits))
    assert 0 <= information_kept(found) <= 100
    penalty = certainty_penalty(found)
    assert penalty is None or 0 <= penalty <= 1
    assert all(0 <= f.bits_kept <= f.bits for f in found)


def test_a_concept_without_a_number_has_nothing_below() -> None:
    assert below(knowledge().chain, "calendar:2004-05", 5) == []
    assert below(knowledge().chain, "", 5) == []


def test_texts_without_terms_lose_nothing() -> None:
    assert information_kept_score("…", "…") == 100
    assert math.isnan(ncp_score("…", "…"))


def test_terms_are_counted_by_kind() -> None:
    before = "Write to ann@example.org or bob@example.org on 14 May 2004"
    after = "Write to [EMAIL] or bob@example.org on May 2004"
    found = terms_kept(before, after)
    assert found["EMAIL"] == KindKept(2, 1, 0)
    assert found["EMAIL"].hidden == 1
    assert found["DATE"] == KindKept(1, 0, 1)


def test_a_detector_of_ones_own_says_what_counts() -> None:
    def find(document: Document) -> list[Term]:
        return [Term(0, 3, "NAME", 1.0, "mine")]

    assert terms_kept("Ann left", "Ann left", find) == {"NAME": KindKept(1, 1, 0)}
    assert kinds_kept([]) == {}


def test_a_concept_counts_for_its_specialisations() -> None:
    known = knowledge()
    ladder = known.chain.ladder("marijuana")
    assert known.bits("marijuana") > 0
    (fate,) = fates("marijuana", ladder[-1].term, [Term(0, 9, "TERM", 1.0, "t")])
    assert fate.bits_kept < known.bits("marijuana")
    assert fate.ncp == pytest.approx(1)
