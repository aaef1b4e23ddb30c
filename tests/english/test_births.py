"""Dates that are told as births, and the ages that follow from them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.births import ages, told_as_birth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was born in «1985».", True),
        ("Born on the «4 February 1985».", True),
        ("DATE OF BIRTH: «04/02/1985»", True),
        ("DOB «1985-02-04» is on the card", True),
        ("D.O.B.: «1985-02-04»", True),
        ("Ann Lee (b. «1968») sat", True),
        ("She was born in Tartu, Estonia, in «1968».", True),
        ("D/O/B «6 October 1995»", True),
        ("YOB: «1995»", True),
        ("a «1965»-born man", True),
        ("the «May 1965»-born nurse", True),
        ("a «1948» born woman", True),
        ("a «1965»-built house", False),
        ("in «1965» Bornholm was", False),
        ("DoB=«1995-10-06»", True),
        ("patient_dob: «6 October 1995»", True),
        ("He was b. «2 Feb 1945»", True),
        ("Tom Reed\nB. «6 October 1995»", True),
        ("Tom Reed (b «6 October 1995»)", True),
        ("Tom Reed (* «6 October 1995»)", True),
        ("Tom Reed, *«6 October 1995»", True),
        ("geb. «6 October 1995»", True),
        ("Ann Reed née Keller on «6 October 1995»", True),
        ("Mary gave birth to him on «6 October 1995»", True),
        ("Visits:\n* «6 October 1995»", False),
        ("seen **«6 October 1995»**", False),
        ("Mr B. Reed on «6 October 1995»", False),
        ("hepatitis B was found on «6 October 1995»", False),
        ("Born in 1968 and admitted in «2019»", False),
        ("He was born in Estonia and moved in «1999»", False),
        ("He was born in Estonia. In «1999» he left", False),
        ("a stubborn «1999»", False),
        ("Seen «2019»", False),
    ],
)
def test_a_birth_is_told_by_the_words_beside_its_date(text: str, expected: bool) -> None:
    start = text.index("«")
    assert told_as_birth(text.replace("«", "").replace("»", ""), start) is expected


DAYS = st.integers(date(1900, 1, 1).toordinal(), date(2030, 12, 31).toordinal())


@given(DAYS, DAYS, st.integers(0, 60), st.integers(0, 60))
def test_every_age_of_two_spans_lies_between_the_youngest_and_the_oldest(
    born: int, event: int, wide: int, late: int
) -> None:
    least, most = ages((born, born + wide), (event, event + late))
    seen = {
        min(age, 119)  # nobody is older
        for b in range(born, born + wide + 1)
        for e in range(event, event + late + 1)
        if b <= e
        for one, other in [(date.fromordinal(b), date.fromordinal(e))]
        for age in [other.year - one.year - ((other.month, other.day) < (one.month, one.day))]
    }
    assert not seen or (min(seen), max(seen)) == (least, most)
    assert seen or most < 0
