"""Naive Bayes on binary bags of words, checked against the formula; labels, word lists, detectors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Document, Term
from sfumato.errors import InputError
from sfumato.measure import Detected, WordList, sensitivity, spi_score
from sfumato.measure.sensitivity import cross_validate, default, load, read_labels, train

LABELLED = [("hiv test", True), ("hiv rash rash", True), ("pizza test", False), ("snow", False)]
DOCUMENTS = st.lists(st.sampled_from(["hiv", "rash", "pizza", "snow", "test", "new"]), max_size=5)


def formula(document: str) -> float:
    """P(sensitive | words), written out over the vocabulary."""
    vocabulary = sorted({w for text, _ in LABELLED for w in text.split()})
    said = set(document.split())
    joint = {}
    for truth in (True, False):
        texts = [set(text.split()) for text, label in LABELLED if label is truth]
        chances = ((sum(w in t for t in texts) + 1) / (len(texts) + 2) for w in vocabulary)
        parts = [p if w in said else 1 - p for w, p in zip(vocabulary, chances, strict=True)]
        joint[truth] = len(texts) / len(LABELLED) * math.prod(parts)
    return joint[True] / (joint[True] + joint[False])


@given(DOCUMENTS)
def test_probabilities_are_bernoulli_naive_bayes(words: list[str]) -> None:
    document = " ".join(words)
    assert train(LABELLED).probability(document) == pytest.approx(formula(document))


def test_probabilities_are_scikit_learns() -> None:
    bayes = pytest.importorskip("sklearn.naive_bayes").BernoulliNB(alpha=1.0)
    vectors = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer(binary=True)
    texts = [text for text, _ in LABELLED]
    bayes.fit(vectors.fit_transform(texts), [label for _, label in LABELLED])
    asked = ["hiv", "pizza rash", "nothing known", *texts]
    theirs = bayes.predict_proba(vectors.transform(asked))[:, 1]
    assert train(LABELLED).probabilities(asked) == pytest.approx(theirs)


def test_a_word_counts_once_and_whatever_its_case() -> None:
    model = train(LABELLED)
    assert model.probability("HIV hiv") == model.probability("hiv")


def test_rare_words_can_be_left_out() -> None:
    assert set(train(LABELLED, least=2).counts) == {"hiv", "test"}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", True), ("b", True)], "all 2 documents are labelled sensitive"),
        ([("a", False)], "all 1 documents are labelled not sensitive"),
        ([], "no labelled documents"),
    ],
)
def test_one_class_is_no_training_set(rows: list[tuple[str, bool]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        train(rows)
    with pytest.raises(InputError, match="both kinds"):
        read_labels([(text, str(label)) for text, label in rows])


def test_smoothing_is_above_0() -> None:
    with pytest.raises(InputError, match="above 0"):
        train(LABELLED, smoothing=0)


def test_a_model_is_saved_as_json_and_comes_back(tmp_path: Path) -> None:
    model = train(LABELLED, about={"documents": 4})
    path = tmp_path / "own.json"
    path.write_text(model.to_json())
    assert load(path) == model
    assert load(path).to_json() == model.to_json()


@pytest.mark.parametrize("content", [b"", b"{}", b'{"layout": "other"}', b"\xff", b"[]"])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no sensitivity model of this version"):
        load(path)
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "none.json")


def test_cross_validation_does_not_depend_on_the_order() -> None:
    rows = [(f"hiv case {n}", True) for n in range(20)] + [(f"pizza {n}", False) for n in range(30)]
    assert cross_validate(rows) == cross_validate(rows[::-1])
    assert cross_validate(rows).accuracy == 1


def test_cross_validation_of_labels_that_words_do_not_explain_is_bad() -> None:
    rows = [("same words", True)] * 20 + [("same words", False)] * 30
    assert cross_validate(rows).accuracy == pytest.approx(0.6, abs=0.05)


def test_groups_are_not_split() -> None:
    # Each word is in one group only: what is held out has never been seen.
    rows = [(f"word{n % 10}", True) for n in range(40)] + [
        (f"thing{n % 10}", False) for n in range(40)
    ]
    assert cross_validate(rows).accuracy == 1
    assert cross_validate(rows, groups=[text for text, _ in rows]).accuracy < 0.9


def test_too_few_documents_cannot_be_split() -> None:
    with pytest.raises(InputError, match="too few to be split 10 ways"):
        cross_validate(LABELLED)


def test_labels_are_said_in_several_ways(tmp_path: Path) -> None:
    said = ["yes", "TRUE", "1", "Sensitive", "no", "false", "0", "not sensitive"]
    path = tmp_path / "labels.csv"
    path.write_text("document,sensitive\n" + "".join(f"d{n},{v}\n" for n, v in enumerate(said)))
    assert [truth for _, truth in read_labels(path)] == [True] * 4 + [False] * 4


@pytest.mark.parametrize(
    ("row", "said"),
    [("secret,maybe", "labels.csv: row 1: 'sensitive' is none of"), (",yes", "row 1: 'document'")],
)
def test_a_bad_label_is_named_by_its_row(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"document,sensitive\n{row}\n")
    with pytest.raises(InputError) as caught:
        read_labels(path)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_the_shipped_model_says_how_good_it_is() -> None:
    model = default()
    assert model.about is not None
    assert model.about["cross_validation"]["accuracy"] > 0.78  # the paper's classifier
    assert model.about["sentences_not_trained_on"]["accuracy"] > 0.78
    yes = model.probabilities(["i was diagnosed with herpes", "addicted to heroin"])
    no = model.probabilities(["easy pancakes recipe", "snow forecast tomorrow"])
    assert (yes > 0.8).all()
    assert (no < 0.1).all()


def test_the_shipped_model_is_as_good_as_it_says() -> None:
    sentences = Path(__file__).parents[2] / "scripts" / "sensitive_sentences.txt"
    rows = [line for line in sentences.read_text().splitlines() if line[:2] in ("+ ", "- ")]
    guesses = default().probabilities([row[2:] for row in rows]) >= 0.5
    truth = np.array([row[0] == "+" for row in rows])
    about = default().about
    assert about is not None
    assert (guesses == truth).mean() == about["sentences_not_trained_on"]["accuracy"]


def test_telling_words_are_those_of_sensitive_documents() -> None:
    assert train(LABELLED).telling_words(3) == ["hiv"]


def test_models_lists_and_detectors_weigh_documents() -> None:
    before = [("ann", "hiv test"), ("ann", "pizza")]
    assert spi_score(before, [], sensitivity=WordList(["HIV"])) == 0.5
    assert spi_score(before, [], sensitivity=WordList(["hiv"], sigma=0.5)) == 0.75
    model = train(LABELLED)
    weights = 1 - model.probabilities(["hiv test", "pizza"])
    assert spi_score(before, [], sensitivity=model) == pytest.approx(weights.mean())

    def find(document: Document) -> list[Term]:
        terms = [Term(0, 3, "DISEASE", 0.5, "test"), Term(4, 8, "TEST", 0.5, "test")]
        return terms if "hiv" in document.text else []

    assert Detected(find).probabilities(["hiv test", "pizza"]).tolist() == [0.75, 0.0]


def test_numbers_count_by_their_length() -> None:
    assert sensitivity.words("tel 4471 and 8820") == {"tel", "<4 digits>", "and"}
