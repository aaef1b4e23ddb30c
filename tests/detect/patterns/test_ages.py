"""Ages in all forms, and numbers that are none."""

import pytest

from sfumato import sanitize
from sfumato.detect.patterns import catalogue
from sfumato.detect.patterns.engine import Engine

ENGINE = Engine(tuple(p for p in catalogue() if p.kind == "AGE"))


def ages(text: str) -> list[str]:
    return [t.of(text) for t in ENGINE.find(text, "patterns") if t.score >= 0.5]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The patient is ninety-one and lives independently.", ["ninety-one"]),
        ("Couple seen together: he 88, she 92, both well.", ["88", "92"]),
        ("mother alive at 96, father died at 71 of stroke", ["96", "71"]),
        ("His aunt lived to 101.", ["101"]),
        ("A frail woman of 93 years", ["93 years"]),
        ("pt is 97 yrs, frail", ["97 yrs"]),
        ("My gran turned 99 on Friday", ["99"]),
        ("She will be 91 in June.", ["91"]),
        ("At 98 he still drives.", ["98"]),
        ("Her ninety-fifth birthday", ["ninety-fifth"]),
        ("the boys are 4 and 6, both well", ["4 and 6"]),
        ("she's 2 and a half", ["2 and a half"]),
        ("a baby of 11 weeks", ["11 weeks"]),
        ("in her late eighties", ["in her late eighties"]),
        ("this supercentenarian", ["supercentenarian"]),
        ("F/92, admitted; 45M with gout; 37F here; 61, female", ["92", "45", "37", "61"]),
        ("Age at diagnosis 90, now 94.", ["90", "94"]),
        ("died at the age of one hundred and four", ["one hundred and four"]),
        ("age: 93.5 years", ["93.5 years"]),
        ('{"age": 97}', ["97"]),
        ("Aged 90 to 95 at the time", ["90 to 95"]),
        ("a 1128-month-old (94 years) woman", ["1128-month-old", "94 years"]),
    ],
)
def test_ages_are_found_in_any_form(text: str, found: list[str]) -> None:
    assert ages(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "She is 95 kg and 170 cm.",
        "He was satting at 94 on room air, rate at 96.",
        "He is 6/10 in pain, she is 98% on air.",
        "He came at 9, the patient left at 11.",
        "T 99F, 18F Foley, 54M in revenue",
        "over 18, aged 65 or over, 90 or older, age >89, under 16",
        "She had 94 units, he took 95 mg.",
        "the patient in bed 12",
        "They were 3 of the 5.",
        "PT 14.2, PT 13, the patient 3.4",
        "her partner of 31 years, born at 35 weeks",
        "you start work at the bakery at four in the morning",
        "height at the 95th percentile",
    ],
)
def test_numbers_that_count_or_measure_are_no_ages(text: str) -> None:
    assert ages(text) == []


@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor", "clinical"])
@pytest.mark.parametrize(
    "told",
    [
        "my nan is {} bless her",
        "my great-aunt is {} bless",
        "his uncle was {} lol",
        "her grandmother is {} god love her",
        "Mrs Lowe is {} bless her",
        "my gran turned {} yesterday mate",
        "He's {} bless him",
        "I saw a woman of about {} fall",
        "a bloke of around {} came in",
        "She is {}½ and well.",
    ],
)
def test_an_age_is_found_before_any_word_that_counts_nothing(profile: str, told: str) -> None:
    text = sanitize(told.format(93), profile).text
    assert "93" not in text
    assert "90 or older" in text


@pytest.mark.parametrize(
    "text",
    [
        "He is 13 stone and 45 minutes late.",
        "She was 20 metres away.",
        "My dad is 20 grand in debt.",
        "The nurse was 15 minute late.",
        "I was 100 per cent sure.",
        "The child is 14 kg today.",
        "He is 24 hour post op.",
        "A 1st-year student and a 3rd-year medical student came.",
    ],
)
def test_what_is_counted_of_a_person_is_no_age(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Her sons, 4 and 16, were asleep.", "Her sons, 0-9 and 10-19, were asleep."),
        ("two girls, 14 and 15", "two girls, 10-19 and 10-19"),
        ("their kids (3 and 7) saw it", "their kids (0-9 and 0-9) saw it"),
        ("He has daughters aged 12 and 14.", "He has daughters aged 10-19 and 10-19."),
        (
            "Her parents, 88 and 93, live alone.",
            "Her parents, 80-89 and 90 or older, live alone.",
        ),
        ("The twins are four and six now.", "The twins are 0-9 and 0-9 now."),
        ("children aged between 4 and 6", "children aged between 0 and 9"),
        ("aged 7 and three quarters", "aged 0-9"),
    ],
)
def test_two_ages_have_two_ranges(text: str, made: str) -> None:
    assert sanitize(text, "default").text == made


@pytest.mark.parametrize(
    ("text", "gone"),
    [("She came from Norway at nine and stayed.", "nine"), ("She emigrated to Canada at 6 with us.", "6"),
     ("He got a car for his 18th.", "18th"), ("We met before my 40th, in June.", "40th")],
)  # fmt: skip
def test_ages_at_which_somebody_came_and_birthdays_without_the_word_are_hidden(
    text: str, gone: str
) -> None:
    assert gone not in sanitize(text).text


@pytest.mark.parametrize(
    "text",
    ["The bus came at nine.", "On his 15th visit he paid.", "A retired cook who was in Kenya in 1974 came."],
)  # fmt: skip
def test_hours_visits_and_years_of_the_retired_stand(text: str) -> None:
    assert sanitize(text).text == text
