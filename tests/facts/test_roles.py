"""Who of one family name are two, by the words around."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize


def persons(text: str) -> list[str]:
    return re.findall(r"\[PERSON (\d)\]", sanitize(text).text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Emily Carter, aged 9, attended with her mother. Mrs Carter reports that Emily fell.", "121"),
        ("Liam Walsh (6) attended with his father. Mr Walsh reports that Liam fell.", "121"),
        ("Noah Khan is in year 4. Noah's dad, Dr Khan, is the governor.", "112"),
        ("Patient Karen White, 54, was seen by Dr White. Karen is well.", "121"),
        ("Rosa Martinez came with her son. Seen by Dr. Martinez, who is not related.", "12"),
        ("Hakan Yildiz came with his wife. Mrs Yildiz asked for a leaflet.", "12"),
        ("I, Dave Singh, bought a car from Tom Singh. Mr Singh said it was new.", "122"),
        ("Thank you for seeing Rosa Ali. Mrs Ali has diabetes.\n\nYours sincerely,\nDr Ali", "112"),
        ("Anna Fischer lives with her parents. Mr Fischer works; Mrs Fischer is at home.", "123"),
        ("Child: Amelia-Rose Dunmore (8). Mother: Chantelle Dunmore. Ms Dunmore said he fell.", "122"),
        ("Pupil: Jean-Luc Ames. Parent: Ann Ames. Ms Ames came.", "122"),
        ("Father: Lee Dunmore. Mother: Chantelle Dunmore. Ms Dunmore left. Mr Dunmore stayed.", "1221"),
        ("Patient: Eileen Boyle. NOK: Clare Boyle. Ms Boyle was told by phone.", "123"),
        ("Deceased: Eileen Boyle. Informant: Clare Boyle. Ms Boyle found her mother.", "123"),
        ("Patient Eileen Boyle was seen. Her daughter Clare Boyle rang. Ms Boyle was worried.", "123"),
        ("Karen White came with her husband Lee White. Mrs White was well.", "121"),
        ("Name band: HOLLOWAY, Brianna T. MRN 5520914. Mom (Teresa Holloway) notified.", "12"),
        ("Name band: HOLLOWAY, Brianna T. Mom (Teresa Holloway) notified.", "12"),
        ("OKAFOR, Daniel K. was seen. Kofi Okafor rang.", "12"),
        ("Dear Ms Turner,\nGrace has been off school. Grace Turner is missed.", "122"),
    ],
)  # fmt: skip
def test_persons_of_one_family_name_are_two_where_the_words_say_so(text: str, who: str) -> None:
    assert "".join(persons(text)) == who


@pytest.mark.parametrize(
    "text",
    [
        "John Smith, 54, attended with his wife. Mr Smith reports pain.",
        "Mrs Anna Fischer came. Mrs Fischer reports pain.",
        "Karen White gave the lecture. Dr White answered questions.",
        "Patient Karen White, 54. Mrs White is well.",
        "Emily Carter, aged 9, was seen. Miss Carter fell.",
    ],
)
def test_a_name_with_a_title_is_of_whom_it_fits_else(text: str) -> None:
    assert {*persons(text)} == {"1"}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Present: Anna Keller (chair), Mei Brown, Jürgen Lopez, William Hassan (minutes)", "1234"),
        ("Participants: Olga Okafor (HR), Jürgen Lindqvist, Helen Scott (HR)", "123"),
        ("Attendees: Susan Brown, Samuel James, Pierre Okafor, Hakan Müller, George Thomas", "12345"),
    ],
)  # fmt: skip
def test_names_of_a_list_are_as_many_persons(text: str, who: str) -> None:
    assert "".join(persons(text)) == who


@pytest.mark.parametrize(
    "text",
    [
        "The applicant J.S. (John Smith) lost. J.S. appealed.",
        "Client K.L. (Katharina Lehmann, 26) came. K.L. sleeps badly.",
        "K.L., i.e. Karen Lowe, came. K.L. was late.",
    ],
)
def test_initials_are_of_the_name_that_is_told_behind_them(text: str) -> None:
    assert {*persons(text)} == {"1"}


@pytest.mark.parametrize(
    "text",
    [
        "Dr Young reviewed the patient, Emily Young, on the ward.",
        "I, Dr White, saw this pleasant gentleman, Omar White, in clinic.",
        "Susan Lee was stopped by PC Lee.",
        "Priya White appeared before Judge White.",
        "Sergeant Hughes and the driver, Linda Hughes, were taken to hospital.",
        "Professor King marked the essay of Grace King.",
    ],
)
def test_one_sentence_tells_of_two_by_an_office_and_in_full(text: str) -> None:
    released = sanitize(text).text
    assert "[PERSON 1]" in released
    assert "[PERSON 2]" in released


@pytest.mark.parametrize(
    "text",
    [
        "Dr Young (Emily Young) saw him.",
        "Dr Young, who is now Emily Young, saw him.",
        "Emily Young, known as Dr Young, saw him.",
        "Emily Young is a consultant. Dr Young saw him.",
    ],
)
def test_who_is_told_both_ways_in_one_breath_or_in_two_sentences_is_one(text: str) -> None:
    assert "[PERSON 2]" not in sanitize(text).text


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("cc: Declan, Mairead", "12"),
        ("To: Anna, Tom, Priya", "123"),
        ("Attending: Grace, Blessing", "12"),
        ("cc: Declan Byrne, Mairead", "12"),
        ("To: Keller, Anna", "1"),
        ("Patient: Keller, Anna", "1"),
        ("Name: James, Anna", "1"),
    ],
)
def test_who_letters_go_to_are_as_many_persons(text: str, who: str) -> None:
    assert "".join(persons(text)) == who


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Thomas Weber and his father Thomas Weber senior own the shop.", "[PERSON 1] and his father [PERSON 2] own the shop."),
        ("Mr Smith and Mr Smith junior came.", "Mr [PERSON 1] and Mr [PERSON 2] came."),
        ("Ann Lee junior doctor spoke.", "[PERSON 1] junior doctor spoke."),
        ("Mr. Park Ji-hoon and Ms. Li Xiaomei attended.", "Mr. [PERSON 1] and Ms. [PERSON 2] attended."),
        ("I'm Dr. med. Annegret Berg's patient.", "I'm Dr. [PERSON 1]'s patient."),
    ],
)  # fmt: skip
def test_names_go_as_far_as_they_reach(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Fraser was seen by the triage nurse.", "[PERSON 1] was seen by the triage nurse."),
        ("Lourdes slipped and fractured her wrist.", "[PERSON 1] slipped and fractured her wrist."),
        ("Chelsea lives in Chelsea with Florence.", "[PERSON 1] lives in [PLACE 1] with [PERSON 2]."),
        ("Jordan was seen by the nurse in Jordan.", "[PERSON 1] was seen by the nurse in [COUNTRY 1]."),
    ],
)  # fmt: skip
def test_who_does_what_only_persons_do_is_one(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize("town", ["PARIS", "LETTERKENNY", "LEEDS"])
def test_a_report_begins_with_its_place(town: str) -> None:
    made = sanitize(f"{town} — The minister resigned.").text
    assert town not in made
    assert "PERSON" not in made
