from __future__ import annotations

import pytest

from sfumato.detect.noun_phrases import TaggedWord, noun_phrases, phrases_of


def tagged(marked: str) -> tuple[str, list[TaggedWord]]:
    words, text = [], ""
    for item in marked.split():
        word, _, tag = item.rpartition("/")
        words.append(TaggedWord(len(text), len(text) + len(word), tag))
        text += word + " "
    return text, words


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("the/DET severe/ADJ chest/NOUN infections/NOUN", ["severe chest infection"]),
        ("two/NUM tumours/NOUN and/CCONJ several/ADJ cysts/NOUN", ["tumour", "cyst"]),
        ("Liver/PROPN Clinic/PROPN of/ADP Leeds/PROPN", ["Liver Clinic", "Leeds"]),
        ("she/PRON was/AUX very/ADV ill/ADJ", []),
        ("other/ADJ", []),
    ],
)
def test_phrases_are_stripped_and_normalised(marked: str, expected: list[str]) -> None:
    assert [p.normal for p in phrases_of(*tagged(marked))] == expected


def test_a_phrase_does_not_cross_punctuation_or_paragraphs() -> None:
    text = "fever, cough\n\npain"
    words = [
        TaggedWord(0, 5, "NOUN"),
        TaggedWord(5, 6, "PUNCT"),
        TaggedWord(7, 12, "NOUN"),
        TaggedWord(14, 18, "NOUN"),
    ]
    assert [text[p.start : p.end] for p in phrases_of(text, words)] == ["fever", "cough", "pain"]


def test_the_encoder_reads_noun_phrases() -> None:
    text = "The patient received intravenous antibiotics for a severe chest infection."
    seen = [p.normal for p in noun_phrases(text)]
    assert "severe chest infection" in seen
    assert "patient" in seen
    assert all(text[p.start : p.end].strip() for p in noun_phrases(text))
    assert noun_phrases("") == []
