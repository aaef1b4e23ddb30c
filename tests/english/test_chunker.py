from __future__ import annotations

import pytest

from sfumato.english import chunker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo", ["one", "\n", "two"]),
        ("one\ntwo\n\nthree", ["one", "two", "\n", "three"]),
        ("O'Neil & co-op, AT&T", ["O'Neil", "&", "co", "op", ",", "AT&T"]),
        ("J. K. Rowling", ["J.", "K.", "Rowling"]),
        ("the U.S. Army", ["the", "U.S.", "Army"]),
        (
            "10,000.5 snake_case — 1914–18 - x",
            ["10,000.5", "snake", "case", "—", "1914", "18", "-", "x"],
        ),
    ],
)
def test_how_a_text_is_cut(text: str, expected: list[str]) -> None:
    assert chunker.cut(text) == expected


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("the acute liver failure", {"acute liver", "liver failure", "acute liver failure"}),
        ("Lord of the Rings", {"lord of the ring"}),
        ("lord of the rings", set()),
        ("quality of life", {"quality of life"}),
        ("patient treated quickly", set()),
        ("Manchester United", {"manchester united"}),
        ("Apollo 11", {"apollo 11"}),
        ("room 11", set()),
        ("MRIs made", set()),
        ("liver. cancer", set()),
    ],
)
def test_which_phrases_are_candidates(text: str, phrases: set[str]) -> None:
    assert {t for t in chunker.candidates(text) if " " in t} == phrases
