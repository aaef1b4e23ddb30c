"""Signs that draw nothing, and marks upon digits, shield nothing that patterns find."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sfumato
from sfumato import formats
from sfumato.detect.patterns.engine import Engine, Pattern
from sfumato.document import changed, restored
from sfumato.english.folding import fold, seen_through
from sfumato.formats.text import drawn
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer

KEY = Key(bytes(32))
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


NOTES = [
    "He has tuberculosis. Later tuberculosis again, and depression.",
    "She takes isoniazid for diabetes mellitus.",
    "The leukaemia was treated; he is bisexual.",
]
NOTHING = [*"\xad\u200b\u2060\ufeff\u034f\u200c\u200d\ufe0f", "\u200b\xad", "\ufe0f\u2060\u200d"]
WRITTEN: dict[str, tuple[Callable[[str], str], list[str]]] = {
    "text": (lambda said: f"{said}\n", NOTHING),
    "html": (
        lambda said: f"<p>{said}</p>",
        [*NOTHING, "&shy;", "&#8203;", "<wbr>", "<b></b>", "<my-x>"],
    ),
    "json": (lambda said: json.dumps({"note": said}), NOTHING),
    "markdown": (lambda said: f"{said}\n", [*NOTHING, "&shy;", "<wbr>"]),
}


@pytest.mark.parametrize("profile", ["plausible", "undisclosed", "clinical"])
@pytest.mark.parametrize("format", WRITTEN)
def test_what_is_said_of_a_person_is_read_through_signs_that_draw_nothing(
    format: str, profile: str
) -> None:
    write, parts = WRITTEN[format]
    chance, made = random.Random(format), Sanitizer(profile, KEY)

    def released(said: str) -> str:
        document = formats.parse(write(said).encode(), name="a", format=format)
        release = made(document)
        assert restored(release.data, release.record) == document.file.encode()
        checks = sfumato.verify(release, profile, public_key=KEY.public, key=KEY)
        assert not [check for check in checks if check.refuses]
        return re.sub("<wbr>|<b></b>|<my-x>", "", release.data.decode())

    for note in NOTES:
        plain = released(note)
        within = [at for at in range(1, len(note)) if note[at - 1 : at + 1].isalpha()]
        for part in chance.sample(parts, 4):
            at = chance.choice(within)
            cut = released(note[:at] + part + note[at:])
            if any(sign in part for sign in ("\u200b", "#8203", "<")):  # read as two words, too
                assert {*re.findall(r"\w+", _LABEL.sub(" ", cut))} <= {*re.findall(r"\w+", plain)}
            else:
                assert cut == plain


def test_joiners_of_other_scripts_and_pictures_stay() -> None:
    for said in (
        "\U0001f469\u200d\U0001f52c",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\u0645\u200c\u0647\u0627",
    ):
        assert not drawn(f"so {said}, x")
    assert [drawn("\ufeffa\ufeffb", marked=marked) for marked in (True, False)] == [
        [(2, 3, "")],
        [(0, 1, ""), (2, 3, "")],
    ]


@given(st.lists(st.sampled_from([*NOTHING, *"a7 \n\r", "\x1b[0m", "\u0645", "]"]), max_size=12))
def test_what_is_drawn_draws_the_same(pieces: list[str]) -> None:
    text = "".join(pieces)
    once = changed(text, drawn(text))
    assert not drawn(once)


@pytest.mark.parametrize("sign", ["\u200b", "\u200b\u2060", "&#8203;"])
def test_a_blank_without_width_may_part_words(sign: str) -> None:
    said = [
        "SSN",
        "078-05-1120",
        "DOB",
        "12/05/1931",
        "Age",
        "94",
        "years; phone",
        "07700 900318",
        "x",
    ]
    for format, frame in (("html", "<p>{}"), ("text", "{}")):
        if format == "html" or "&" not in sign:
            read = formats.parse(frame.format(sign.join(said)).encode(), name="a", format=format)
            release = sfumato.sanitize(read, {"detect": ["patterns"]}, key=KEY)
            assert not [number for number in said[1::2] if number in release.data.decode()]


@pytest.mark.parametrize(
    "between", ["\r<!-- -->", "\r</x>", "\r<?x?>", "<!-- -->\r<b>", "\r</p>\r<p>", "\r"]
)
def test_a_carriage_return_before_a_tag_ends_a_line(between: str) -> None:
    release = sfumato.sanitize(
        formats.parse(f"<p>a{between}b\r".encode(), name="a", format="html"), key=KEY
    )
    assert re.sub("<[^>]*>", "", release.data.decode()).split() == ["a", "b"]
    assert b"\r" not in release.data


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
