from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.facts.redactions import _common_runs, align, find_redactions
from tests.strategies import examples

STYLES: dict[str, Callable[[list[str]], str]] = {
    "label": lambda words: "[PERSON]",
    "angles": lambda words: "<NAME_3>",
    "braces": lambda words: "{DATE}",
    "black": lambda words: " ".join("█" * len(w) for w in words),
    "crosses": lambda words: "XXXX",
    "stars": lambda words: "*****",
    "blank": lambda words: "____",
    "removed": lambda words: "",
    "words": lambda words: "somebody else",
}
ORDINARY = [
    f"{a}{b}" for a in ("lor", "ips", "dol", "sit", "ame") for b in ("em", "um", "or", "is", "et")
]


@st.composite
def redacted(
    draw: st.DrawFn, words: list[str] | None = None
) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Words, and some runs of them, apart from each other, with a style each."""
    said = draw(st.lists(st.sampled_from(words), min_size=8, max_size=60)) if words else None
    said = said or [f"w{i}" for i in range(draw(st.integers(8, 60)))]
    runs, at = [], 0
    while at < len(said):
        at += draw(st.integers(3, 12))
        length = draw(st.integers(1, 3))
        if at + length >= len(said):
            break
        runs.append((at, at + length, draw(st.sampled_from(sorted(STYLES)))))
        at += length
    return said, runs


def written(said: list[str], runs: list[tuple[int, int, str]]) -> str:
    made, at = [], 0
    for start, end, style in runs:
        made += [*said[at:start], STYLES[style](said[start:end])]
        at = end
    return " ".join([*made, *said[at:]])


@given(redacted())
def test_what_was_hidden_is_found_to_the_word(
    case: tuple[list[str], list[tuple[int, int, str]]],
) -> None:
    said, runs = case
    original = " ".join(said)
    found = align(original, written(said, runs))
    assert [original[h.start : h.end] for h in found] == [" ".join(said[a:b]) for a, b, _ in runs]
    assert [h.shown for h in found] == [STYLES[s](said[a:b]) for a, b, s in runs]
    assert [h.label for h in found] == [s != "words" for *_, s in runs]


@given(redacted(ORDINARY))
@examples(200)
def test_words_that_come_again_are_not_confused(
    case: tuple[list[str], list[tuple[int, int, str]]],
) -> None:
    said, runs = case
    original, changed = " ".join(said), written(said, runs)
    pieces, at = [], 0
    for h in align(original, changed):
        pieces += [original[at : h.start], h.shown]
        at = h.end
    rebuilt = "".join([*pieces, original[at:]])
    # Between two removals it may be open which of equal words went; what is left is the same.
    assert rebuilt.split() == changed.split()


@given(st.text(st.characters(), max_size=80))
def test_a_text_is_a_version_of_itself(text: str) -> None:
    assert align(text, text) == []


@given(st.text(st.characters(), max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    spans = [(r.start, r.end) for r in find_redactions(text)]
    assert spans == sorted(spans)
    assert all(0 <= a < b <= len(text) for a, b in spans)


def test_what_stands_in_a_words_place_is_known() -> None:
    (hidden,) = align("He has lung cancer now.", "He has ██ now.")
    assert (hidden.start, hidden.end, hidden.shown) == (7, 18, "██")
    (hidden,) = align("He has lung cancer", "He has")
    assert (hidden.start, hidden.end, hidden.shown) == (7, 18, "")


def test_two_redactions_side_by_side_are_one_span() -> None:
    (hidden,) = align("Ann Lee 12 May left", "[NAME] [DATE] left")
    assert (hidden.shown, hidden.kind) == ("[NAME] [DATE]", "")


def test_a_label_of_the_original_is_none_of_the_redacted_version() -> None:
    (hidden,) = align("Dear [NAME], Ann left.", "Dear [NAME], XXXX left.")
    assert hidden.shown == "XXXX"


def test_a_label_that_was_put_in_hides_nothing() -> None:
    assert align("He left at noon.", "He left [REDACTED] at noon.") == []


def test_everything_may_be_hidden() -> None:
    (hidden,) = align("Ann has flu", "████████")
    assert (hidden.start, hidden.end) == (0, 11)


@pytest.mark.parametrize(
    ("original", "version", "place"),
    [
        ("The patient was seen on Monday.", "Quite another letter\nabout other things.", "1:1"),
        (
            "One two three four five six seven eight nine ten.",
            "One two three four\nfive six and then a long new story begins here seven eight nine ten.",
            "2:10",
        ),
    ],
)
def test_a_text_that_is_no_version_is_refused_with_the_place(
    original: str, version: str, place: str
) -> None:
    with pytest.raises(InputError, match=f"part at {re.escape(place)};") as caught:
        align(original, version, name="b.txt")
    assert str(caught.value).startswith("b.txt is not a version")
    assert "letter" not in str(caught.value)


def test_long_texts_are_aligned() -> None:
    said = random.Random(3).choices(ORDINARY, k=16_000)
    runs = [(at, at + 2, "black") for at in range(50, 15_900, 37)]
    original, changed = " ".join(said), written(said, runs)
    assert len(original) > 80_000
    found = align(original, changed)
    assert [original[h.start : h.end] for h in found] == [" ".join(said[a:b]) for a, b, _ in runs]


def test_a_text_that_repeats_itself_all_along_is_aligned() -> None:
    said = [ORDINARY[i % 10] for i in range(3000)]
    runs = [(at, at + 2, "label") for at in range(50, 2900, 37)]
    original = " ".join(said)
    found = align(original, written(said, runs))
    assert [original[h.start : h.end] for h in found] == [" ".join(said[a:b]) for a, b, _ in runs]


def test_a_text_of_which_nearly_everything_is_other_words_is_refused() -> None:
    rng = random.Random(4)
    original, other = (" ".join(rng.choices(ORDINARY, k=2000)) for _ in range(2))
    with pytest.raises(InputError, match="part at 1:"):
        align(original, other.upper() + " " + original[:40])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("[PERSON] met [LOCATION_2]", ["PERSON", "LOC"]),
        ("<EMAIL_ADDRESS> and <US_SSN>", ["EMAIL", "SSN"]),
        ("[**Name 12**] on [**2010-5-1**]", ["PERSON", ""]),
        ("{{NAME}} {DATE}", ["PERSON", "DATE"]),
        ("[Person 1] and [sic] and [Redacted]", ["PERSON", ""]),
        ("born XX/XX/XXXX, SSN XXX-XX-1234", ["", ""]),
        ("J██████ and ████ ████ and ■■■", ["", "", ""]),
        ("Mr. K***** and #####", ["", ""]),
        ("signed ________", [""]),
        ("(REDACTED) was (here)", [""]),
        ("[MRN], [CREDIT CARD], [DIAGNOSIS]", ["MRN", "CARD", "DISEASE"]),
        ("a [1] b [x] c <p> <br> {x} XX xx **bold** __init__ # heading", []),
        ("above\n*****\nbelow\n### Heading\n", []),
    ],
)
def test_labels_and_boxes_of_many_tools(text: str, kinds: list[str]) -> None:
    assert [r.kind for r in find_redactions(text)] == kinds


def test_the_same_words_on_and_on_are_not_compared_with_each_other() -> None:
    """Where no run of words stands once, and very much differs."""
    words = random.Random(1).choices([f"w{n}" for n in range(150)], k=20_000)
    others = [word if at % 3 else f"x{at % 150}" for at, word in enumerate(words)]
    assert [*_common_runs(words, others, 0, 0)] == []
    few = words[:2_000]
    assert len([*_common_runs(few, [w for w in few if w != "w7"], 0, 0)]) > 1_900
