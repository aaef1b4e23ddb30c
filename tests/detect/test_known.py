"""What everybody knows stands, and a namesake of a public figure is hidden like anybody."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.detect.known import is_in_public_body, is_public_body


@pytest.mark.parametrize(
    "text",
    [
        "The talk by Dr. Ito began with a line of Emily Dickinson and ended with Alan Turing.",
        "Her thesis compares Sigmund Freud with later readers of Freud.",
        "The applicant complained to the Ministry of the Interior and to the Supreme Administrative Court.",
        "The Financial Conduct Authority wrote to the Home Office.",
        "The case originated in an application against the Republic of Poland; the Polish Government disagreed.",
    ],
)
def test_what_everybody_knows_stands(text: str) -> None:
    kept = sanitize(text).text
    names = ("Emily Dickinson", "Alan Turing", "Sigmund Freud", "readers of Freud", "Ministry of the Interior",
             "Supreme Administrative Court", "Financial Conduct Authority", "Home Office", "Republic of Poland",
             "Polish Government")  # fmt: skip
    told = [name for name in names if name in text]
    assert told
    assert [name for name in told if name not in kept] == []


@pytest.mark.parametrize(
    "text",
    [
        "Patient: Emily Dickinson\nAdmitted with chest pain.",
        "Mrs Emily Dickinson was seen today.",
        "Emily Dickinson, 54, was seen today.",
        "Emily Dickinson was seen today. Emily is well.",
        "Dear Emily Dickinson,\nyour results are normal.",
        "Emily Dickinson (DOB 03/04/1961) was seen today.",
        "Seen today: Emily Dickinson and her brother Paul Dickinson.",
    ],
)
def test_a_namesake_of_whom_the_text_tells_is_hidden(text: str) -> None:
    assert "Dickinson" not in sanitize(text).text


@pytest.mark.parametrize(
    "name",
    ["Ankara Administrative Court", "Orchard Court", "Hope House", "Larkfield Council", "Sunrise Care Service",
     "Court of Miracles", "council", "Poland", "Acme Government Services", ""],
)  # fmt: skip
def test_a_name_with_a_word_of_its_own_is_no_public_body(name: str) -> None:
    assert not is_public_body(name)


def test_an_ordinary_word_in_small_letters_is_no_name_where_sentences_have_capitals() -> None:
    assert "penny for penny" in sanitize("Penny paid it back penny for penny.").text


@pytest.mark.parametrize(
    "text",
    ["We cite Roe vs. Wade and PGA Tour, Inc. v. Martin.", "I know my rights under FMLA.", "He learnt it by Kipling for a bet.",
     "When Kurt Masur spoke, we wept.", "She left the Lullaby Trust leaflet.", "The steward of UFCW was there."],
)  # fmt: skip
def test_famous_cases_statutes_unions_and_figures_stand(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize(
    ("text", "name"),
    [("Tom Kipling came. Then Kipling left.", "Kipling"), ("Mr Kipling rang twice.", "Kipling"),
     ("Ann Wade sued; the court had Roe v. Wade in mind. Wade lost.", "Wade lost")],
)  # fmt: skip
def test_a_namesake_in_the_text_is_hidden(text: str, name: str) -> None:
    assert name not in sanitize(text).text


@pytest.mark.parametrize(
    "text",
    ["The essay is about Zaha Hadid and Le Corbusier.", "Then Theresa May resigned.", "Lord Denning and Lady Hale gave judgments.",
     "John F. Kennedy was shot, and so was his brother.", "We read about JFK at school.", "J. K. Rowling and D. H. Lawrence wrote it.",
     "We sang a song by A. R. Rahman in class.", "Harriet Tubman, Emmeline Pankhurst and Robert Baden-Powell are on the wall.",
     "He likes J.R.R. Tolkien and Sherlock Holmes."],
)  # fmt: skip
def test_figures_stand_also_by_their_initials(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize(
    ("text", "name"),
    [("Mrs Zaha Hadid came to the clinic. Zaha Hadid is 34.", "Hadid"), ("Patient: Theresa May, 54, asthma.", "Theresa"),
     ("Dr John F. Kennedy saw her.", "Kennedy"), ("A. R. Rahman: I liked it.", "Rahman"),
     ("Seen by J. F. Kenwick at home.", "Kenwick"), ("John F. Kenwick called. We told J. K. Rawling.", "Rawling"),
     ("JFK Kellerman rang.", "Kellerman"), ("Jack Fox Kerr came. JFK signed.", "JFK")],
)  # fmt: skip
def test_who_is_called_like_a_figure_is_hidden(text: str, name: str) -> None:
    assert name not in sanitize(text).text


@pytest.mark.parametrize("name", ["Mr Price", "Father Ted"])
def test_who_is_called_like_a_thing_with_a_title_is_hidden(name: str) -> None:
    kept = sanitize(f"Questions to {name} (he is out until noon).").text
    assert name.split()[1] not in kept


@pytest.mark.parametrize(
    "text",
    ["Our patron, Dame Judi Dench, sent a poster.", "We sailed over the Bay of Biscay to the Persian Gulf.",
     "He had four pints of Carling, and took Woodbines.", "Amen to everything! Bonjour!"],
)  # fmt: skip
def test_an_honour_makes_nobody_of_a_public_figure_and_drinks_and_seas_stand(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize(
    ("text", "made"),
    [("From: Mrs Heatherington, Assistant Head", "From: Mrs [PERSON 1], Assistant Head"),
     ("From: Keller, Hope", "From: [PERSON 1]"),
     ("Have faith in you, Doctor. I am no doctor.", "Have faith in you, Doctor. I am no doctor."),
     ("Then Saudi, you know, KSA is like a second home.", "Then Saudi, you know, KSA is like a second home.")],
)  # fmt: skip
def test_what_somebody_is_and_a_country_by_its_letters_are_no_names(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    ("text", "made"),
    [("IP Mr Alwyn Teague rang. IP scored high.", "IP Mr [PERSON 1] rang. IP scored high."),
     ("She is a national of Eritrea.", "She is a national of Eritrea."),
     ("Survey: 4 stars. Handler: Rex.", "Survey: 4 stars. Handler: [PERSON 1]."),
     ("PHQ-9 score 11 (was 19) today.", "PHQ-9 score 11 (was 19) today."),
     ("She has a job with Monzo.", "She has a job with [ORGANISATION 1].")],
)  # fmt: skip
def test_a_kind_is_that_of_the_list_and_letters_before_a_title_are_no_name(
    text: str, made: str
) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    ("text", "name"),
    [("Then Summer called again.", "Summer"), ("Mum Kenya and dad Chad signed for Asia, aged 3.", "Asia")],
)  # fmt: skip
@pytest.mark.parametrize("policy", ["default", "hipaa-safe-harbor"])
def test_a_word_or_a_land_where_a_person_stands_is_hidden(
    text: str, name: str, policy: str
) -> None:
    assert name not in sanitize(text, policy).text


@pytest.mark.parametrize(
    ("text", "word", "is_end"),
    [
        ("the Court of Appeal held", "Appeal", True),
        ("the Ministry of the Interior said", "Interior", True),
        ("the Republic of Turkey paid", "Turkey", False),
        ("the Court of Tartu held", "Tartu", False),
        ("a sort of Appeal", "Appeal", False),
        ("IN THE COUNTY COURT AT OXFORD", "COUNTY", True),
        ("IN THE COUNTY COURT AT OXFORD", "OXFORD", False),
        ("the Turkey government said", "Turkey", False),
        ("Signed by A. Ward in person.", "Ward", False),
    ],
)
def test_the_last_word_of_a_public_body_is_no_name(text: str, word: str, is_end: bool) -> None:
    start = text.index(word)
    assert is_in_public_body(text, start, start + len(word)) is is_end


def test_a_neutral_citation_alone_is_one_number() -> None:
    shown = sanitize("Judgment of [2013] EWCA Civ 669, given below.", "default").text
    assert shown == "Judgment of [REFERENCE 1], given below."
