"""Signs that draw nothing, and marks upon digits, shield nothing that patterns find."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sfumato
from sfumato.detect.patterns.engine import Engine, Pattern
from sfumato.english.folding import fold, seen_through

SIGNS = [*"\u200b\u00ad\u2060\ufeff\u034f\u200c\u200d\u200e\u0301\u0338\ufe0f", "\U000e0041"]
TEXTS = [
    "SSN 078-05-1120 end",
    "Card 4111 1111 1111 1111 ok",
    "Card 4111111111111111 ok",
    "NHS 943 476 5919 ok",
    "born 1931-05-12 in",
    "born 12/05/1931 in",
    "aged 94 years",
    "Call 07700 900318 now",
    "Call +44 7700 900318 now",
    "Mail ann.lee77@example.org now",
    "IP 81.2.69.142 ok",
    "SSN 078-05-1120 and again 078-05-1120 end",
]
_LABEL = re.compile(r"\[[A-Z ]+ \d+\]|90 or older")


def _with(text: str, signs: dict[int, str]) -> str:
    return "".join(signs.get(at, "") + char for at, char in enumerate(text))


def _digits_left(text: str, profile: str) -> str:
    release = sfumato.sanitize(text, profile)
    assert sfumato.restore(release) == text
    return "".join(re.findall(r"\d", _LABEL.sub(" ", release.text)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_sign_at_any_place_shields_no_digit(text: str) -> None:
    for at in range(1, len(text)):
        sign = SIGNS[at % len(SIGNS)]
        assert not _digits_left(_with(text, {at: sign}), "hipaa-safe-harbor")


@given(
    st.sampled_from(TEXTS),
    st.dictionaries(st.integers(1, 40), st.text(st.sampled_from(SIGNS), min_size=1, max_size=3)),
    st.sampled_from(["hipaa-safe-harbor", "strict"]),
)
@example(TEXTS[0], dict.fromkeys(range(1, 19), "\u200b"), "strict")
@example(TEXTS[1], dict.fromkeys(range(1, 27), "\u0301\u00ad"), "strict")
def test_no_number_of_signs_shields_a_digit(text: str, signs: dict[int, str], profile: str) -> None:
    assert not _digits_left(_with(text, signs), profile)


@given(st.text(st.sampled_from([*SIGNS, *"7-x é"]), max_size=20))
def test_what_is_drawn_is_what_names_are_compared_by(text: str) -> None:
    seen = seen_through(text)
    assert seen.text == "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn"))
    assert fold(seen.text).text == fold(text).text
    places = range(len(text)) if seen.origin is None else seen.origin.tolist()
    assert seen.text == "".join(text[at] for at in places)


def test_a_term_has_the_signs_within_it_alone() -> None:
    engine = Engine((Pattern("it", "ID", r"\d\d-\d\d", 0.5, custom=True),))
    text = "a \u200b12\u00ad-\u200b34\u200b b, 56-7\u200b8\u0301"
    assert [text[t.start : t.end] for t in engine.find(text, "x")] == [
        "12\u00ad-\u200b34",
        "56-7\u200b8\u0301",
    ]


def test_a_pattern_may_ask_for_such_signs_and_they_may_part_words() -> None:
    engine = Engine((Pattern("it", "ID", r"e\x{301}7|\b\d\d\b", 0.5, custom=True),))
    found = engine.find("e\u03017, id\u200b94\u200bx", "x")
    assert [(t.start, t.end) for t in found] == [(0, 3), (8, 10)]


@pytest.mark.parametrize("sign", ["@", "＠", "@\u200b"])
@pytest.mark.parametrize("name", ["Mr Lee", "Dr Lee", "Mrs Margaret Holloway", "Prof. Okonedo"])
def test_a_name_with_a_title_behind_an_at_sign_is_released(sign: str, name: str) -> None:
    for text in (f"hello {sign}{name}", f"{sign}{name} wrote to us, and Mr Lee left"):
        release = sfumato.sanitize(text)
        assert name.split()[-1] not in release.text
        assert sfumato.restore(release) == text
