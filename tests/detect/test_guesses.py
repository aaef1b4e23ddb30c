"""What a guess of the trained detector is by its form."""

from __future__ import annotations

import pytest

import sfumato
from sfumato import sanitize
from sfumato.detect import encoder, guessed_names, guessed_numbers, guessed_people, known


def kinds(text: str) -> dict[str, str]:
    return {term.of(text): term.kind for term in sfumato.detect(text)}


def slots(text: str) -> list[str]:
    return [text[a:b] for a, b in guessed_people.name_slots(encoder.default().read(text))]


@pytest.mark.parametrize("said", ["2330", "0615 hrs", "23.40", "9h30", "1530", "07:05", "11 pm"])
def test_clock_times_come_before_years_and_codes(said: str) -> None:
    for text in (f"He fell at {said} last night.", f"Seen on the ward from {said}, calm."):
        assert set(kinds(text).values()) <= {"TIME"}


@pytest.mark.parametrize(
    ("text", "is_time"),
    [("at 2030", True), ("by 1945", True), ("in 2030", False), ("in 1945", False), ("so 0945", True),
     ("in 2030 hrs", True), ("in 2030-2115", True), ("on Evening", True), ("on 3 May", False)],
)  # fmt: skip
def test_four_digits_are_an_hour_where_they_cannot_be_a_year_or_stand_like_one(
    text: str, is_time: bool
) -> None:
    assert (
        guessed_numbers.is_time(text, 3, 7 if text[3].isdigit() and text[4] != " " else len(text))
        is is_time
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [("Mr Ames, 94, was seen today.", "94"), ("Sami (6) came with his mother.", "6"),
     ("idk. im 14. my stepdad hit me again", "14"), ("Pt = retired postman, 82 y, well.", "82"),
     ("Participant (Sam, f, 34, uses a reader)", "34"), ("My cousin is 41 and smokes.", "41")],
)  # fmt: skip
def test_a_bare_number_that_gives_somebody_away_is_an_age(text: str, said: str) -> None:
    assert any(said in term and kind == "AGE" for term, kind in kinds(text).items())


@pytest.mark.parametrize(
    "text",
    ["K 5.9, Cr 311, Hb 87", "VA 6/36 R, 6/9 L", "Trop 1,180 ng/L (ref <14)", "BP 120/80, HR 88",
     "The payment is £1,071.33 a month.", "after forty-one years he retires", "Lact 3.1, AFP 1,482 ng/mL",
     "You have one month to appeal.", "We meet on Sundays and every Monday."],
)  # fmt: skip
def test_numbers_are_found_whole_or_not_at_all_and_durations_are_no_ages(text: str) -> None:
    assert set(kinds(text).values()) <= {"MONEY", "QUANTITY"}
    assert not any(number in said for said in kinds(text) for number in ("9", "36", "14", "80"))


@pytest.mark.parametrize(
    ("text", "gone"),
    [("Discord nell#0417 or bo.heron#22", "nell 0417 heron"), ("insta is nell.pots, add me", "nell pots"),
     ("his Fiesta AB12 CDE was hit", "AB12 CDE"), ("she's 2 and a half\nKaz: ok", "half")],
)  # fmt: skip
def test_what_is_one_thing_is_hidden_as_one(text: str, gone: str) -> None:
    released = sfumato.sanitize(text).text
    assert [piece for piece in gone.split() if piece in released] == []


@pytest.mark.parametrize(
    "code", ["CPT 99284", "error 4021", "port 8443", "build 22631", "rule 4114"]
)
def test_codes_of_things_that_all_have_stay(code: str) -> None:
    assert code in sfumato.sanitize(f"On Monday {code} was seen again, says Anna Marsh.").text


@pytest.mark.parametrize(
    ("text", "names"),
    [("Then Hope called again.", ["Hope"]), ("Then Will called again.", ["Will"]),
     ("We Will be there, and I Hope you come.", []), ("Yesterday the Dean called.", []),
     ("Often Rusty barked.", ["Rusty"]), ("They took Grace's coat.", ["Grace"]),
     ("Then Will they come?", []), ("Here Constitutional Law applies.", []), ("How Doctors Treat Pain", []), ("He went. Olive oil was used.", [])],
)  # fmt: skip
def test_a_word_in_the_place_of_a_name_is_a_name(text: str, names: list[str]) -> None:
    assert slots(text) == names


def test_names_that_are_small_words_are_whole() -> None:
    text = "Signed: Nguyen Van An. An was late, and An's boss was angry. An egg fell."
    released = sfumato.sanitize(text, "hipaa-safe-harbor").text
    assert released.count("An") == 1  # of "An egg"


@pytest.mark.parametrize(
    "law",
    ["the Trustee Act 1925", "the Geneva Convention of 1929", "the Treaty of Versailles 1919"],
)
def test_years_of_laws_stay(law: str) -> None:
    assert law in sfumato.sanitize(f"By {law} and no other, wrote Anna Marsh.").text


@pytest.mark.parametrize(
    "text",
    ["Sentenced to four years' imprisonment.", "After two weeks' leave he came back.",
     "Six months' notice was given.", "It lasted two years and four months.",
     "The youth office placed her three sons with carers.", "She leaves two sons.",
     "The toner is 85A.", "He is the father of two."],
)  # fmt: skip
def test_lengths_of_time_counts_and_amounts_are_no_dates_and_no_ages(text: str) -> None:
    assert not {*kinds(text).values()} & {"DATE", "AGE", "MISC", "CODE"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "They are Mr and Mrs Popov, who live nearby.",
            "They are Mr and Mrs [PERSON 1], who live nearby.",
        ),
        ("Dear Dr and Mrs Ahmed, thank you.", "Dear Dr and Mrs [PERSON 1], thank you."),
        (
            "ok to speak to sister Morag if no answer",
            "ok to speak to sister [PERSON 1] if no answer",
        ),
        ("Spoke to mum Tracey today.", "Spoke to mum [PERSON 1] today."),
        ("KOWALSKA, Bronislawa   F   DOB 03-Nov-1961", "[PERSON 1]   F   DOB 1961"),
        ("Before Employment Judge Harding sat two.", "Before Employment Judge [PERSON 1] sat two."),
        ("Charge Nurse Bright rang.", "Charge Nurse [PERSON 1] rang."),
        ("Mrs Harding left.", "Mrs [PERSON 1] left."),
    ],
)
def test_titles_sexes_and_relatives_beside_a_name_are_no_part_of_it(
    text: str, expected: str
) -> None:
    assert sfumato.sanitize(text).text == expected


@pytest.mark.parametrize(
    "text",
    ["Mum says she was well till now.", "Menarche at noon.", "Tutor's comment: he did well.", '"Mummy\'s friend" came.',
     "Medic's name was unknown."],
)  # fmt: skip
def test_what_somebody_is_is_no_name(text: str) -> None:
    assert sfumato.sanitize(text).text == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Mr and Mrs Carter live nearby.", "Mr and Mrs [PERSON 1] live nearby."),
        ("Dear Mr and Mrs Carter,\nEmily fell.", "Dear Mr and Mrs [PERSON 1],\n[PERSON 2] fell."),
        ("Witnessed by PC 2210 Baines.", "[ID 1]"),
        ("Your National Insurance number (ours shows QQ 12 34 56 C) is wrong.", "[NATIONAL ID 1]"),
    ],
)
def test_titles_of_two_stay_and_numbers_go_by_the_words_before_them(text: str, made: str) -> None:
    assert made in sfumato.sanitize(text).text


@pytest.mark.parametrize(
    "family", ["Bishop", "Judge", "Deacon", "Constable", "Chancellor", "Nurse"]
)
def test_a_family_name_that_is_a_title_is_a_name_where_it_stands_alone(family: str) -> None:
    text = f"David {family} was interviewed. Both {family} and the manager agreed. {family} said nothing."
    assert family not in sanitize(text).text


def test_a_title_alone_is_no_name_where_nobody_is_called_so() -> None:
    assert (
        "Both Bishop and" in sanitize("Both Bishop and the manager agreed with Anna Keller.").text
    )


@pytest.mark.parametrize(
    "text",
    [
        "His son (POA) visited.",
        "EDD (LMP) 3/52",
        "Discussed with NOK and POA (his son).",
        "BIBA crew at 10:05, DNACPR in place, TTOs done.",
    ],
)
@pytest.mark.parametrize("profile", ["default", "clinical"])
def test_short_forms_of_notes_are_nobody(text: str, profile: str) -> None:
    assert sanitize(text, profile).text == text


@pytest.mark.parametrize(
    ("text", "said"),
    [("My teacher Rokeya miss said so", "Rokeya miss"), ("Vikram ji, please come", "Vikram ji"), ("Tanaka-san left", "Tanaka-san"),
     ("Imran sir's class", "Imran sir"), ("Anna miss you all", "Anna"), ("Anna sirens", "Anna")],
)  # fmt: skip
def test_a_title_behind_a_name_is_of_it(text: str, said: str) -> None:
    start = text.index(said)
    end = start + len(said.replace("-", " ").split()[0])
    assert text[slice(*guessed_people.name_alone(text, start, end))] == said


@pytest.mark.parametrize("kin", ["sister", "mommy", "nanny", "stepdad"])
def test_a_relative_in_small_letters_is_no_part_of_a_name(kin: str) -> None:
    text = f"{kin} Morag"
    assert text[slice(*guessed_people.name_alone(text, 0, len(text)))] == "Morag"


@pytest.mark.parametrize("field", ["cc", "To", "Attending"])
@pytest.mark.parametrize("names", ["Declan, Mairead", "Grace, Blessing", "Kwabena, Priya"])
def test_given_names_to_whom_something_goes_are_several_persons(field: str, names: str) -> None:
    text = sanitize(f"{field}: {names}\nThe heating is off.", "default").text
    assert text.startswith(f"{field}: [PERSON 1], [PERSON 2]\n")


@pytest.mark.parametrize("text", ["To: Keller, Anna", "Patient: Thomas, Grace"])
def test_a_family_name_before_a_comma_is_one_person(text: str) -> None:
    assert sanitize(text, "default").text.endswith(": [PERSON 1]")


@pytest.mark.parametrize("profile", ["default", "gdpr", "clinical"])
@pytest.mark.parametrize(
    "stamp", ["Jan 20 00:02:44", "Feb 19 23:58:07", "Feb  9 03:58:07", "3 May 14:20"]
)
def test_the_hour_behind_a_day_is_no_year(profile: str, stamp: str) -> None:
    text = sanitize(f"{stamp} db01 su: session opened", profile).text
    assert f" {stamp.split()[-1]} " in text
    assert "20" not in text.split(":")[0].replace(stamp.split()[-1][:2], "")


@pytest.mark.parametrize(
    "cited", ["[2013] UKSC 33", "[1999] 2 AC 455", "[2015] EWCA Civ 12", "[1980] KLR 59"]
)
def test_the_year_of_a_report_of_cases_is_no_date(cited: str) -> None:
    assert cited in sanitize(f"He fell on 3 May 2013. See Re B {cited}.", "research").text


@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor", "clinical", "gdpr"])
@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("Re: MT dob 14.3.41", "MT"),
        ("Seen: JKB (DOB 3/4/1941), well", "JKB"),
        ("See you then. Thanks\nP", "\nP"),
        ("All fine here. Love\nK xx\n", "\nK"),
    ],
)
def test_initials_before_a_birth_and_under_a_letter_are_somebody(
    profile: str, text: str, initials: str
) -> None:
    assert initials not in sanitize(text, profile).text.replace("\nPerson", "")


@pytest.mark.parametrize("text", ["PT DOB unknown", "Best\nI left."])
def test_labels_before_a_birth_are_no_initials(text: str) -> None:
    assert sanitize(text, "clinical").text == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("PW1 testified that he ran, and DW2 denied it.", "PW1 testified that he ran, and DW2"),
        ("In the High Court F. Muchemi, J. gave the ruling.", ", J. gave the ruling."),
        ("The appeal was heard by Warsame, JA.", ", JA."),
        ("Joseph Mwangi Kariuki v Republic", " v Republic"),
    ],
)
def test_what_courts_call_witnesses_judges_and_states_by_stays(text: str, kept: str) -> None:
    assert kept in sanitize(text, "default").text


def test_initials_outside_a_court_are_somebody() -> None:
    text = sanitize("Seen by Keller, J. today and by J.B. 14:30.", "default").text
    assert "J" not in text


@pytest.mark.parametrize(
    "text",
    [
        "Year 9 Report – Summer Term 2023",
        "Term 3, Wednesday",
        "Spring Term 2, Monday",
        "Site closed              Review date: soon",
        "Project Summary – Tape 14",
    ],
)
def test_ordinary_words_by_which_nobody_is_called_stand(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize("name", ["Wren", "Regal", "Hunter", "Bishop", "Young", "Deal", "Hope"])
def test_ordinary_words_that_are_names_may_be_somebody_s(name: str) -> None:
    assert not known.is_nobodys(name)


@pytest.mark.parametrize(
    "text",
    [
        "Assigned to: Service Desk L2 / free",
        "R7: Back home I was a teacher. R7: Yes.",
        "Form: 9C            Target: 7",
        "Signed, Fraud Analyst II",
        "Her essay on An Inspector Calls was one of the best.",
        "  daily   SAINSBURYS SUPERMARKETS    £12.40",
    ],
)
def test_short_codes_and_what_everybody_knows_stand(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Badge 7Q was lost by Ann Okonedo.", "7Q"),
        ("She lives in LS6 with Ann Okonedo.", "LS6"),
        ("Call Age UK 020 7946 0958 today.", "7946"),
        ("Inspector Calls came to the house.", "Calls"),
        ("Frank Abara said so. Then Frank left.", "Frank"),
    ],
)
def test_what_is_somebody_s_own_does_not(text: str, hidden: str) -> None:
    assert hidden not in sanitize(text, "default").text


def test_a_word_in_small_letters_is_no_name_where_names_have_capitals() -> None:
    made = sanitize("To be frank, her notes are short. Mr Frank Abara agreed.", "default").text
    assert made == "To be frank, her notes are short. Mr [PERSON 1] agreed."


@pytest.mark.parametrize(
    ("text", "said", "kind", "share", "is_guess"),
    [("We bought a Zelbo.", "Zelbo", "PERSON", 0.999, True), ("OI, stop!", "OI", "PERSON", 0.999, True),
     ("Ask Zelbo.", "Zelbo", "PERSON", 0.7, False), ("My mum, Zelbo, came.", "Zelbo", "PERSON", 0.7, False),
     ("[18:02] Zelbo: hi", "Zelbo", "PERSON", 0.7, False), ("Zelbo was discharged.", "Zelbo", "PERSON", 0.7, False),
     ("Zelbo Vrint rang.", "Zelbo Vrint", "PERSON", 0.995, False), ("Zelbo Vrint rang.", "Zelbo Vrint", "PERSON", 0.9, True),
     ("Painted in Zelbo.", "Zelbo", "LOC", 0.97, True), ("She is in Zelbo.", "Zelbo", "LOC", 0.99, False),
     ("Zelbo, Co. Sligo", "Zelbo", "LOC", 0.7, False), ("He works for Zelbo.", "Zelbo", "ORG", 0.7, False),
     ("Sold to Zelbo.", "Zelbo", "ORG", 0.9, True), ("Sold to Zelbo Ltd.", "Zelbo Ltd", "ORG", 0.7, False)],
)  # fmt: skip
def test_a_kind_is_a_guess_where_nothing_else_tells_it(
    text: str, said: str, kind: str, share: float, is_guess: bool
) -> None:
    at = text.index(said)
    assert guessed_names.is_guess(text, at, at + len(said), kind, share) is is_guess


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("IN THE COUNTY COURT AT OXFORD", "IN THE COUNTY COURT AT [PLACE 1]"),
        ("R v Kyle Brennan", "R v [PERSON 1]"),
        ("Her Honour Judge Marsh said so.", "Her Honour Judge [PERSON 1] said so."),
        ("Reporting officer: Ptl. M. Rossi", "Reporting officer: Ptl. [PERSON 1]"),
        ("Off work since January with low mood.", "Off work since January with low mood."),
        ("PHQ-9 was 19 and GAD-7 was 15.", "PHQ-9 was 19 and GAD-7 was 15."),
        ("Germany won the cup.", "Germany won the cup."),
        ("My PIP was stopped.", "My PIP was stopped."),
    ],
)
def test_offices_courts_months_and_scales_stand(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    "text",
    [
        "It costs £40 to mend in Bellingham.",
        "Hill Farm, Bellingham\nNorthumberland\n\n19 August 2023",
    ],
)
def test_a_village_at_home_is_no_town_of_its_name_elsewhere(text: str) -> None:
    assert "Washington" not in sanitize(text).text
