"""Names that are words: what stands in small letters is a word where the text writes properly, else the name."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.english.ordinary import is_ordinary
from sfumato.english.small_words import is_small_word, stands_as_word


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Tom Baker called. Mr Baker bought a baker's dozen.", "a baker's dozen"),
        ("Mrs Earl is not an earl. Dear Mrs Earl, thank you.", "is not an earl."),
        ("Ms Dally wrote: I like to dilly dally.", "dilly dally."),
        ("Chuck Norton said: just chuck it in the bin.", "just chuck it in the bin."),
        ("Mr Cooper is no cooper by trade and Mr Mason is a mason.", "a mason."),
        ("Mary Walker moves with a walker.", "with a walker."),
        ("Ms Turner: This is a real page turner.", "page turner."),
        ("Anna Carter (72) lives above the carter's yard.", "the carter's yard."),
    ],
)
def test_a_word_in_small_letters_is_no_name(text: str, stands: str) -> None:
    shown = sanitize(text, "default").text
    assert stands in shown
    assert text.split()[1].strip(".,:") not in shown


@pytest.mark.parametrize(
    "text",
    [
        "Tom Baker called.\nmet baker at noon",
        "tom baker called.\nYesterday baker came again",
        "priya: tell Mr Baker\nsam: baker left\npriya: ok, baker it is",
        "Mr Baker was seen. The plan was explained and confirmed by baker himself.",
        "Mr Baker came. Then I spoke to baker about it.",
        "Mr Baker wrote from baker@example.org or example.org/baker or #baker or tbaker",
    ],
)
def test_whose_name_is_written_small_is_hidden(text: str) -> None:
    assert "baker" not in sanitize(text, "default").text


@pytest.mark.parametrize("name", ["Maria", "Anna", "Keller", "Jack", "Khan", "Burke", "Ben"])
def test_a_given_name_or_a_rare_word_hides_its_small_letters(name: str) -> None:
    word = name.lower()
    assert not stands_as_word(f"Then the {word} came.", 9, 9 + len(word))


def test_no_ordinary_word_is_in_the_list_of_names() -> None:
    assert is_ordinary("hunter")
    assert not is_small_word("a hunter", 2, 8)


def test_a_capital_is_always_the_name() -> None:
    assert not stands_as_word("A Baker came.", 2, 7)
    assert not stands_as_word("A BAKER came.", 2, 7)
