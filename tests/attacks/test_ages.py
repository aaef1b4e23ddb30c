"""Somebody reads releases for ages over 89 and for the years that tell them (45 CFR 164.514(b)(2)(i)(C))."""

import re

import pytest

import sfumato
from sfumato import sanitize
from sfumato.english.births import this_year

AGES = {
    "Mr Ames, 94, was seen in clinic.": "94",
    "Mr Ames was 94 when he fell.": "94",
    "Mrs Thornbury (ninety-three) lives alone.": "ninety",
    "Her grandmother Ada Thornbury, 97, raised her.": "97",
    "Pt: Thornbury/93/F, fall": "93",
    "Both parents alive at 92 and 95.": "9[25]",
    "His uncle made it to 101.": "101",
    "He is going on 95, she is 88.": "95",
    "I'm 93, you know.": "93",
    "She'll be a hundred and two in May.": "hundred|102",
    "We saw a woman of ninety-four with a hip fracture.": "ninety",
    "Three nonagenarians were enrolled.": "nonagenarian",
    "Her great-aunt is in her late nineties.": "nineties",
    "in the ninety-fourth year of her life": "ninety",
    "age=96;sex=F": "96",
    "PT 91, FELL": "91",
    "name,age\nThornbury,96\nAmes,71": "96",
    "widowed at 91, moved in with her son": "91",
    "92yo, 101 y.o., 97 y/o, 99-yr-old": r"92|101|97|99",
    "The patient (F, 93) fell.": "93",
    "He was 89 then and is 94 now.": "94",
    "Lowe: 94/F": "94",
    "Ada Lowe, aetat 94, came.": "94",
    "Ada Lowe is 96 YOA.": "96",
    "Mme Lowe, 92 ans, est venue.": "92",
    "Ada Lowe is nearing 93.": "93",
    "In her 94th year she fell.": "94th",
    "Parents a+w, 91 and 93.": "9[13]",
    "Father d. 92 MI, mother d. 95 CVA.": "9[25]",
    "Ada Lowe was 71 in 1996 and 93 in 2018.": "93",
    "She had strokes at 74 and again at 91.": "91",
    "Widowed at 81, and at 92 remarried, then at 97 widowed again.": "9[27]",
    "Age at onset 88, at death 93.": "93",
}
NO_AGES = (
    "In his 25th year as a teacher",
    "a vaccine for children from 12 to 15 years of age",
    "She was 47 in 1996 and 3 of her sons",
    "fell at 47, and at 14:30 slept",
    "He left at 47 and again at 9.",
)
BIRTHS = {
    "Ada Lowe was 60 in 1988. Seen on 3 May 2019.": "1988",
    "Ada Lowe was 22 when the war ended in 1945. Seen in 2021.": "1945",
    "DOB 1925": "1925",
    "dob: 02/17/1931, seen 2024": "1931",
    "Year of birth 1923; retired": "1923",
    "Ada Thornbury (1920–2019)": "1920",
    "Ada Thornbury (born 1919)": "1919",
    "Ada Thornbury, b. 1919, teacher": "1919",
    "birth year|1922": "1922",
    "yob,sex\n1924,F": "1924",
    "born in the late 1920s": "1920s",
    "She was born in nineteen twenty-four.": "twenty-four",
    "d.o.b. 11.11.27": "27",
    "DOB 3/4/21": "21",
    "Born in April of 1929 on a farm.": "1929",
}


def left(text: str, told: str) -> bool:
    release = sfumato.sanitize(text, "hipaa-safe-harbor").text
    release = re.sub(r"90[ -]or[ -]older|90\+|\[[^\]]*\]", "", release)
    return re.search(rf"(?i)(?<!\d)(?:{told})(?!\d)", release) is not None


@pytest.mark.parametrize(("text", "told"), (AGES | BIRTHS).items())
def test_no_age_over_89_is_left_nor_a_year_that_tells_one(text: str, told: str) -> None:
    assert not left(text, told)


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "Mr Ames, 71, was seen.": "71",
        "She turned 89 last week.": "89",
        "A sixty-four-year-old man": "sixty-four",
        "Took 95 mg; saturation was 94 %, pulse 96.": "94",
        "Patients aged 90 or over.": "over",
        f"born in {this_year() - 89}": str(this_year() - 89),
        "in his sixties": "sixties",
        "Seen in 2019.": "2019",
    }.items(),
)
def test_other_ages_years_and_values_stay(text: str, told: str) -> None:
    assert left(text, told)


@pytest.mark.parametrize("profile", ["hipaa-safe-harbor", "default", "clinical"])
@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Married in 1952 at the age of 21; seen in 2024.", "1952"),
        ("CABG 1957 (age 28). Admitted in 2024.", "1957"),
        ("At 21, in 1952, he married. He was admitted in March 2024.", "1952"),
        ("He retired in 1984 and fell in 2019.", "1984"),
        ("She graduated on 3 June 1950 and was admitted in 2024.", "1950"),
        ("A 30-year-old in 1962, she came back in 2023.", "1962"),
    ],
)
def test_no_age_over_89_follows_from_an_earlier_age_and_its_year(
    text: str, year: str, profile: str
) -> None:
    assert year not in sanitize(text, profile).text


@pytest.mark.parametrize(
    "text",
    [
        "The hospital was founded in 1944.",
        "She graduated in 1999 and retired in 2021.",
        "In 1985, at 20, he moved.",
        "Rule 21 of 1952.",
    ],
)
def test_years_from_which_no_such_age_follows_stay(text: str) -> None:
    assert sanitize(text, "hipaa-safe-harbor").text == text


@pytest.mark.parametrize("text", NO_AGES)
def test_other_numbers_beside_an_age_stand(text: str) -> None:
    last = re.findall(r"\d+(?:th|:\d+)?", text)[-1]
    assert last in sanitize(text, "default").text
