"""Ages that only a name or the head of a column tells."""

import re

import pytest

from sfumato import detect, sanitize
from sfumato.detect.ages import beside_persons, is_age
from sfumato.detect.patterns.columns import in_columns
from sfumato.document import Term


def told(text: str, *names: str) -> list[str]:
    persons = [Term(text.index(n), text.index(n) + len(n), "PERSON", 0.9, "names") for n in names]
    return [t.of(text) for t in (*beside_persons(text, persons), *in_columns(text))]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ames, 94, was seen",
            "Ames (94)",
            "Ames is now 94",
            "Ames, aged 94",
            "Ada Ames 94",
            "Ames/94/F",
        ),
        *("Ames turned 94 today", "Ames – 94 – fell", "Ames [94]", "Ames, nearly 94, fell"),
    ],
)
def test_a_bare_number_beside_a_person_is_an_age(text: str) -> None:
    assert told(text, "Ada Ames" if "Ada" in text else "Ames") == ["94"]


@pytest.mark.parametrize(
    "text",
    [
        "Ames, 94 kg",
        "Ames 94%",
        "Ames, 94 Mill Lane",
        "Ames 9/4",
        "Ames 94",
        "Ames 2 weeks",
        "Ames: 94.5.1",
        "Ames over 18.",
        "Ames, 11:31.",
        "Ames is one of my friends",
        "Ames is one of only two here",
        "1) bloods with Ames, 2) review 3) home",
        "call Ames, 2. chase CT 3. family",
    ],
)
def test_a_number_that_counts_something_is_no_age_beside_a_person(text: str) -> None:
    assert told(text, "Ames") == []


def test_cells_below_the_head_age_are_ages_and_those_below_a_birth_dates() -> None:
    assert told("id,age,sex,sbp\n17,97,F,148\n18,64,M,131\n\n19,12") == ["97", "64"]
    assert told("id|birth_year|hr\n1|1924|93\n2|1960|88") == ["1924", "1960"]
    assert told("the age of steam, 1890\n12,97\nage,\n12") == []


_CSV = "name,age,zip,dob\nAnn,44,12345,1980-01-02\nBob,51,54321,1975-03-04\n"
_NAMED = "Mr John Ames, 94, of bed 12"


@pytest.mark.parametrize(
    "settings",
    [
        {"detect": [{"patterns": {"kinds": ["EMAIL"]}}]},
        {"detect": [{"patterns": {"skip": ["AGE", "POSTCODE", "DATE"]}}]},
        {"detect": ["patterns"], "threshold": {"AGE": 0.9, "POSTCODE": 0.9, "DATE": 1.0}},
        {"detect": [{"lists": {"hide": [{"kind": "PERSON", "terms": ["Mr John Ames"]}]}}]},
    ],
)
@pytest.mark.parametrize("text", [_CSV, _NAMED])
def test_bare_ages_and_cells_of_columns_are_found_where_the_policy_looks_for_them(
    text: str, settings: dict[str, object]
) -> None:
    base = {"protect": ["replace"], "replace": {"*": "label"}}
    assert {t.kind for t in detect(text, {**base, "detect": ["patterns"]})} & {"AGE"}
    assert not {t.kind for t in detect(text, {**base, **settings})} & {"AGE", "POSTCODE", "DATE"}


def test_an_age_that_the_policy_lists_is_found_whatever_stands_beside_it() -> None:
    lists = {"lists": {"hide": [{"kind": "AGE", "terms": ["65"]}]}}
    policy = {"detect": [lists], "protect": ["replace"], "replace": {"*": "label"}}
    assert [t.kind for t in detect("He is over 65.", policy)] == ["AGE"]


def test_an_age_before_a_birth_in_brackets_is_one() -> None:
    assert told("Ames, 46 (DOB 30.01.1978), was seen", "Ames") == ["46"]


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("You may take your pension at 65, or wait.", "65"),
        ("State Pension age is 67.", "67"),
        ("The retirement age was 60 for women and 65 for men.", "60"),
        ("The retirement age was 60 for women and 65 for men.", "65"),
        ("The minimum age of 18 was raised.", "18"),
        ("ACE-III 71/100 (A 15, M 13, F 7).", "15"),
        ("Then in '47 I came to a camp.", "47"),
    ],
)
def test_ages_of_all_and_other_numbers_are_nobodys(text: str, age: str) -> None:
    at = text.index(age)
    assert not is_age(text, Term(at, at + len(age), "AGE", 0.9, "personal"))


def test_who_retires_at_an_age_has_it() -> None:
    text = "He retired at 65 and took his pension at 67."
    ages = [Term(text.index(n), text.index(n) + 2, "AGE", 0.9, "personal") for n in ("65", "67")]
    assert all(is_age(text, age) for age in ages)


def test_values_beside_letters_are_no_ages_with_a_sex() -> None:
    assert not detect("ACE-III 71/100 (A 15, M 13, F 7, L 23, V 13).", "clinical")


def test_a_raised_digit_is_no_number_of_a_list() -> None:
    assert is_age("x²", Term(1, 2, "AGE", 0.9, "personal"))


def test_numbers_of_parties_are_no_ages_and_those_of_siblings_are() -> None:
    parties = "(1) ANNA HOLLOWAY\n(2) PETER HOLLOWAY"
    assert not is_age(
        parties, Term(parties.index("2"), parties.index("2") + 1, "AGE", 0.9, "personal")
    )
    assert is_age("Sami (6) and Tom (7)", Term(18, 19, "AGE", 0.9, "personal"))


@pytest.mark.parametrize(
    "text",
    [
        "d/w Sister Banks 2. chase CT 3. family mtg",
        "He is a father of three.",
        "She is a mother of two and a widow of 1 year.",
        "The car is nine years old.",
        "A 12-year-old whisky stood there.",
        "The boiler, now 14 years old, failed.",
        "Form: 9M is on a trip.",
        "Meet Dr Ames at 12.",
    ],
)
def test_lists_children_things_forms_and_hours_are_no_ages(text: str) -> None:
    assert not re.search(r"\d-\d+9?\b", sanitize(text, "default").text)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("Magnus came to us at nineteen straight off his uncle's boat.", "nineteen"),
        ("Tom Price is 45 (male) and well.", "45"),
        ("Mary Jones left school at fifteen.", "fifteen"),
        ("Agnes Bell married at 22 and moved.", "22"),
    ],
)
def test_an_age_behind_a_name_is_hidden(text: str, age: str) -> None:
    assert age not in sanitize(text, "default").text


@pytest.mark.parametrize(
    "text",
    ["He left at six.", "He left at 6.", "He woke at four and could not sleep.", "She was up at five with the baby.",
     "She gets up at five, he gets up at seven.", "He takes his tablets at eight, twelve and four.",
     "I remind him about his tablets at eight, twelve and four.", "He started at 8 and finished at 5.",
     "Pt was seen at 11 and sent home at 12.", "The carers come at nine.", "She rang at about ten.",
     "We eat at six and he goes to bed at nine.", "I was twelve weeks gone.", "She is 20 weeks with her second.",
     "She was five months along then.", "She is 5'4\".", "A lady of 5'4\", 61 kg.", "He is 11 in the queue.",
     "He is 3 for 3."],
)  # fmt: skip
def test_hours_heights_weeks_of_pregnancies_and_places_in_a_row_are_no_ages(text: str) -> None:
    assert sanitize(text).text == text
    assert sanitize(text, "clinical").text == text


@pytest.mark.parametrize(
    "text",
    ["She was orphaned at six.", "He was diagnosed with asthma at six.", "She lost her mother at six.",
     "He was taken into care at six.", "He left school at six.", "She started smoking at six.",
     "Tom's six and fine.", "At six, she fell.", "He learned to swim at six."],
)  # fmt: skip
def test_what_happened_in_a_childhood_tells_an_age(text: str) -> None:
    start = text.index("six")
    assert is_age(text, Term(start, start + 3, "AGE", 0.9, "personal"))


@pytest.mark.parametrize(
    ("text", "made"),
    [("Could you look at Declan's one too?", "Could you look at [PERSON 1]'s one too?"),
     ("Is that Tom's one or Kate's two?", "Is that [PERSON 1]'s one or [PERSON 2]'s two?"),
     ("Ann's two were asleep.", "[PERSON 1]'s two were asleep."), ("Tom is 3 for 3.", "[PERSON 1] is 3 for 3."),
     ("I was five months with Lwazi.", "I was five months with [NAME 1]."),
     ("The score was Ann 7, Ben 4.", "The score was [PERSON 1] 7, [PERSON 2] 4.")],
)  # fmt: skip
def test_what_is_somebodys_is_not_their_age(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    "text",
    ["First seizure at 4.", "He had his first febrile convulsion at three.", "Diagnosed with asthma at 3, he coped.",
     "Symptoms began at 11.", "Onset of psoriasis at 8.", "Her first period was at 12.", "His first words at 2."],
)  # fmt: skip
def test_what_begins_in_a_life_begins_at_an_age_and_at_no_hour(text: str) -> None:
    assert not re.search(r"\b(?:[2348]|1[12]|three)\b", sanitize(text, "gdpr").text)
    for hour in ("The first train is at 4.", "First meeting at 9.", "First dose at 8."):
        assert sanitize(hour, "gdpr").text == hour


@pytest.mark.parametrize(
    ("text", "made"),
    [("Renew the licence (owner: Ivy, 2 weeks).", "Renew the licence (owner: [PERSON 1], 2 weeks)."),
     ("- Call the vendor: Priya, 3 months\n- Close", "- Call the vendor: [PERSON 1], 3 months\n- Close"),
     ("Tenure: 6 yrs 2 mos", "Tenure: 6 yrs 2 mos"), ("Notice period: 3 months", "Notice period: 3 months"),
     ("Tom Price, 18 months, suspended.", "[PERSON 1], 18 months, suspended.")],
)  # fmt: skip
def test_how_long_something_lasts_is_nobodys_age(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    "text",
    ["She is on nights with the baby (5 wks).", "Her son Leo, 14 months, slept.", "Our children are Cian (6) and Eve (20 months).",
     "Baby Zeb, 3 months, seen with mum.", "Isla, 14 months, slipped under the rail."],
)  # fmt: skip
def test_months_that_stand_as_an_age_are_one(text: str) -> None:
    assert "under 2 years" in sanitize(text).text
