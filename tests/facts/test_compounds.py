"""A hidden name is found inside longer words, in pieces and in codes; ordinary words are left alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from itertools import accumulate

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.document import Edit
from sfumato.english.ordinary import is_ordinary
from sfumato.facts.compounds import names_within, spellings
from tests.strategies import examples

_SYLLABLES = [
    "wie",
    "zor",
    "ach",
    "berg",
    "kon",
    "kwo",
    "ven",
    "kata",
    "ram",
    "dov",
    "lin",
    "gur",
    "sza",
    "bo",
    "tar",
    "min",
]
SURNAMES = st.lists(st.sampled_from(_SYLLABLES), min_size=2, max_size=4).map(
    lambda parts: "".join(parts).capitalize()
)
ALIKE = str.maketrans("aoecpx", "аоесрх")
CODES: dict[str, Callable[[str], str]] = {
    "user name": lambda n: f"j{n.lower()}",
    "digits after it": lambda n: f"{n.lower()}99",
    "hashtag": lambda n: f"#JusticeFor{n}",
    "plural": lambda n: f"{n}s",
    "snake case": lambda n: f"patient_{n.lower()}_id",
    "camel case": lambda n: f"patient{n}",
    "capitals": lambda n: n.upper(),
    "broken over lines": lambda n: f"{n[:3]}-\n{n[3:]}",
    "soft hyphen": lambda n: f"{n[:3]}\u00ad{n[3:]}",
    "zero-width space": lambda n: f"{n[:3]}\u200b{n[3:]}",
    "markdown": lambda n: f"**{n[:3]}**{n[3:]}",
    "tags": lambda n: f"<b>{n[:3]}</b>{n[3:]}",
    "entity": lambda n: f"&#{ord(n[0])};{n[1:]}",
    "hexadecimal entity": lambda n: f"&#x{ord(n[0]):x};{n[1:]}",
    "per cent": lambda n: f"%{ord(n[0]):02X}{n[1:]}",
    "escape": lambda n: f"\\u{ord(n[0]):04x}{n[1:]}",
    "short escape": lambda n: f"\\x{ord(n[0]):02x}{n[1:]}",
    "base64": lambda n: base64.b64encode(f"to {n}".encode()).decode(),
    "letters that look alike": lambda n: n.translate(ALIKE),
    "full width": lambda n: "".join(chr(ord(c) + 0xFEE0) for c in n),
    "digits for letters": lambda n: n.translate(str.maketrans("eoai", "3041")),
}


def hidden_in(text: str, name: str) -> list[str]:
    edits = [Edit(0, len(name), "PERSON", "[PERSON]", "")]
    assert text.startswith(name)
    return [t.of(text) for t in names_within(text, edits)]


@pytest.mark.parametrize("code", CODES)
@given(surname=SURNAMES)
def test_a_rare_name_is_found_in_every_code(code: str, surname: str) -> None:
    assume(not is_ordinary(surname.lower()) and len(surname) > 5)
    word = CODES[code](surname)
    text = f"Ann {surname}. Then {word} again."
    found = "".join(hidden_in(text, f"Ann {surname}"))
    kept = [c for c in word if c.isalnum()]
    assert len([c for c in found if c.isalnum()]) >= len(kept) - len("patientid#JusticeForb")


@given(surname=SURNAMES)
def test_what_is_found_holds_the_name(surname: str) -> None:
    assume(not is_ordinary(surname.lower()))
    for make in CODES.values():
        text = f"Ann {surname}. Then {make(surname)} again."
        for word in hidden_in(text, f"Ann {surname}"):
            assert any(surname.lower()[:3] in said.lower() for said in spellings(word)) or (
                surname[3:].lower() in word.lower()
            )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Anna Brown", "The brownish sauce was brown, and brownie cake too."),
        ("Rob Look", "He kept looking at the outlook."),
        ("Ann King", "The kingdom of the king was asking for making."),
        ("Ann Price", "A price list, the prices and a pricey lunch."),
        ("Tom Green", "The greenhouse is green; greenery."),
        ("May Young", "The youngest may come; younger ones maybe."),
        ("Ann Wieczorek", "Nothing of this is hers; a clockwork zebra."),
    ],
)
def test_ordinary_words_are_left_alone(name: str, text: str) -> None:
    assert hidden_in(f"{name}. {text}", name) == []


@pytest.mark.parametrize(
    "line",
    [
        "user abrown in",
        "user brown_anna in",
        "ask @annabrown now",
        "tag #JusticeForBrown now",
        "tag #teambrown now",
        '{"brown": 1}',
        "anna_brown = 3",
        "/home/brown/notes",
        "brown[at]example.org",
        "user brown1972 in",
    ],
)
def test_an_ordinary_surname_is_found_where_names_stand(line: str) -> None:
    found = hidden_in(f"Anna Brown. {line}", "Anna Brown")
    assert any("brown" in word.lower() for word in found)


def test_what_is_covered_is_not_found_again() -> None:
    text = "Ann Wieczorek and jwieczorek"
    edits = [Edit(0, 13, "PERSON", "", ""), Edit(18, 28, "USERNAME", "", "")]
    assert names_within(text, edits) == []


def test_only_persons_names_are_searched() -> None:
    text = "Wieczorek and jwieczorek"
    assert names_within(text, [Edit(0, 9, "ORG", "", "")]) == []
    assert names_within(text, []) == []


@examples(200)
@given(
    names=st.lists(
        st.lists(st.sampled_from(["Ada", "Bea", "Cid"]), min_size=1, max_size=3), max_size=3
    ),
    shown=st.lists(st.sampled_from(["A.", "B.", "C.", " ", "x", "."]), max_size=12),
)
def test_initials_are_those_of_a_name_with_or_without_its_middle_names(
    names: list[list[str]], shown: list[str]
) -> None:
    told = [f"{' '.join(name)} Corvin" for name in names]
    text = "\n".join([*told, "", "".join(shown)])
    starts = [0, *accumulate(len(name) + 1 for name in told)]
    edits = [Edit(at, at + len(n), "PERSON", "", "") for at, n in zip(starts, told, strict=False)]
    expected = set()
    for first, *middle in names:
        between = "".join(rf"(?:{word[0]}\. ?)?" for word in middle)
        pattern = rf"(?<![\w.])(?={first[0]}\. ?({between}C\.)(?![\w.]))"
        expected |= {(m.start(), m.end(1)) for m in re.finditer(pattern, text)}
    found = {(t.start, t.end) for t in names_within(text, edits) if t.start > starts[-1]}
    # one expression tells one end for a beginning
    assert expected <= found
    assert {start for start, _ in found} == {start for start, _ in expected}
