"""Labels are known from what only looks like one."""

from __future__ import annotations

import pytest

from sfumato.policy import Label, load
from sfumato.policy.labels import Labels


@pytest.mark.parametrize(
    ("words", "is_label"),
    [
        ("[PERSON]", True),
        ("[PERSON 12]", True),
        ("[PLACE 3]", True),
        ("[PERSON-1]", True),  # in the name of a class
        ("[ORGANISATION 1]", True),
        ("[HEALTH CENTRE 2]", True),
        ("[NATIONALITY]", True),
        ("[DETAIL 1]", True),
        ("[DEM 1]", False),
        ("[MISC 1]", False),
        ("[HOSPITAL St Mary 1]", False),
        ("[St Mary's Hospital]", False),
        ("[TEACHER 1]", False),
        ("[PERSON 1", False),
        ("[Margaret Holloway]", False),
        ("[PERSON Ann]", False),
        ("", False),
    ],
)
def test_a_label_is_known(words: str, is_label: bool) -> None:
    assert Labels(load("default")).has(words) == is_label


def test_a_number_that_nobody_counted_to_is_no_labels() -> None:
    labels = Labels(load("default"))
    text = "[AGE 1] and [AGE 2] but [AGE 46]"
    assert [text[a:b] for a, b in labels.numbered(text)] == ["[AGE 1]", "[AGE 2]"]
    assert len(labels.spans(text)) == 3


def test_numbers_of_one_word_do_not_count_for_another() -> None:
    text = "[HOSPITAL 1], [SCHOOL 1] and [COURT 2]"
    assert [text[a:b] for a, b in Labels(load("default")).numbered(text)] == [
        "[HOSPITAL 1]",
        "[SCHOOL 1]",
    ]


def test_labels_of_ones_own_are_known_by_their_text() -> None:
    rules = load({"replace": {"PERSON": {"how": "label", "text": "<{kind}-{number}>"}}})
    labels = Labels(rules)
    assert labels.has("<PERSON-4>")
    assert labels.has("<PERSON>")
    assert not labels.has("[PERSON 4]")


@pytest.mark.parametrize(
    ("text", "number", "made"),
    [
        ("[{kind} {number}]", 2, "[PLACE 2]"),
        ("[{kind} {number}]", "", "[PLACE]"),
        ("[{kind}]", 2, "[PLACE]"),
        ("{number}. {kind}", 2, "2. PLACE"),
        ("gone", 1, "gone"),
    ],
)
def test_a_label_has_its_kind_and_number(text: str, number: int | str, made: str) -> None:
    label = Label(text=text)
    assert label.of("LOC", number) == made
    assert label.form("LOC").fullmatch(made)
