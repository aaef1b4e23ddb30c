from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.measure import reidentification_score, reidentify, wilson_interval
from sfumato.measure.attack import _Words

PEOPLE = {
    "Ann Lee": "Ann Lee plays chess in Oslo and teaches physics at the university.",
    "Bob Ray": "Bob Ray sells boats in Bergen and sings in a choir.",
    "Cem Kaya": "Cem Kaya bakes bread in Ankara and collects stamps.",
}


def test_a_text_as_it_is_gives_its_person_away() -> None:
    assert reidentification_score(PEOPLE, PEOPLE) == 1.0


def test_what_is_left_may_still_give_a_person_away() -> None:
    report = reidentify({"bob-ray": "[PERSON] sells boats and sings."}, PEOPLE)
    assert report.best.top_1.rate == 1.0
    assert report.suspects["bob-ray"][0].person == "Bob Ray"


def test_a_text_that_says_nothing_is_found_by_chance_at_best() -> None:
    report = reidentify({"Ann Lee": "[PERSON] [VERB] [THING]."}, PEOPLE)
    assert report.best.top_1.rate == 0.0
    assert report.best.ranks == (3,)


def test_labels_do_not_count_against_a_release() -> None:
    known = {**PEOPLE, "Org Person": "Org Person is a person of an org."}
    report = reidentify({"Bob Ray": "[PERSON] of [ORG] sells boats"}, known)
    assert report.best.top_1.rate == 1.0


def test_ties_do_not_count_as_found() -> None:
    known = {"Ann": "plays chess", "Bob": "plays chess", "Cem": "bakes"}
    assert reidentification_score({"Ann": "plays chess"}, known) == 0.0


def test_the_truth_may_be_told_apart_from_the_name() -> None:
    report = reidentify({"file 1": "sells boats", "file 2": "xyz"}, PEOPLE, {"file 1": "Bob Ray"})
    assert report.best.top_1.of == 1
    assert report.unknown == ("file 2",)
    assert json.loads(json.dumps(report.as_dict()))["not_in_background"] == ["file 2"]


@pytest.mark.parametrize(
    ("releases", "known", "said"),
    [
        ({}, PEOPLE, "no releases"),
        (PEOPLE, {"Ann Lee": "x"}, "fewer than two"),
        ({"Zoe": "x"}, PEOPLE, "no release is about a person"),
    ],
)
def test_bad_input_is_answered_in_words(
    releases: dict[str, str], known: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        reidentify(releases, known)


@given(
    st.lists(st.text("abc ", max_size=12), min_size=2, max_size=6),
    st.lists(st.text("abcd ", max_size=12), min_size=1, max_size=3),
)
def test_tf_idf_cosines_equal_those_of_dense_vectors(known: list[str], texts: list[str]) -> None:
    words = sorted({w for text in known for w in text.split()})
    count = np.array([[t.split().count(w) for w in words] for t in known], dtype=float)
    count = count.reshape(len(known), len(words))
    idf = np.log(len(known) / np.maximum((count > 0).sum(axis=0), 1))

    def vectors(lists: list[str]) -> NDArray[np.float64]:
        tf = np.array([[t.split().count(w) for w in words] for t in lists], dtype=float)
        tf = tf.reshape(len(lists), len(words))
        raw = np.where(tf > 0, 1 + np.log(np.maximum(tf, 1)), 0) * idf
        unit: NDArray[np.float64] = raw / np.maximum(
            np.linalg.norm(raw, axis=1, keepdims=True), 1e-12
        )
        return unit

    assert _Words(known).cosines(texts) == pytest.approx(
        vectors(texts) @ vectors(known).T, abs=1e-9
    )


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_intervals_hold_the_rate_and_equal_scipys(pair: tuple[int, int]) -> None:
    from scipy.stats import binomtest

    hits, of = pair
    low, high = wilson_interval(hits, of)
    assert low <= hits / of + 1e-12
    assert high >= hits / of - 1e-12
    theirs = binomtest(hits, of).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_an_interval_needs_tries() -> None:
    with pytest.raises(InputError):
        wilson_interval(0, 0)
