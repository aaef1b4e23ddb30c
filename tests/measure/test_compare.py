from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import sanitize
from sfumato.errors import InputError
from sfumato.measure import compare_texts, measure_texts
from tests.conftest import EXAMPLES

NOTES = [
    "Ann Lee of Boston wrote to ann@example.org about her lung cancer.",
    "Bob Ray of Oslo plays chess and takes aspirin for his headache.",
    "Cem Kaya of Ankara bakes bread and has diabetes.",
]


def test_a_report_says_the_same_as_its_parts() -> None:
    after = [sanitize(note).text for note in NOTES]
    report = measure_texts(NOTES, after)
    assert len(report.texts) == 3
    assert 0 < report.information_kept < 100
    assert report.kinds["EMAIL"].hidden == 1
    assert report.terms_left == 0
    assert report.guessed.hidden > 0
    assert report.found_again is not None
    assert report.found_again.top_1.of == 3
    assert report.accuracy is None
    assert [row["name"] for row in report.rows()] == ["text 1", "text 2", "text 3"]


def test_unchanged_texts_are_kept_and_found() -> None:
    report = measure_texts(NOTES, NOTES)
    assert report.information_kept == 100
    assert report.terms_left == 1
    assert report.found_again is not None
    assert report.found_again.top_1.rate == 1
    assert report.edits.edits == 0
    assert report.guessed.hidden == 0
    assert report.reading_ease is not None
    assert report.reading_ease[0] == report.reading_ease[1]


def test_a_report_for_json_holds_no_text() -> None:
    text = (EXAMPLES / "discharge-note.txt").read_text()
    report = measure_texts(text, sanitize(text).text)
    said = json.dumps(report.as_dict()) + json.dumps(report.rows()) + repr(report)
    assert "Holloway" in text
    assert "Holloway" not in said
    assert report.found_again is None


def test_labels_add_the_accuracy_of_a_classifier() -> None:
    notes = [*NOTES] * 4
    report = measure_texts(notes, notes, labels=["a", "b", "b"] * 4)
    assert report.accuracy is not None
    assert report.accuracy.kept == 1.0
    assert report.as_dict()["accuracy"]["kept"] == 1.0


def test_sanitizers_are_compared_on_the_same_terms(tmp_path: Path) -> None:
    reports = compare_texts(NOTES, {"as it is": NOTES, "ours": [sanitize(n).text for n in NOTES]})
    kept, ours = reports["as it is"], reports["ours"]
    assert {k: v.terms for k, v in kept.kinds.items()} == {
        k: v.terms for k, v in ours.kinds.items()
    }
    assert kept.terms_left == 1
    assert ours.terms_left == 0
    assert kept.information_kept > ours.information_kept


def test_there_must_be_something_to_compare() -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        compare_texts(NOTES, {})


def test_texts_without_words_have_no_reading_ease() -> None:
    report = measure_texts("—", "…")
    assert report.reading_ease is None
    assert report.terms_left == 0
