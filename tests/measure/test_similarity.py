from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from sfumato.measure import similarity_score
from sfumato.measure.similarity import text_similarity, text_vectors
from tests.strategies import clean_text

TEXT = "The patient has lung cancer. She takes morphine for the pain."


def test_the_less_is_said_the_less_similar() -> None:
    texts = [
        "The patient has lung cancer. She takes morphine for the pain.",
        "The patient has cancer. She takes a drug for the pain.",
        "The patient has [DISEASE]. She takes [DRUG] for [MISC].",
        "The weather was fine. They played football.",
    ]
    scores = [similarity_score(TEXT, text) for text in texts]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(1)


@given(clean_text, clean_text)
def test_it_is_between_0_and_1(one: str, two: str) -> None:
    assert 0 <= text_similarity(one, two) <= 1


def test_the_order_of_sentences_does_not_count() -> None:
    other = "She takes morphine for the pain. The patient has lung cancer."
    assert text_similarity(TEXT, other) == pytest.approx(1)


def test_sentences_of_unknown_words_count_as_they_stand() -> None:
    assert text_similarity("Qqxz 77.", "Qqxz 77.") == 1
    assert text_similarity("Qqxz 77.", "Qqxz 78.") == 0
    assert text_similarity("", "") == 1
    assert text_similarity("Ann is here.", "") == 0


def test_vectors_have_length_one_or_none() -> None:
    lengths = np.linalg.norm(text_vectors(["lung cancer", "qqxz"]), axis=1)
    assert lengths == pytest.approx([1, 0])


def test_labels_say_nothing() -> None:
    before = "Ann Lee has cancer."
    assert text_similarity(before, "[PERSON] has cancer.") == text_similarity(
        before, "█ has cancer."
    )
