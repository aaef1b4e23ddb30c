from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import InputError
from sfumato.measure import accuracy_kept_score
from sfumato.measure.downstream import NaiveBayes, accuracy_kept, read_text_labels
from sfumato.measure.texts import TextPair

TOPICS = {"flu": "fever cough night", "bone": "broken arm plaster", "skin": "itching rash cream"}
TEXTS = [
    f"{word} visit {n}" for words in TOPICS.values() for n, word in enumerate(words.split() * 4)
]
LABELS = [topic for topic in TOPICS for _ in range(12)]


def pairs(after: list[str]) -> list[TextPair]:
    return [TextPair(str(n), a, b) for n, (a, b) in enumerate(zip(TEXTS, after, strict=True))]


def test_a_release_that_says_the_same_is_as_good() -> None:
    found = accuracy_kept(pairs(TEXTS), LABELS, folds=4)
    assert found.original == found.released == 1.0
    assert found.majority == pytest.approx(1 / 3)


def test_a_release_that_says_nothing_is_no_better_than_a_constant() -> None:
    found = accuracy_kept(pairs(["[X] visit"] * len(TEXTS)), LABELS, folds=4)
    assert found.released <= 0.5 < found.original
    assert found.kept == found.released / found.original


def test_the_likelier_label_is_chosen_and_absence_counts() -> None:
    model = NaiveBayes(
        ["red sweet", "red sweet", "red", "red"], ["apple", "apple", "brick", "brick"]
    )
    assert model.predict("sweet thing") == "apple"
    assert model.predict("red thing") == "brick"


@pytest.mark.parametrize(
    ("labels", "folds", "said"),
    [
        (["a"] * 36, 4, "same label"),
        (LABELS[:-1], 4, "35 labels for 36 texts"),
        (LABELS, 19, "too few"),
        (LABELS, 1, "too few"),
    ],
)
def test_bad_labels_are_answered_in_words(labels: list[str], folds: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        accuracy_kept_score(TEXTS, TEXTS, labels, folds=folds)


def test_labels_are_read_in_the_order_of_the_texts(tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("file,label\nb.txt,ill\na.txt,well\n")
    assert read_text_labels(table, ["a.txt", "b.txt"]) == ["well", "ill"]
    with pytest.raises(InputError, match=r"1 of 2 texts have no label, the first is c\.txt"):
        read_text_labels(table, ["a.txt", "c.txt"])
    table.write_text("file,label\nb.txt,ill\na.txt,ill\n")
    with pytest.raises(InputError, match="same label"):
        read_text_labels(table, ["a.txt", "b.txt"])
