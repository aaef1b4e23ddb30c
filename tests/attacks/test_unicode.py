"""Characters that become more, fewer or none when they are folded, and code points that stand for nothing: a
text with them is released or refused like any other, and comes back to the byte."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
from sfumato.document import Edit, Origin, Record
from sfumato.english.folding import fold, letters, plain_letters, skeleton
from sfumato.know import sources
from sfumato.know.taxonomy import named, places
from sfumato.policy import load
from sfumato.verify.edits import originals_gone

LAST = 0x2FFFF  # nothing above it is ever folded
FORMS: list[Callable[[str], str]] = [
    *(partial(unicodedata.normalize, form) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    *(str.casefold, str.lower, str.upper),
]
# Every character of which some way of folding makes another number of characters.
UNEVEN = [char for char in map(chr, range(LAST + 1)) if any(len(form(char)) != 1 for form in FORMS)]
UNSEEN = ["\u0301", "\u0345", "\u00ad", "\u200b", "\u2028", "\ufeff", "\U000e0041"]
LONE = [chr(point) for point in (0xD800, 0xDBFF, 0xDC00, 0xDC80, 0xDFFF)]
ODD = st.text(st.sampled_from(UNEVEN + (UNSEEN + LONE) * 50), max_size=8)
PROFILES = ("default", "hipaa-safe-harbor", "gdpr", "research", "strict")


def test_there_are_such_characters() -> None:
    assert {"ﬃ", "ß", "İ", "½", "ﷺ", "㎏", "가", "ŉ", "ΐ"} <= set(UNEVEN)


@given(st.lists(st.one_of(ODD, st.sampled_from(["Anna", " ", "-", "é"]))).map("".join))
def test_folded_letters_lead_back_to_where_they_came_from(text: str) -> None:
    found = letters(text)
    assert found.text == skeleton(text)
    assert len(found.origin) == len(found.is_letter) == len(plain_letters(text))
    for letter, at in zip(found.text, found.at.tolist(), strict=True):
        assert letter in plain_letters(text[found.origin[at]])
    folded = fold(text)
    for at, char in enumerate(folded.text):
        start, end = folded.place(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert char in fold(text[start]).text


@given(ODD, ODD, ODD)
def test_a_survivor_is_told_at_its_own_place(before: str, between: str, after: str) -> None:
    start = f"{before} "
    text = f"{start}X {between} "
    place = len(text)
    edit = Edit(len(start), len(start) + 6, "PERSON", "X", "")
    record = Record("x", Origin(), (edit,), ("Keller",))
    check = originals_gone(f"{text}Keller {after}", record)
    assert check.failed
    assert check.detail.endswith(f"at {_where(text + 'Keller', place)}")


def _where(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    return f"{line}:{offset - (text.rfind(chr(10), 0, offset) + 1) + 1}"


@pytest.mark.parametrize("name", LONE)
def test_no_lookup_stumbles_over_half_a_character(name: str) -> None:
    for term in (name, f"Acme{name}", f"{name} Okonedo", f"Par{name}is", f"Paris{name}, France"):
        sources.taxonomy_for(load("default").know).senses(term)
        assert not named.default().senses(term)
        places.default().senses(term)


@pytest.mark.parametrize(
    "policy", ["default", "research", {"protect": [{"plausibility": {"t": 20}}]}]
)
@pytest.mark.parametrize("half", LONE)
def test_a_name_may_hold_half_a_character(half: str, policy: Any) -> None:
    text = (
        f"Mr {half} Okonedo of Acme{half} Ltd lives in {half}Paris. Victoria visited {half}the Louvre "
        f"and Iron Maiden. Dr {half}Keller-Smith works at St Mary's Hospital{half}; Manchester United{half}."
    )
    release = sfumato.sanitize(text, policy)
    assert sfumato.restore(release) == text
    assert not {"Okonedo", "Keller"} & set(
        release.text.replace(half, " ").replace("-", " ").split()
    )


@pytest.mark.parametrize("profile", PROFILES)
@given(a=ODD, b=ODD, c=ODD)
def test_a_text_of_such_characters_is_released_and_comes_back_or_is_refused(
    profile: str, a: str, b: str, c: str
) -> None:
    text = (
        f"Name: May\nthe {a} note {b} said it may. Patient: Brown{c}, aged 47 ½, in Paris.\n"
        f"The coat is {a}brown{b}; call 07700 900318 or {c}p@example.org. Bed 47, Dr{c}John Hollander."
    )
    try:
        release = sfumato.sanitize(text, profile)
    except sfumato.SfumatoError:
        return
    assert sfumato.restore(release) == text
    assert "900318" not in release.text
